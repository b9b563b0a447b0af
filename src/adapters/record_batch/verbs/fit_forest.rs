//! Fitting a forest on record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::notes::fit_notes;
use crate::adapters::common::request::all_usable;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::fitted::{Forest, grow_forest};
use crate::grow::SharedTable;
use crate::spec::ForestSpec;

/// A forest fitted on record batches, and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchForestFit {
    /// The forest.
    pub forest: Forest,
    /// Its feature importances, most important first; see [`Forest::importance_batch`].
    pub importance: RecordBatch,
    /// What to know about it, a sentence each: a target of many integers that was taken for classes
    /// (or of few whole floats for numbers), and features that are like ids.
    pub notes: Vec<String>,
}

/// Fits a forest that predicts `target` from the other columns of the batches of one table. The
/// model is byte for byte that of the same table as a DataFrame. Rows are not answered out of bag
/// here, whatever the spec says.
///
/// # Errors
/// As [`fit_batches`](crate::fit_batches); no tree, more features a node than there are, shares out
/// of range, and pruning.
pub fn fit_forest_batches(
    batches: &[RecordBatch],
    target: &str,
    spec: &ForestSpec,
) -> Result<BatchForestFit> {
    let batches = Batches::new(batches)?;
    let request = spec.tree.request(target);
    let features = all_usable(request.features(&batches)?, target)?;
    let (forest, notes) = in_pool(spec.tree.threads, || {
        let table = request.table(&batches, &features)?;
        let notes = fit_notes(&table, &spec.tree);
        Ok((grow_forest(&SharedTable::new(table), spec)?, notes))
    })?;
    let importance = forest.importance_batch()?;
    Ok(BatchForestFit { forest, importance, notes })
}

impl Forest {
    /// What each feature did in the trees, most important first: `Forest::importance` of the DataFrame
    /// face, `rank u32, feature str, importance f64, standard_error f64?, total_gain f64, n_splits u64,
    /// n_trees u32`.
    ///
    /// # Errors
    /// Whatever Arrow says on building the batch.
    pub fn importance_batch(&self) -> Result<RecordBatch> {
        tables::batch(Vec::new(), self.importance_table())
    }
}
