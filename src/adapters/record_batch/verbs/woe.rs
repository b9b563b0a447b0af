//! Weights of evidence of record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::woe::{scorecard_table, woe_features, woe_table};
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::rank::scorecard::Points;
use crate::spec::{ScorecardSpec, WoeSpec};

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

/// The points of these bins on the scale of a scorecard: the table that `WoeBins::scorecard` of the
/// DataFrame face gives.
///
/// # Errors
/// Those of [`woe_batches`], and of a [`ScorecardSpec`] that cannot be.
pub fn scorecard_of_batches(
    batches: &[RecordBatch],
    target: &str,
    spec: &WoeSpec,
    card: &ScorecardSpec,
) -> Result<RecordBatch> {
    let batches = Batches::new(batches)?;
    let features = in_pool(spec.threads, || woe_features(&batches, target, spec))?;
    tables::batch(Vec::new(), scorecard_table(&features, &Points::new(&features, card)?))
}
