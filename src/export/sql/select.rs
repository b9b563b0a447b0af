//! A tree as the select list of a query.

use super::Dialect;
use crate::error::Result;
use crate::export::comment::comment;
use crate::spec::{Missing, setters};
use crate::tree::TreeData;

/// What SQL a select list is written in, and what it has beside the prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SqlSpec {
    /// The engine.
    pub dialect: Dialect,
    /// A column `probability_<class>` per class.
    pub probability: bool,
    /// A column `leaf_id` of the node each row ends at.
    pub leaf: bool,
}

impl SqlSpec {
    /// The prediction alone.
    pub fn new(dialect: Dialect) -> Self {
        SqlSpec { dialect, probability: false, leaf: false }
    }

    setters! {
        probability: bool,
        leaf: bool,
    }
}

impl From<Dialect> for SqlSpec {
    fn from(dialect: Dialect) -> Self {
        SqlSpec::new(dialect)
    }
}

impl TreeData {
    /// The select list of a query that scores: `prediction`, and if asked for `probability_<class>` of
    /// each class, in class order, and `leaf_id`, as the columns of scoring are named.
    ///
    /// A comment before it says what the model is, the SHA-256 of its model file, and what becomes of
    /// missing values and absent levels.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [30, 7, 12, 28], "play" => ["no", "yes", "yes", "no"]]?;
    /// let tree = df.fit_tree("play", &TreeSpec::cart())?.tree;
    /// let list = tree.to_sql_select(SqlSpec::new(Dialect::DuckDb).leaf(true))?;
    /// let query = format!("SELECT {list} FROM forecast");
    /// assert!(query.starts_with("SELECT /* A tree of 3 nodes that predicts `play`"));
    /// assert!(query.ends_with("\nEND AS leaf_id FROM forecast"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_sql`](TreeData::to_sql), probabilities of a numeric target, and a class that the engine
    /// has no name of a column for.
    pub fn to_sql_select(&self, spec: impl Into<SqlSpec>) -> Result<String> {
        let spec = spec.into();
        let columns = self.sql_columns(&spec)?.into_iter().map(|(name, sql)| {
            // Only the name of a class needs quotes. Without them Snowflake has names in upper case, as
            // its users write them.
            let name = match name.starts_with("probability_") {
                true => spec.dialect.quote_name(&name)?,
                false => name,
            };
            Ok(format!("{sql} AS {name}"))
        });
        let columns = columns.collect::<Result<Vec<_>>>()?.join(",\n");
        Ok(format!("{}\n{columns}", self.about(spec.dialect)))
    }

    /// The columns of a select list by their names.
    pub(crate) fn sql_columns(&self, spec: &SqlSpec) -> Result<Vec<(String, String)>> {
        let dialect = spec.dialect;
        let mut columns = vec![("prediction".to_string(), self.to_sql(dialect)?)];
        if spec.probability {
            let of_classes = self.to_sql_probabilities(dialect)?.into_iter().enumerate();
            columns.extend(of_classes.map(|(class, sql)| {
                (format!("probability_{}", self.schema().class_text(class)), sql)
            }));
        }
        if spec.leaf {
            columns.push(("leaf_id".to_string(), self.to_sql_leaf_id(dialect)?));
        }
        Ok(columns)
    }

    /// What the SQL is of, as a comment.
    fn about(&self, dialect: Dialect) -> String {
        // Spark replaces variables in comments too.
        let shown = |name: &str| comment(name).replace("${", "$ {");
        let mut origin = self.origin();
        if self.spec().missing == Missing::Error {
            origin.missing = "a row with a missing value in a used column gets null";
        }
        format!("/* {} */", origin.lines(shown, Some(dialect.title())).join("\n   "))
    }
}
