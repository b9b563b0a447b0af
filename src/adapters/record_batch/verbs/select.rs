//! Selection of features of record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::select::selection;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::spec::SelectSpec;

/// Selects features of one table's batches: the table that `select_features` of the DataFrame face
/// gives.
///
/// # Errors
/// No batch, or batches of unlike schemas; a column that does not exist, a target with nulls or
/// with one class, and limits out of range.
pub fn select_batches(
    batches: &[RecordBatch],
    target: &str,
    spec: &SelectSpec,
) -> Result<RecordBatch> {
    let batches = Batches::new(batches)?;
    tables::batch(Vec::new(), in_pool(spec.threads, || selection(&batches, target, spec))?)
}
