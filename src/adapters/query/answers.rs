//! Reading what the engine answers.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Float64Type, Int64Type};

use crate::adapters::record_batch::arrow_error;
use crate::error::{Error, Result};

/// The lines of an answer, which may be anything until they are read.
pub(super) struct Answer(Vec<RecordBatch>);

impl Answer {
    /// An answer, which has to have this number of columns.
    pub(super) fn new(batches: Vec<RecordBatch>, n_columns: usize) -> Result<Self> {
        match batches.iter().find(|batch| batch.num_columns() != n_columns) {
            Some(batch) => {
                let n = batch.num_columns();
                Err(lost(&format!(
                    "another number of columns ({n}, and {n_columns} were asked for)"
                )))
            }
            None => Ok(Answer(batches)),
        }
    }

    /// Each batch as an answer of its own.
    pub(super) fn into_batches(self) -> Vec<RecordBatch> {
        self.0
    }

    pub(super) fn arrays(&self, at: usize) -> Vec<ArrayRef> {
        self.0.iter().map(|batch| batch.column(at).clone()).collect()
    }

    fn cast(&self, at: usize, to: &DataType) -> Result<Vec<ArrayRef>> {
        let arrays = self.0.iter().map(|batch| cast(batch.column(at), to).map_err(arrow_error));
        arrays.collect()
    }

    /// A column of whole numbers of 64 bits, none of them null.
    pub(super) fn whole(&self, at: usize) -> Result<Vec<i64>> {
        let mut all = Vec::new();
        for numbers in self.cast(at, &DataType::Int64)? {
            if numbers.null_count() > 0 {
                return Err(lost("a count that is null"));
            }
            all.extend_from_slice(numbers.as_primitive::<Int64Type>().values());
        }
        Ok(all)
    }

    pub(super) fn counts(&self, at: usize) -> Result<Vec<u64>> {
        let counts = self.whole(at)?.into_iter().map(|count| u64::try_from(count).ok());
        counts.collect::<Option<_>>().ok_or_else(|| lost("a count below 0"))
    }

    /// A column of numbers below this one: of nodes, classes or questions.
    pub(super) fn indices(&self, at: usize, below: usize) -> Result<Vec<usize>> {
        let index = |count| usize::try_from(count).ok().filter(|&index| index < below);
        let indices = self.counts(at)?.into_iter().map(index);
        indices.collect::<Option<_>>().ok_or_else(|| lost("a number that was not asked for"))
    }

    /// A column of sums of whole numbers; the sum of no rows is 0.
    pub(super) fn sums(&self, at: usize) -> Result<Vec<i128>> {
        let mut all = Vec::new();
        for sums in self.cast(at, &DataType::Decimal128(38, 0))? {
            let sums = sums.as_primitive::<Decimal128Type>();
            all.extend(sums.iter().map(|sum| sum.unwrap_or(0)));
        }
        Ok(all)
    }

    /// A column of floats; `None` for null.
    pub(super) fn floats(&self, at: usize) -> Result<Vec<Option<f64>>> {
        let mut all = Vec::new();
        for floats in self.cast(at, &DataType::Float64)? {
            all.extend(floats.as_primitive::<Float64Type>().iter());
        }
        Ok(all)
    }
}

/// The error of an answer that does not fit its question.
pub(super) fn lost(what: &str) -> Error {
    Error::data(format!(
        "the engine's answer has {what}: its tables may have changed between two passes"
    ))
}
