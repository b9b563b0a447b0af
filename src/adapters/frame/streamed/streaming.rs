//! Trees, rankings and evaluations from the rows of queries, which are run several times.

use std::path::{Path, PathBuf};

use polars::prelude::LazyFrame;

use super::watched_query::WatchedQuery;
use crate::adapters::frame::scoring::{named_inputs, scan_files_within};
use crate::error::Result;
use crate::evaluation::Evaluation;
use crate::external::Pass;
use crate::fitted::Tree;
use crate::spec::{Budget, EvalSpec, PruneBy, RankSpec, TreeSpec};
use crate::verbs::{StreamedFit, StreamedRanking, fit_tree_in_batches, rank_gain_in_parts};

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

/// Ranks the features in the rows of queries, taken together in their order. A few columns are
/// collected at a time. The ranking is the one that [`rank_gain`](crate::rank_gain) gives of the same
/// rows. The queries have the same columns, and must give the same rows in the same order each time; one
/// that does more than read Parquet files may do its work anew for each few columns. `files` are
/// watched: the ranking ends if one of them changes.
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

/// What a LazyFrame does beside the [verbs of all frames](crate::FrameVerbs), which collect the columns
/// that they need. It has the errors of the functions, and whatever the query ends in.
pub trait LazyFrameGain {
    /// See [`rank_gain_streaming`]; no file is watched.
    fn rank_gain_streaming(
        self,
        target: &str,
        spec: &RankSpec,
        budget: &Budget,
    ) -> Result<StreamedRanking>;
    /// See [`fit_tree_streaming`]; no file is watched.
    fn fit_tree_streaming(
        self,
        target: &str,
        spec: &TreeSpec,
        budget: &Budget,
    ) -> Result<StreamedFit>;
}

impl LazyFrameGain for LazyFrame {
    fn rank_gain_streaming(
        self,
        target: &str,
        spec: &RankSpec,
        budget: &Budget,
    ) -> Result<StreamedRanking> {
        rank_gain_streaming(vec![self], &[], target, spec, budget)
    }

    fn fit_tree_streaming(
        self,
        target: &str,
        spec: &TreeSpec,
        budget: &Budget,
    ) -> Result<StreamedFit> {
        fit_tree_streaming(vec![self], &[], target, spec, budget, &mut |_| {})
    }
}

impl Tree {
    /// [`evaluation_in_batches`](Self::evaluation_in_batches) on the rows of queries, one after the
    /// other, which have the same columns; [`scan_parquet_within`](crate::scan_parquet_within) makes
    /// those of a file. `files` are watched: it ends if one of them changes.
    ///
    /// ```no_run
    /// # use gaintree::{Budget, EvalSpec, Tree, scan_parquet_within};
    /// let tree = Tree::load("churn.tree.json")?;
    /// let rows = scan_parquet_within("2025.parquet", &Budget::of_memory(1 << 30))?;
    /// let judged = tree.evaluation_streaming(rows, &["2025.parquet".into()], &EvalSpec::default())?;
    /// println!("{judged:?}");
    /// # Ok::<(), gaintree::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`evaluation`](crate::ModelVerbs::evaluation), and whatever the queries end in.
    pub fn evaluation_streaming(
        &self,
        rows: Vec<LazyFrame>,
        files: &[PathBuf],
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        self.evaluation_in_batches(&mut WatchedQuery::new(rows, files)?, spec)
    }

    /// [`prune_reduced_error_in_batches`](Self::prune_reduced_error_in_batches) by the rows of
    /// queries, as [`evaluation_streaming`](Self::evaluation_streaming) takes them.
    ///
    /// # Errors
    /// As [`prune_reduced_error`](Self::prune_reduced_error), and whatever the queries end in.
    pub fn prune_reduced_error_streaming(
        &self,
        rows: Vec<LazyFrame>,
        files: &[PathBuf],
        by: PruneBy,
    ) -> Result<Tree> {
        self.prune_reduced_error_in_batches(&mut WatchedQuery::new(rows, files)?, by)
    }
}
