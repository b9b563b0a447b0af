//! Rankings of queries, whose columns are collected a few at a time.

use std::path::{Path, PathBuf};

use polars::prelude::LazyFrame;

use super::watched_query::WatchedQuery;
use crate::adapters::frame::scoring::{named_inputs, scan_files_within};
use crate::adapters::frame::verbs::{StreamedRanking, rank_gain_in_parts};
use crate::error::Result;
use crate::spec::{Budget, RankSpec};

/// Ranks the features of Parquet files, which need not fit in memory: the table that
/// [`rank_gain`](crate::rank_gain) gives. As many columns are read at a time as the budget has
/// room for, each once; if it has no room for one, all are counted in several passes.
///
/// ```no_run
/// # use gaintree::{Budget, RankSpec, rank_parquet};
/// let spec = RankSpec::default();
/// let ranked = rank_parquet(["2023.parquet", "2024.parquet"], "churn", &spec, &Budget::default())?;
/// println!("{}", ranked.ranking);
/// # Ok::<(), gaintree::Error>(())
/// ```
///
/// # Errors
/// As [`rank_gain`](crate::rank_gain); no input, or inputs of unlike columns; a file that cannot be
/// read, or changes meanwhile; a budget that has no room for the target and one column, where a ranking
/// needs them (chance, given columns, MDL cuts).
pub fn rank_parquet<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
    target: &str,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<StreamedRanking> {
    let inputs = named_inputs(inputs)?;
    let rows = scan_files_within(&inputs, budget)?;
    rank_gain_streaming(rows, &inputs, target, spec, budget)
}

/// Ranks the features of queries, one after the other, of which a few columns are collected at a
/// time: the table that [`rank_gain`](crate::rank_gain) gives of the same rows. The queries have the
/// same columns, and must give the same rows in the same order each time; one that does more than
/// read Parquet files may do its work anew for each few columns. `files` are watched: the ranking
/// ends if one of them changes.
///
/// # Errors
/// As [`rank_parquet`], and whatever the query ends in.
pub fn rank_gain_streaming(
    rows: Vec<LazyFrame>,
    files: &[PathBuf],
    target: &str,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<StreamedRanking> {
    rank_gain_in_parts(&mut WatchedQuery::new(rows, files)?, target, spec, budget)
}
