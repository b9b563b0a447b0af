//! Trees from the rows of queries, which are run several times.

use std::path::{Path, PathBuf};

use polars::prelude::LazyFrame;

use super::watched_query::WatchedQuery;
use crate::adapters::frame::scoring::{named_inputs, scan_files_within};
use crate::adapters::frame::verbs::{StreamedFit, fit_tree_in_batches};
use crate::error::Result;
use crate::external::Pass;
use crate::spec::{Budget, TreeSpec};

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
    let rows = scan_files_within(&inputs, budget)?;
    fit_tree_streaming(rows, &inputs, target, spec, budget, &mut |_| {})
}

/// Fits a tree on the rows of queries, one after the other, which are read in batches, several
/// times: the tree that [`fit_tree`](crate::fit_tree) gives of the same rows. The queries have the
/// same columns, and must give the same rows in the same order each time;
/// [`scan_parquet_within`](crate::scan_parquet_within) makes those of a file. `files` are watched:
/// the fit ends if one of them changes. `progress` hears of each pass before it begins.
///
/// # Errors
/// As [`fit_parquet`], and whatever the query ends in.
pub fn fit_tree_streaming(
    rows: Vec<LazyFrame>,
    files: &[PathBuf],
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
    progress: &mut (dyn FnMut(Pass) + Send),
) -> Result<StreamedFit> {
    fit_tree_in_batches(&mut WatchedQuery::new(rows, files)?, target, spec, budget, progress)
}
