//! Pairs of columns of record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::matrix::{matrix, redundant};
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::spec::MatrixSpec;

/// Finds how much the columns of one table's batches tell about each other: the table that
/// `gain_matrix` of the DataFrame face gives.
///
/// # Errors
/// No batch, or batches of unlike schemas; a column that does not exist, a named one whose dtype
/// cannot be compared, fewer than two columns and fewer than two bins.
pub fn matrix_of_batches(batches: &[RecordBatch], spec: &MatrixSpec) -> Result<RecordBatch> {
    let batches = Batches::new(batches)?;
    tables::batch(Vec::new(), in_pool(spec.threads, || matrix(&batches, spec))?)
}

/// Groups the columns of one table's batches that tell the same: the table that `redundant_groups` of
/// the DataFrame face gives.
///
/// # Errors
/// As [`matrix_of_batches`], and a threshold that is not above 0 or is above 1.
pub fn redundant_in_batches(
    batches: &[RecordBatch],
    threshold: f64,
    spec: &MatrixSpec,
) -> Result<RecordBatch> {
    let batches = Batches::new(batches)?;
    tables::batch(Vec::new(), in_pool(spec.threads, || redundant(&batches, threshold, spec))?)
}
