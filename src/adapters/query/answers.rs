//! Reading what the engine answers.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Float64Type, Int64Type};

use super::columns::lost;
use crate::adapters::record_batch::arrow_error;
use crate::error::Result;

/// A column of whole numbers of 64 bits, none of them null.
pub(super) fn whole(batches: &[RecordBatch], at: usize) -> Result<Vec<i64>> {
    let mut all = Vec::new();
    for batch in batches {
        let numbers = cast(batch.column(at), &DataType::Int64).map_err(arrow_error)?;
        if numbers.null_count() > 0 {
            return Err(lost("a count that is null"));
        }
        all.extend_from_slice(numbers.as_primitive::<Int64Type>().values());
    }
    Ok(all)
}

/// A column of sums of whole numbers; the sum of no rows is 0.
pub(super) fn sums(batches: &[RecordBatch], at: usize) -> Result<Vec<i128>> {
    let mut all = Vec::new();
    for batch in batches {
        let sums = cast(batch.column(at), &DataType::Decimal128(38, 0)).map_err(arrow_error)?;
        let sums = sums.as_primitive::<Decimal128Type>();
        all.extend(sums.iter().map(|sum| sum.unwrap_or(0)));
    }
    Ok(all)
}

/// A column of floats; `None` for null.
pub(super) fn floats(batches: &[RecordBatch], at: usize) -> Result<Vec<Option<f64>>> {
    let mut all = Vec::new();
    for batch in batches {
        let floats = cast(batch.column(at), &DataType::Float64).map_err(arrow_error)?;
        all.extend(floats.as_primitive::<Float64Type>().iter());
    }
    Ok(all)
}
