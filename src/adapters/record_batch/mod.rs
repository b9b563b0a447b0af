//! The Arrow side: record batches in, record batches out. No algorithm lives here.
//!
//! The verbs are those of the DataFrame face and answer with the same tables. They take the
//! batches of one table, however it is cut into them. DataFusion's batches are of this `arrow`,
//! so that what a query collects goes straight in:
//!
//! ```text
//! let batches = ctx.sql("select * from customers").await?.collect().await?;
//! let fit = batches.fit_tree("churn", &TreeSpec::cart())?;
//! while let Some(batch) = stream.next().await {
//!     let scored = fit.tree.score_batch(&batch?)?;
//! }
//! ```
//!
//! Batches of another Arrow come by its C Data Interface (`arrow::ffi`), which copies no values.
//! Values are read where they lie; the engine's keys are the only copy.

mod batches;
mod column;
mod groups;
mod score;
mod tables;
mod texts;

use arrow::array::RecordBatch;

use crate::adapters::common::pool::in_own_pool;
use crate::adapters::common::ranking::ranking;
use crate::adapters::common::request::all_usable;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::fitted::grow;
use crate::spec::{RankSpec, TreeSpec};
use batches::Batches;

/// A tree fitted on record batches, and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchFit {
    /// The tree.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance_batch`].
    pub importance: RecordBatch,
}

/// gaintree's verbs on the record batches of one table.
///
/// ```
/// use std::sync::Arc;
/// use arrow::array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray};
/// use gaintree::prelude::*;
///
/// let wind: ArrayRef = Arc::new(Float64Array::from(vec![30.0, 7.5, 12.0, 28.0]));
/// let play: ArrayRef = Arc::new(BooleanArray::from(vec![false, true, true, false]));
/// let batch = RecordBatch::try_from_iter([("wind", wind), ("play", play)])?;
///
/// let ranking = batch.rank_gain("play", &RankSpec::default())?;
/// assert_eq!(ranking.num_rows(), 1);
/// let fit = [batch.slice(0, 1), batch.slice(1, 3)].fit_tree("play", &TreeSpec::cart())?;
/// let scored = fit.tree.score_batch(&batch)?;
/// assert_eq!(scored["prediction"].as_ref(), batch["play"].as_ref());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RecordBatchGain {
    /// See [`rank_batches`].
    ///
    /// # Errors
    /// As [`rank_batches`].
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<RecordBatch>;

    /// See [`fit_batches`].
    ///
    /// # Errors
    /// As [`fit_batches`].
    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<BatchFit>;
}

impl RecordBatchGain for [RecordBatch] {
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<RecordBatch> {
        rank_batches(self, target, spec)
    }

    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<BatchFit> {
        fit_batches(self, target, spec)
    }
}

impl RecordBatchGain for RecordBatch {
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<RecordBatch> {
        rank_batches(std::slice::from_ref(self), target, spec)
    }

    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<BatchFit> {
        fit_batches(std::slice::from_ref(self), target, spec)
    }
}

/// Ranks features by what they tell about `target`, best first: the table that `rank_gain` of
/// the DataFrame face gives, of the batches of one table. Dictionaries of text are taken as
/// Polars' categoricals are, and may differ from batch to batch.
///
/// Sorting a column of many values dominates: `O(n)` passes over n rows a column.
///
/// # Errors
/// No batch, or batches of unlike schemas; a column that is not there, a target with nulls or
/// of one class, bad weights, or a `by` column named like one of the table's.
pub fn rank_batches(batches: &[RecordBatch], target: &str, spec: &RankSpec) -> Result<RecordBatch> {
    let batches = Batches::new(batches)?;
    let ranked = in_pool(spec.threads, || {
        ranking(&batches, target, spec, |table| groups::groups(&batches, &spec.by, table))
    })?;
    let keys = groups::of_lines(&spec.by, &ranked.keys, ranked.groups)?;
    tables::batch(keys, ranked.table)
}

/// Fits a tree that predicts `target` from the other columns of the batches of one table. The
/// model is byte for byte that of the same table as a DataFrame.
///
/// Encoding takes `O(m n)` for m columns of n numbers, growth `O(m n)` a level; both run in
/// the rayon pool this is called in.
///
/// # Errors
/// No batch, or batches of unlike schemas; a column that is not there or cannot serve, a target
/// with nulls or of one class, bad weights, or a spec that contradicts itself.
pub fn fit_batches(batches: &[RecordBatch], target: &str, spec: &TreeSpec) -> Result<BatchFit> {
    let batches = Batches::new(batches)?;
    let request = spec.request(target);
    let features = all_usable(request.features(&batches)?, target)?;
    let tree = in_pool(spec.threads, || grow(request.table(&batches, &features)?, spec))?;
    let importance = tree.importance_batch()?;
    Ok(BatchFit { tree, importance })
}

impl Tree {
    /// What each feature did in the tree, most important first: `rank u32, feature str,
    /// importance f64, total_gain f64, n_splits u64, min_depth u32?, coverage f64`. Importances
    /// sum to 1, or are all 0 for a single leaf; gains are weighted by the node's share of the
    /// rows.
    ///
    /// # Errors
    /// Whatever Arrow says on building the batch.
    pub fn importance_batch(&self) -> Result<RecordBatch> {
        tables::batch(Vec::new(), self.importance_table())
    }
}

/// Runs in the pool there is, or in one of so many threads where another number is asked for. As
/// many are those of the pool too, never the calling thread alone, as a batch else is outside it.
fn in_pool<R: Send>(threads: Option<usize>, work: impl FnOnce() -> Result<R> + Send) -> Result<R> {
    match threads {
        None => work(),
        Some(n) if n == rayon::current_num_threads() => rayon::scope(|_| work()),
        Some(n) => in_own_pool(n, work),
    }
}

/// What Arrow complained of, in the crate's error.
fn arrow_error(e: arrow::error::ArrowError) -> Error {
    Error::data(e.to_string()).caused_by(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A batch of few rows is scored in the calling thread where that is of no pool, but not where
    /// threads are asked for: be they as many as there are, or others.
    #[test]
    fn threads_that_are_asked_for_are_used() {
        let there_are = rayon::current_num_threads();
        for threads in [1, there_are, there_are + 1] {
            let at_work =
                || Ok((rayon::current_thread_index().is_some(), rayon::current_num_threads()));
            assert_eq!(in_pool(Some(threads), at_work).expect("a pool"), (true, threads));
        }
    }
}
