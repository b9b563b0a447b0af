//! Trees from rows that are read in batches.

use std::path::{Path, PathBuf};

use polars::prelude::{DataFrame, LazyFrame};

use super::lazy_batches::LazyBatches;
use crate::adapters::frame::scoring::{named_inputs, scan_files};
use crate::error::Result;
use crate::external::{BatchStore, ExternalReport, Progress, grow_from_store};
use crate::fitted::Tree;
use crate::spec::{Budget, TreeSpec};

/// A tree fitted on rows that were read in batches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamedFit {
    /// The tree: byte for byte that of the same rows in memory.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance`].
    pub importance: DataFrame,
    /// Passes over the rows, values fetched, and memory.
    pub report: ExternalReport,
}

/// Fits a tree on the rows of Parquet files, which need not fit in memory: the tree that
/// [`fit_tree`](crate::fit_tree) gives. The files are read several times.
///
/// ```no_run
/// # use gaintree::{Budget, TreeSpec, fit_parquet};
/// let spec = TreeSpec::cart().max_depth(8);
/// let fit = fit_parquet(["2023.parquet", "2024.parquet"], "churn", &spec, &Budget::default())?;
/// fit.tree.save("churn.tree.json")?;
/// # Ok::<(), gaintree::Error>(())
/// ```
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree); no input, or inputs of unlike columns; a file that cannot be
/// read, or changes while the tree is fitted; and what cannot be done so: fractional missing values
/// where there are some, subtree raising, or a tree that may outgrow the budget.
pub fn fit_parquet<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
) -> Result<StreamedFit> {
    let inputs = named_inputs(inputs)?;
    fit_tree_streaming(scan_files(&inputs)?, &inputs, target, spec, budget, &mut |_| {})
}

/// Fits a tree on the rows of a query, which are read in batches, several times: the tree that
/// [`fit_tree`](crate::fit_tree) gives of the same rows. The query must give the same rows in the
/// same order each time. `files` are watched: the fit ends if one of them changes. `progress` hears
/// of each pass before it begins.
///
/// # Errors
/// As [`fit_parquet`], and whatever the query ends in.
pub fn fit_tree_streaming(
    rows: LazyFrame,
    files: &[PathBuf],
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<StreamedFit> {
    let batches = LazyBatches::new(rows, files, &spec.request(target))?;
    // Beside counts and gathered rows, batches are in memory, and the node of each row.
    let mut store = BatchStore::new(batches, budget.memory / 8);
    let mut of_growth = budget.clone();
    of_growth.memory = budget.memory / 2;
    let (tree, report) = grow_from_store(&mut store, spec, &of_growth, progress)?;
    let importance = tree.importance()?;
    Ok(StreamedFit { tree, importance, report })
}
