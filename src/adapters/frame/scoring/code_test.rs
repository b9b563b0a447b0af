//! The rows of a DataFrame as a test of a model's code.

use polars::prelude::DataFrame;

use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
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
    pub fn to_code_test(&self, spec: impl Into<CodeSpec>, df: &DataFrame) -> Result<String> {
        let spec = spec.into();
        let column = |name: &str| column(df, name);
        in_pool(None, || self.code_test(spec, df.height(), column, &names(df)))
    }
}

impl Forest {
    /// As [`Tree::to_code_test`], without leaves.
    ///
    /// # Errors
    /// As that of a tree, and hard voting on a numeric target.
    pub fn to_code_test(
        &self,
        spec: impl Into<CodeSpec>,
        voting: Voting,
        df: &DataFrame,
    ) -> Result<String> {
        let spec = spec.into();
        let column = |name: &str| column(df, name);
        in_pool(None, || self.code_test(spec, voting, df.height(), column, &names(df)))
    }
}

fn column(df: &DataFrame, name: &str) -> Result<Option<FrameColumn>> {
    df.column(name).ok().map(FrameColumn::of_model).transpose()
}
