//! Pruning by cross-validation on record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::notes::{cross_validated_note, fit_notes};
use crate::adapters::common::request::all_usable;
use crate::adapters::common::tables::ResultTable;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::fitted::{Tree, cross_validate};
use crate::grow::SharedTable;
use crate::prune::CvSpec;
use crate::spec::TreeSpec;

/// A tree pruned by cross-validation on record batches, and what that saw.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchPruningCv {
    /// The tree of all rows, pruned to the chosen alpha; its spec says so.
    pub tree: Tree,
    /// A line for each subtree of the sequence, from the whole tree to the root: `alpha f64,
    /// leaves u32, mean_error f64, standard_error f64, chosen bool`.
    pub cv: RecordBatch,
    /// What [`BatchFit::notes`](crate::BatchFit::notes) says of a fit.
    pub notes: Vec<String>,
}

/// Fits a tree on the batches of one table and prunes it to the alpha that cross-validation
/// chooses, as [`cross_validate`] does on an encoded table. The batches are encoded once.
///
/// # Errors
/// As [`fit_batches`](crate::fit_batches), for all rows and for those outside each fold; folds
/// fewer than 2 or more than the rows of positive weight.
pub fn cross_validate_batches(
    batches: &[RecordBatch],
    target: &str,
    spec: &TreeSpec,
    cv: &CvSpec,
) -> Result<BatchPruningCv> {
    let batches = Batches::new(batches)?;
    let request = spec.request(target);
    let features = all_usable(request.features(&batches)?, target)?;
    let ((tree, steps), mut notes) = in_pool(spec.threads, || {
        let table = request.table(&batches, &features)?;
        let notes = fit_notes(&table, spec);
        Ok((cross_validate(&SharedTable::new(table), spec, cv)?, notes))
    })?;
    notes.extend(cross_validated_note(&tree, &steps, cv.prune_by));
    let cv = tables::batch(Vec::new(), ResultTable::from(steps.as_slice()))?;
    Ok(BatchPruningCv { tree, cv, notes })
}
