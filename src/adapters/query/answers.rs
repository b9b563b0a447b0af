//! Reading what the engine answers.

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Decimal256Type, Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, downcast_integer_array};
use arrow_buffer::i256;
use arrow_schema::DataType;

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

    /// The numbers of a column, as what a function makes of them.
    fn numbers<T>(&self, at: usize, of: impl Fn(Number) -> Option<T>) -> Result<Vec<Option<T>>> {
        let mut all = Vec::new();
        for batch in &self.0 {
            append(&mut all, batch.column(at), &of)?;
        }
        Ok(all)
    }

    /// A column of whole numbers of 64 bits, none of them null.
    pub(super) fn whole(&self, at: usize) -> Result<Vec<i64>> {
        let whole = self.numbers(at, |number| number.whole()?.try_into().ok())?;
        whole.into_iter().collect::<Option<_>>().ok_or_else(|| lost("a count that is null"))
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
        let sums = self.numbers(at, Number::whole)?;
        Ok(sums.into_iter().map(|sum| sum.unwrap_or(0)).collect())
    }

    /// A column of floats; `None` for null.
    pub(super) fn floats(&self, at: usize) -> Result<Vec<Option<f64>>> {
        self.numbers(at, |number| Some(number.float()))
    }
}

/// A number of an answer. Engines have many types for one: sums are integers of some width,
/// decimals, or floats.
enum Number {
    Whole(i128),
    Float(f64),
    /// A decimal that is not whole, as the nearest float.
    Fraction(f64),
}

impl Number {
    fn of_decimal(digits: i128, scale: i8) -> Option<Number> {
        let unit = 10_i128.checked_pow(scale.unsigned_abs().into())?;
        Some(match scale {
            ..0 => Number::Whole(digits.checked_mul(unit)?),
            _ if digits % unit == 0 => Number::Whole(digits / unit),
            _ => Number::Fraction(digits as f64 / unit as f64),
        })
    }

    fn whole(self) -> Option<i128> {
        match self {
            Number::Whole(x) => Some(x),
            Number::Float(x) => (x.fract() == 0.0).then_some(x as i128),
            Number::Fraction(_) => None,
        }
    }

    fn float(self) -> f64 {
        match self {
            Number::Whole(x) => x as f64,
            Number::Float(x) | Number::Fraction(x) => x,
        }
    }
}

fn append<T>(
    all: &mut Vec<Option<T>>,
    array: &ArrayRef,
    of: impl Fn(Number) -> Option<T>,
) -> Result<()> {
    let unlike = || lost(&format!("a number as {} that does not fit", array.data_type()));
    macro_rules! append {
        ($array:expr, $number:expr) => {
            for value in $array.iter() {
                all.push(match value {
                    Some(value) => Some($number(value).and_then(&of).ok_or_else(unlike)?),
                    None => None,
                });
            }
        };
    }
    downcast_integer_array!(
        array => append!(array, |x| Some(Number::Whole(i128::from(x)))),
        DataType::Float32 => {
            append!(array.as_primitive::<Float32Type>(), |x| Some(Number::Float(f64::from(x))))
        }
        DataType::Float64 => append!(array.as_primitive::<Float64Type>(), |x| Some(Number::Float(x))),
        DataType::Decimal128(_, scale) => {
            append!(array.as_primitive::<Decimal128Type>(), |x| Number::of_decimal(x, *scale))
        }
        DataType::Decimal256(_, scale) => {
            let of_digits = |digits: i256| Number::of_decimal(digits.to_i128()?, *scale);
            append!(array.as_primitive::<Decimal256Type>(), of_digits)
        }
        DataType::Null => all.extend((0..array.len()).map(|_| None)),
        _ => return Err(unlike()),
    );
    Ok(())
}

/// The error of an answer that does not fit its question.
pub(super) fn lost(what: &str) -> Error {
    Error::data(format!(
        "the engine's answer has {what}: its tables may have changed between two passes"
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int16Type;
    use arrow_array::{Decimal128Array, Decimal256Array, Float32Array, NullArray, PrimitiveArray};

    use super::*;

    fn answer(array: impl Array + 'static) -> Answer {
        let batch = RecordBatch::try_from_iter([("it", Arc::new(array) as ArrayRef)]);
        Answer::new(vec![batch.expect("a batch")], 1).expect("a column")
    }

    fn decimals(digits: Vec<Option<i128>>, scale: i8) -> Decimal128Array {
        Decimal128Array::from(digits).with_precision_and_scale(38, scale).expect("a scale")
    }

    #[test]
    fn numbers_are_read_whatever_type_an_engine_gives_them() {
        let small = PrimitiveArray::<Int16Type>::from(vec![Some(-3), None]);
        assert_eq!(answer(small.clone()).sums(0).expect("sums"), [-3, 0]);
        assert_eq!(answer(small).floats(0).expect("floats"), [Some(-3.0), None]);
        let scaled = || decimals(vec![Some(1200), Some(-50)], 2);
        assert_eq!(answer(scaled()).floats(0).expect("floats"), [Some(12.0), Some(-0.5)]);
        assert_eq!(answer(decimals(vec![Some(12)], -2)).whole(0).expect("whole"), [1200]);
        let large = |scale| {
            let large = Decimal256Array::from(vec![i256::from_i128(i128::MAX)]);
            answer(large.with_precision_and_scale(76, scale).expect("a scale"))
        };
        assert_eq!(large(0).sums(0).expect("sums"), [i128::MAX]);
        assert_eq!(large(9).floats(0).expect("floats"), [Some(i128::MAX as f64 / 1e9)]);
        assert_eq!(answer(Float32Array::from(vec![7.0])).counts(0).expect("counts"), [7]);
        assert_eq!(answer(NullArray::new(2)).floats(0).expect("floats"), [None, None]);
        for lost in [
            answer(scaled()).sums(0).map(drop),
            answer(decimals(vec![Some(i128::MAX)], -2)).sums(0).map(drop),
            large(9).sums(0).map(drop),
            answer(Float32Array::from(vec![f32::NAN])).counts(0).map(drop),
            answer(Float32Array::from(vec![1e30])).whole(0).map(drop),
            answer(decimals(vec![None], 0)).whole(0).map(drop),
            answer(arrow_array::StringArray::from(vec!["7"])).counts(0).map(drop),
        ] {
            let said = lost.expect_err("no such number").to_string();
            assert!(said.contains("the engine's answer has"), "{said}");
        }
    }
}
