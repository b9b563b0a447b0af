//! Weights of evidence of record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::woe::{woe_features, woe_table};
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::spec::WoeSpec;

/// Bins features by what they tell about a target of two classes: the table that `woe_bins` of the
/// DataFrame face gives, of the batches of one table.
///
/// # Errors
/// No batch, or batches of unlike schemas; a column that is not there, a target with nulls or of
/// other than two classes, an event that is none of them, bad weights, and limits out of range.
pub fn woe_batches(batches: &[RecordBatch], target: &str, spec: &WoeSpec) -> Result<RecordBatch> {
    let batches = Batches::new(batches)?;
    let features = in_pool(spec.threads, || woe_features(&batches, target, spec))?;
    tables::batch(Vec::new(), woe_table(&features))
}
