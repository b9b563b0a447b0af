//! The ranking of the features of record batches.

use arrow::array::RecordBatch;

use super::groups::{groups, of_lines};
use crate::adapters::common::rank_outline::ranking;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::spec::RankSpec;

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
        ranking(&batches, target, spec, |table| groups(&batches, &spec.by, table))
    })?;
    tables::batch(of_lines(&spec.by, &ranked.keys, ranked.groups())?, ranked.columns())
}
