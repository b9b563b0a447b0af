//! A tree as an SQL expression, to score where the data is.

mod case;
mod class_shares;
mod column;
mod dialect;
mod engines;
mod literal;
mod select;

pub use column::SqlColumn;
pub use dialect::Dialect;
pub use select::SqlSpec;

use super::takes_one_branch;
use crate::error::{Error, Result};
use crate::spec::Missing;
use crate::tree::{Feature, TreeData};
use case::{CaseWriter, count_leaves};
use class_shares::ClassShares;
use engines::Use;

/// Most leaves a tree may have to be put into SQL.
pub const MAX_SQL_LEAVES: usize = 50_000;

impl TreeData {
    /// The tree's prediction as an SQL expression over the columns it uses: a `CASE` of the class
    /// (as a value of the target's dtype) or the mean, equal to that of scoring.
    ///
    /// Missing is null, and NaN where the engine has one. Under [`Missing::Error`] the prediction
    /// for a row with a missing value in a used column is null.
    /// Columns are compared as columns of the model's dtype: booleans as booleans (1 and 0 in
    /// SQLite), text as text (cast an engine's own enum to text), zoned times as instants;
    /// SQLite keeps dates and times as ISO 8601 text, a space before the time, in UTC.
    /// The expression can be put into any other; [`to_sql_select`](TreeData::to_sql_select) says what
    /// it is of.
    /// Probabilities and means are `f64` literals that read back exactly.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [30, 7, 12, 28], "play" => ["no", "yes", "yes", "no"]]?;
    /// let tree = df.fit_tree("play", &TreeSpec::cart())?.tree;
    /// assert_eq!(
    ///     tree.to_sql(Dialect::DuckDb)?,
    ///     "CASE\n  WHEN \"wind\" IS NULL OR \"wind\" >= 20 THEN 'no'\n  ELSE 'yes'\nEND"
    /// );
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A tree of [`Missing::Fractional`], or of more than [`MAX_SQL_LEAVES`] leaves; a name, a
    /// level or a cut that the engine cannot hold.
    pub fn to_sql(&self, dialect: Dialect) -> Result<String> {
        let schema = self.schema();
        self.sql(dialect, &|node| match self.mean(node) {
            Some(mean) => Ok(dialect.float(mean)),
            None => {
                let class = &schema.classes[self.majority(node)];
                let what = format!("target `{}`", schema.target);
                dialect.value(&what, &schema.target_dtype, class, Use::Answer)
            }
        })
    }

    /// The probability of each class as an SQL expression, in class order.
    ///
    /// # Errors
    /// As [`TreeData::to_sql`], and a numeric target.
    pub fn to_sql_probabilities(&self, dialect: Dialect) -> Result<Vec<String>> {
        if self.is_regression() {
            return Err(self.schema().lacks("class probabilities"));
        }
        let (missing, shares) = (self.checked_for_sql(dialect)?, ClassShares::new(self));
        let of_class = |class: usize, leaves: &[u32]| {
            let answer = |node| Ok(dialect.float(shares.of(node, class)));
            let writer = CaseWriter { tree: self, dialect, answer: &answer, leaves };
            written(&writer, missing.as_deref())
        };
        shares.each(of_class).into_iter().collect()
    }

    /// The id of the node that a row ends at as an SQL expression, equal to the `leaf_id` of scoring.
    ///
    /// # Errors
    /// As [`TreeData::to_sql`].
    pub fn to_sql_leaf_id(&self, dialect: Dialect) -> Result<String> {
        self.sql(dialect, &|node| Ok(node.to_string()))
    }

    fn sql(&self, dialect: Dialect, answer: &dyn Fn(u32) -> Result<String>) -> Result<String> {
        let missing = self.checked_for_sql(dialect)?;
        let ids = 0..self.n_nodes() as u32;
        let answers = ids.clone().map(answer).collect::<Result<Vec<_>>>()?;
        let is_same = |a: u32, b: u32| answers[a as usize] == answers[b as usize];
        let mut leaves = vec![1; answers.len()];
        // Branches follow their node.
        count_leaves(self, ids.rev(), &is_same, &mut leaves);
        let writer = CaseWriter { tree: self, dialect, answer, leaves: &leaves };
        written(&writer, missing.as_deref())
    }

    /// The condition of the rows that have no answer, if there are such.
    ///
    /// # Errors
    /// A tree that is no `CASE`.
    fn checked_for_sql(&self, dialect: Dialect) -> Result<Option<String>> {
        let is_split = self.n_nodes() > 1;
        if self.spec().missing.shares_rows() && is_split {
            return Err(takes_one_branch("tree", "a CASE"));
        }
        if self.n_leaves() > MAX_SQL_LEAVES {
            return Err(Error::spec(format!(
                "the tree has {} leaves, and SQL of more than {MAX_SQL_LEAVES} is more than \
                 engines take: prune it, fit it with max_leaves, or score it otherwise",
                self.n_leaves()
            )));
        }
        let used: Vec<&Feature> =
            self.used_features().iter().map(|&f| &self.schema().features[f as usize]).collect();
        dialect.check_names(&used)?;
        if self.spec().missing != Missing::Error || !is_split {
            return Ok(None);
        }
        let missing = used.iter().map(|feature| Ok(SqlColumn::new(dialect, feature)?.missing()));
        Ok(Some(missing.collect::<Result<Vec<_>>>()?.join(" OR ")))
    }
}

/// The expression of a tree, null for the rows of a condition.
fn written(writer: &CaseWriter, missing: Option<&str>) -> Result<String> {
    match missing {
        None => writer.expression(0, 0),
        Some(missing) => Ok(format!(
            "CASE\n  WHEN {missing} THEN NULL\n  ELSE {}\nEND",
            writer.expression(0, 1)?
        )),
    }
}
