//! A tree or a forest as an ONNX model.
//!
//! Each used column is an input of its own type. Their values become a matrix of doubles, a tree says
//! which of its answers each row gets, and what the answers say stands in tables: so no figure is
//! rounded, and one tree's class, probabilities and leaf are looked up by one number.

mod columns;
mod ensemble;
mod graph;
mod graph_builder;
mod proto;

use std::path::Path;

use crate::error::Result;
use crate::score::Voting;
use crate::tree::TreeData;
use crate::tree::forest_data::ForestData;
use crate::util::atomic_file::write_whole;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use columns::OnnxInput;
use graph::Graph;

impl TreeData {
    /// The tree as the bytes of an ONNX model (`ai.onnx.ml` 5, opset 21). Its answers equal the
    /// scoring.
    ///
    /// Inputs, each of shape `[rows, 1]`: every used column by its name. Numbers, booleans and texts
    /// have their own type; dates are int32 days, times int64 in their unit, decimals int64 units of
    /// `10^-scale`, as Polars keeps them. NaN is missing in a float column. Any other column has a
    /// Boolean input `<column>__missing`; where the training rows had no missing values it may be left
    /// out. A level that training never saw goes where scoring sends it.
    ///
    /// Outputs: `prediction` (`[rows]`: string, int64 or bool; double of a numeric target),
    /// `probabilities` (`[rows, classes]` in class order, double), `leaf_id` (`[rows]`, int64). Under
    /// [`Missing::Error`](crate::Missing::Error) a run with a missing value fails: an index is out of
    /// bounds.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [30, 7, 12, 28], "play" => ["no", "yes", "yes", "no"]]?;
    /// let tree = df.fit_tree("play", &TreeSpec::cart())?.tree;
    /// let folder = std::env::temp_dir().join("gaintree-doc-onnx");
    /// std::fs::create_dir_all(&folder)?;
    /// tree.save_onnx(folder.join("play.onnx"))?;
    /// assert_eq!(std::fs::read(folder.join("play.onnx"))?, tree.to_onnx()?);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The metadata hold what the model is, the SHA-256 of its model file, and what becomes of missing
    /// values and absent levels. Linear in the tree.
    ///
    /// # Errors
    /// A tree of [`Missing::Fractional`](crate::Missing::Fractional), or one that asks more tests of a
    /// row than ONNX Runtime can read; a used feature that is ordered by text, of 128-bit integers, or
    /// has a cut or a level of 2^53 or more; a name that is empty, has a NUL or is an output's; a model
    /// of 2 GB.
    pub fn to_onnx(&self) -> Result<Vec<u8>> {
        let graph = Graph::new(self.schema(), self.used_features(), self.spec().missing)?;
        graph.tree(self)?.encoded(self.origin())
    }

    /// The inputs of the graph that [`to_onnx`](Self::to_onnx) makes.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn graph_inputs(&self) -> Result<Vec<OnnxInput<'_>>> {
        Ok(Graph::new(self.schema(), self.used_features(), self.spec().missing)?.inputs())
    }

    /// Writes [`to_onnx`](Self::to_onnx) to a file, whole or not at all.
    ///
    /// # Errors
    /// As `to_onnx`, and where the file cannot be written.
    pub fn save_onnx(&self, path: impl AsRef<Path>) -> Result<()> {
        save(path.as_ref(), &self.to_onnx()?)
    }
}

impl ForestData {
    /// The forest as the bytes of an ONNX model: as for a [tree](TreeData::to_onnx), without
    /// `leaf_id`. Trees are added up in order, so that the answers equal those of scoring.
    ///
    /// # Errors
    /// The errors of a tree, and hard voting on a numeric target.
    pub fn to_onnx(&self, voting: Voting) -> Result<Vec<u8>> {
        if voting == Voting::Hard && self.is_regression() {
            return Err(self.schema().lacks("votes"));
        }
        let missing = self.spec().tree.missing;
        let graph = Graph::new(self.schema(), self.used_features(), missing)?;
        graph.forest(self, voting)?.encoded(self.origin())
    }

    /// The inputs of the graph that [`to_onnx`](Self::to_onnx) makes.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn graph_inputs(&self) -> Result<Vec<OnnxInput<'_>>> {
        let missing = self.spec().tree.missing;
        Ok(Graph::new(self.schema(), self.used_features(), missing)?.inputs())
    }

    /// Writes [`to_onnx`](Self::to_onnx) to a file, whole or not at all.
    ///
    /// # Errors
    /// As `to_onnx`, and where the file cannot be written.
    pub fn save_onnx(&self, path: impl AsRef<Path>, voting: Voting) -> Result<()> {
        save(path.as_ref(), &self.to_onnx(voting)?)
    }
}

fn save(path: &Path, model: &[u8]) -> Result<()> {
    write_whole(path, |file| std::io::Write::write_all(file, model))
}
