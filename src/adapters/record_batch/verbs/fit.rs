//! Fitting a tree on record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::notes::{fit_notes, grown_notes};
use crate::adapters::common::request::all_usable;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::fitted::{Tree, grow};
use crate::spec::TreeSpec;

/// A tree fitted on record batches, and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchFit {
    /// The tree.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance_batch`].
    pub importance: RecordBatch,
    /// What to know about it, a sentence each: a target of many integers that was taken for classes
    /// (or of few whole floats for numbers), features that are like ids or give the target away, and
    /// that pruning left one leaf.
    pub notes: Vec<String>,
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
    let (tree, notes) = in_pool(spec.threads, || {
        let table = request.table(&batches, &features)?;
        let mut notes = fit_notes(&table, spec);
        let tree = grow(table, spec)?;
        notes.extend(grown_notes(&tree, &notes));
        Ok((tree, notes))
    })?;
    let importance = tree.importance_batch()?;
    Ok(BatchFit { tree, importance, notes })
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
