//! How the record batches of two tables differ.

use arrow::array::RecordBatch;

use crate::adapters::common::drift::{column_drift, drift_bins_table, drift_table};
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::spec::DriftSpec;

/// Compares the columns of two tables, the one that drifted most first: the table that `drift` of
/// the DataFrame face gives.
///
/// # Errors
/// No batch, or batches of unlike schemas; tables without a column in common or without rows, a
/// column of other dtypes in the two, and MDL intervals without a target of classes.
pub fn drift_batches(
    reference: &[RecordBatch],
    current: &[RecordBatch],
    spec: &DriftSpec,
) -> Result<RecordBatch> {
    let (reference, current) = (Batches::new(reference)?, Batches::new(current)?);
    let table = in_pool(spec.threads, || drift_table((&reference, None), &current, spec))?;
    tables::batch(Vec::new(), table)
}

/// The bins of one column of two tables: the table that `drift_bins` of the DataFrame face gives.
///
/// # Errors
/// Those of [`drift_batches`], and a column that is not in both tables.
pub fn drift_bins_of_batches(
    reference: &[RecordBatch],
    current: &[RecordBatch],
    feature: &str,
    spec: &DriftSpec,
) -> Result<RecordBatch> {
    let (reference, current) = (Batches::new(reference)?, Batches::new(current)?);
    let drift = in_pool(spec.threads, || column_drift(&reference, &current, feature, spec))?;
    tables::batch(Vec::new(), drift_bins_table(&drift.bins))
}
