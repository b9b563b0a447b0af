//! The rows of a frame as a test of a model's code.

use super::frame::{Frame, NamedColumns};
use super::model_ref::ModelRef;
use crate::error::Result;
use crate::export::CodeSpec;
use crate::fitted::{Forest, Tree};
use crate::score::Voting;

impl Tree {
    /// A program that holds the [code](crate::engine::TreeData::to_code) of this tree to what the tree
    /// answers to the rows of a frame: class or number, probabilities and leaf. All the rows are in it.
    /// It includes the file of the code by its name.
    ///
    /// ```
    /// use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [30, 7, 12, 28], "play" => ["no", "yes", "yes", "no"]]?;
    /// let tree = df.fit_tree("play", &TreeSpec::cart())?.tree;
    /// let test = tree.to_code_test(Language::Python, &df)?;
    /// assert!(test.contains("from play import Row, leaf_id, predict, probabilities"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As `to_code`; no rows; a used column that is not there, or whose values a field of the code does
    /// not hold: it must have the dtype of the training frame, or be as wide a float or integer.
    pub fn to_code_test<F: Frame + ?Sized>(
        &self,
        spec: impl Into<CodeSpec>,
        frame: &F,
    ) -> Result<String> {
        let (spec, rows) = (spec.into(), rows(frame, self.into())?);
        let column = |name: &str| rows.column_to_score(name);
        F::in_pool(None, || self.code_test(spec, rows.n_rows(), column, &rows.names()))
    }
}

impl Forest {
    /// As [`Tree::to_code_test`], without leaves.
    ///
    /// # Errors
    /// As that of a tree, and hard voting on a numeric target.
    pub fn to_code_test<F: Frame + ?Sized>(
        &self,
        spec: impl Into<CodeSpec>,
        voting: Voting,
        frame: &F,
    ) -> Result<String> {
        let (spec, rows) = (spec.into(), rows(frame, self.into())?);
        let column = |name: &str| rows.column_to_score(name);
        F::in_pool(None, || self.code_test(spec, voting, rows.n_rows(), column, &rows.names()))
    }
}

fn rows<F: Frame + ?Sized>(frame: &F, model: ModelRef) -> Result<F::Columns> {
    frame.columns(&model.used_columns().into())
}
