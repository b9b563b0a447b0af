//! Pairs of columns of record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::matrix::matrix;
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
