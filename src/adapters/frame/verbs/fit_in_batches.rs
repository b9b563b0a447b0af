//! Trees from rows that are read in batches, several times.

use polars::prelude::DataFrame;

use super::frame_batches::{FrameBatches, counting_pool};
use crate::adapters::frame::frame_reader::FrameReader;
use crate::error::Result;
use crate::external::{BatchStore, ExternalReport, Pass, grow_from_store};
use crate::fitted::Tree;
use crate::spec::{Budget, TreeSpec};
use crate::verbs::notes::tree_notes;

/// A tree fitted on rows that were read in batches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamedFit {
    /// The tree: byte for byte that of the same rows in memory.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance`].
    pub importance: DataFrame,
    /// What to know about it, as [`Fit::notes`](crate::Fit::notes) says.
    /// Features that are like ids are not looked for.
    pub notes: Vec<String>,
    /// Passes over the rows, values fetched, and memory.
    pub report: ExternalReport,
}

/// Fits a tree on a table that is read in batches, several times: the tree that
/// [`fit_tree`](crate::fit_tree) gives of the same rows. `progress` hears of each pass before it
/// begins.
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree), and what the reader says; what cannot be done so: fractional
/// missing values where there are some, subtree raising, or a tree that may outgrow the budget; rows
/// that change between two passes.
pub fn fit_tree_in_batches(
    rows: &mut dyn FrameReader,
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
    progress: &mut (dyn FnMut(Pass) + Send),
) -> Result<StreamedFit> {
    let batches = FrameBatches::new(rows, &spec.request(target))?;
    // Beside counts and gathered rows, batches are in memory, and the node of each row.
    let mut store = BatchStore::new(batches, budget.memory / 8);
    let mut of_growth = budget.clone();
    of_growth.memory = budget.memory / 2;
    let pool = counting_pool(spec.threads)?;
    let (tree, report) =
        pool.install(|| grow_from_store(&mut store, spec, &of_growth, progress))?;
    let importance = tree.importance()?;
    let notes = tree_notes(&tree, spec.task);
    Ok(StreamedFit { tree, importance, notes, report })
}
