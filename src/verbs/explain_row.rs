//! Why a tree answers what it answers for one row of a frame.

use std::fmt;

use super::frame::{Frame, NamedColumns};
use super::model_ref::ModelRef;
use super::table::{FaceTable, FromResults, ResultTable};
use crate::error::{Error, Result};
use crate::explain::{PathStep, RowChange, RowReasons, row_reasons};
use crate::fitted::Tree;

/// The answer of a tree for one row, how it came about, and what would change it. It prints as lines
/// of text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RowExplanation<T = FaceTable> {
    /// The predicted class, or the mean, as text.
    pub prediction: String,
    /// The probability of the predicted class; `None` where the target is a number.
    pub probability: Option<f64>,
    /// The predicted mean; `None` where the target is classes.
    pub mean: Option<f64>,
    /// The node where the row ends, as in [`score_with`](crate::ModelVerbs::score_with); the one of the largest share of
    /// several.
    pub leaf_id: u32,
    /// Whether the row goes down several branches, in parts
    /// ([`Missing::Fractional`](crate::Missing::Fractional)): the answer is then a mixture of what
    /// several leaves say, and `path` leads to one of them.
    pub in_parts: bool,
    /// The nodes from the root to `leaf_id`: `step u32, node_id u32, feature str?, value str?,
    /// condition str?, n u64, prediction str, probability f64, change f64?`; of numbers `mean` in place
    /// of `probability`.
    pub path: T,
    /// What would change the answer: `n_features u32, change str, leaf_id u32, prediction str,
    /// probability f64, n u64`; of numbers `mean` in place of `probability`.
    pub changes: T,
    text: String,
}

impl<T> fmt::Display for RowExplanation<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is said of a frame without rows.
pub(crate) const NO_ROW: &str = "no row to explain: pass a frame with rows";

/// Checks that a frame has a row, counted from 0.
pub(super) fn check_row(rows: usize, row: usize) -> Result<()> {
    match rows.checked_sub(1) {
        Some(last) if row <= last => Ok(()),
        Some(last) => Err(Error::spec(format!(
            "row is {row}, and the frame has {rows} rows, 0 to {last}: name one of them"
        ))),
        None => Err(Error::spec(NO_ROW)),
    }
}

impl Tree {
    /// Why the tree answers what it answers for one row of a frame, counted from 0, and what would
    /// change that. The frame needs the columns that the rules use, and no target.
    ///
    /// `path` has a line for each node from the root to the leaf: the feature its parent tests, the
    /// row's value, and what holds of it. `probability` is that of the class that the leaf predicts, and
    /// `change` what the step changed: the probability at the root and the changes sum to the leaf's
    /// (Saabas 2014, "Interpreting random forests").
    ///
    /// `changes` has a line for each leaf of another prediction: the conditions of its rule that the
    /// row fails, whose features would have to change for the row to end there. The fewest features
    /// come first, then the most training rows, then the lower leaf; the first ten are kept. Of numbers
    /// they are leaves of another mean, the first five of a lower and the first five of a higher.
    /// It says what the tree would answer, not what would happen in the world.
    ///
    /// Linear in the nodes, and in the depth times the features.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["size" => [1, 2, 8, 9], "ripe" => ["no", "no", "yes", "yes"]]?;
    /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
    /// let why = tree.explain_row(&df, 3)?;
    /// assert_eq!((why.prediction.as_str(), why.leaf_id), ("yes", 2));
    /// assert_eq!(why.path.column("condition")?.str()?.get(1), Some("size >= 5"));
    /// assert_eq!(why.path.column("change")?.f64()?.get(1), Some(0.5));
    /// assert_eq!(why.changes.column("change")?.str()?.get(0), Some("size < 5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A row that the frame does not have; else as [`score`](crate::ModelVerbs::score).
    pub fn explain_row<F: Frame + ?Sized>(
        &self,
        frame: &F,
        row: usize,
    ) -> Result<RowExplanation<F::Table>> {
        let columns = frame.columns(&ModelRef::from(self).used_columns().into())?;
        let reasons = self.reasons_of(&columns, row, None)?;
        Ok(RowExplanation {
            path: self.path_table(&reasons.path)?,
            changes: self.change_table(&reasons.changes)?,
            text: reasons.to_string(),
            leaf_id: reasons.leaf,
            in_parts: reasons.in_parts,
            mean: reasons.mean,
            probability: reasons.probability,
            prediction: reasons.prediction,
        })
    }

    /// What [`explain_row`](Self::explain_row) makes tables of.
    pub(crate) fn reasons_of<F: NamedColumns>(
        &self,
        frame: &F,
        row: usize,
        event: Option<usize>,
    ) -> Result<RowReasons> {
        check_row(frame.n_rows(), row)?;
        let one = frame.rows(&[row as u32])?;
        let column = |name: &str| one.column_to_score(name);
        row_reasons(self.prepared(), event, column, &frame.names()).map_err(|e| e.of_part(row))
    }

    /// The column that holds what nodes predict.
    fn figure_name(&self) -> &'static str {
        if self.is_regression() { "mean" } else { "probability" }
    }

    fn path_table<T: FromResults>(&self, path: &[PathStep]) -> Result<T> {
        let name = |feature: u32| self.schema().features[feature as usize].name.as_str();
        ResultTable::default()
            .add("step", 0..path.len() as u32)
            .add("node_id", path.iter().map(|step| step.node))
            .add("feature", path.iter().map(|step| step.feature.map(name)))
            .add("value", path.iter().map(|step| step.value.as_deref()))
            .add("condition", path.iter().map(|step| step.condition.as_deref()))
            .add("n", path.iter().map(|step| step.n))
            .add("prediction", path.iter().map(|step| step.prediction.as_str()))
            .add(self.figure_name(), path.iter().map(|step| step.figure))
            .add("change", path.iter().map(|step| step.change))
            .into_table()
    }

    fn change_table<T: FromResults>(&self, changes: &[RowChange]) -> Result<T> {
        ResultTable::default()
            .add("n_features", changes.iter().map(|change| change.features))
            .add("change", changes.iter().map(|change| change.change.as_str()))
            .add("leaf_id", changes.iter().map(|change| change.leaf))
            .add("prediction", changes.iter().map(|change| change.prediction.as_str()))
            .add(self.figure_name(), changes.iter().map(|change| change.figure))
            .add("n", changes.iter().map(|change| change.n))
            .into_table()
    }
}
