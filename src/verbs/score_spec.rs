//! What scoring adds, and its report.

use std::collections::HashSet;

use crate::error::{Error, Result, no_such_column};
use crate::score::Voting;
use crate::spec::spec;
use crate::verbs::model_ref::ModelRef;

spec! {
    /// What a scored table holds beside `prediction`, or the `score` of a scorecard.
    ///
    /// ```
    /// use gaintree::ScoreSpec;
    /// let spec = ScoreSpec::default().probability(true).leaf(true).prefix("churn_");
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    pub struct ScoreSpec {
        /// A column `probability_<class>` per class.
        pub probability: bool,
        /// A column `leaf_id` of the node each row stopped at; of a tree only.
        pub leaf: bool,
        /// Whether each tree of a forest votes for the class of the row's leaf: probabilities are
        /// then shares of the votes. Otherwise they are the means of the class shares in the
        /// leaves.
        pub votes: bool,
        /// A column `<feature>_points` for each feature; of a scorecard only.
        pub points: bool,
        /// The input's columns to keep; `None` is all.
        pub keep: Option<Vec<String>> => by_hand,
        /// Put before the name of every added column.
        pub prefix: String => |prefix: impl Into<String>| prefix.into(),
        /// Threads to score with, at most 8 per processor; `None` is the pool it is called in,
        /// Polars' own for frames.
        pub threads: Option<usize>,
    }
}

impl ScoreSpec {
    /// Keeps these columns of the input.
    #[must_use]
    pub fn keep<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.keep = Some(columns.into_iter().map(Into::into).collect());
        self
    }
}

/// A column that a model makes of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowAnswer {
    /// `prediction`, of the target's dtype.
    Prediction,
    /// `probabilities`: a struct with an f64 field per class, named by the class, in class order.
    Probabilities,
    /// `leaf_id`: the node each row stops at, a u32; of a tree only.
    LeafId,
}

impl RowAnswer {
    /// The column's name.
    pub fn name(self) -> &'static str {
        match self {
            RowAnswer::Prediction => "prediction",
            RowAnswer::Probabilities => "probabilities",
            RowAnswer::LeafId => "leaf_id",
        }
    }
}

/// A report on rows that were scored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScoreReport {
    /// Rows scored.
    pub rows: u64,
    /// Rows that met, on their way, a level the node never saw in training (under `x == level`,
    /// which keeps no list of the rest: a level that training never saw at all).
    pub absent_levels: u64,
}

impl ScoreSpec {
    /// How the trees of a forest vote.
    pub(crate) fn voting(&self) -> Voting {
        if self.votes { Voting::Hard } else { Voting::Soft }
    }

    /// The name of an added column.
    pub(crate) fn name(&self, base: &str) -> String {
        format!("{}{base}", self.prefix)
    }

    /// The columns that stay, of all there are or found by name; `known` are the names there are,
    /// for the message.
    pub(crate) fn kept<'n, T>(
        &self,
        all: impl IntoIterator<Item = T>,
        find: impl Fn(&str) -> Option<T>,
        known: impl Fn() -> Vec<&'n str>,
    ) -> Result<Vec<T>> {
        let Some(keep) = &self.keep else { return Ok(all.into_iter().collect()) };
        let unknown = |name| no_such_column("column to keep", name, &known());
        keep.iter().map(|name| find(name).ok_or_else(|| unknown(name))).collect()
    }

    /// Only classes have probabilities and votes, only a forest has votes and only a tree has leaf ids,
    /// only a scorecard has points, and no table has a column twice.
    pub(crate) fn check(&self, model: ModelRef) -> Result<()> {
        self.check_kept()?;
        if self.points {
            let kind = match model {
                ModelRef::Tree(_) => "tree",
                ModelRef::Forest(_) => "forest",
            };
            return Err(Error::spec(format!(
                "the model is a {kind}, and points are of a scorecard: leave them out"
            )));
        }
        for (wanted, what) in [(self.probability, "class probabilities"), (self.votes, "votes")] {
            if wanted && model.is_regression() {
                return Err(model.schema().lacks(what));
            }
        }
        match model {
            ModelRef::Tree(_) if self.votes => {
                Err(Error::spec("the model is one tree, which has no votes: leave them out"))
            }
            ModelRef::Forest(_) if self.leaf => Err(no_leaf_id()),
            ModelRef::Tree(_) | ModelRef::Forest(_) => Ok(()),
        }
    }

    /// A scorecard has a score, and its points.
    #[cfg(feature = "lazy")]
    pub(crate) fn check_of_card(&self) -> Result<()> {
        self.check_kept()?;
        let asked =
            [(self.probability, "probabilities"), (self.leaf, "leaf ids"), (self.votes, "votes")];
        match asked.into_iter().find(|(is_asked, _)| *is_asked) {
            Some((_, what)) => Err(Error::spec(format!(
                "the model is a scorecard, which has a score and points but no {what}: leave them out"
            ))),
            None => Ok(()),
        }
    }

    fn check_kept(&self) -> Result<()> {
        let mut kept = HashSet::new();
        match self.keep.iter().flatten().find(|name| !kept.insert(*name)) {
            Some(name) => {
                Err(Error::spec(format!("column `{name}` is to be kept twice: name it once")))
            }
            None => Ok(()),
        }
    }
}

/// The error of asking a forest for the leaf of a row.
pub(crate) fn no_leaf_id() -> Error {
    Error::spec(
        "the model is a forest, in which a row has a leaf in each tree: leave the leaf out, or take \
         one of its trees",
    )
}

/// An added column may not have the name of a kept one.
pub(crate) fn check_free<'a, 'k>(
    mut added: impl Iterator<Item = &'a str>,
    kept: impl Iterator<Item = &'k str>,
) -> Result<()> {
    let kept: HashSet<&str> = kept.collect();
    let Some(name) = added.find(|name| kept.contains(*name)) else { return Ok(()) };
    Err(Error::data(format!(
        "the input already has a column `{name}`: name the added ones with a prefix \
         (ScoreSpec::prefix, --prefix), or leave it out of the kept columns"
    )))
}
