//! A column of Arrow arrays as the engine reads it.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, GenericStringArray, OffsetSizeTrait, StringViewArray,
};
use arrow_buffer::NullBuffer;
use arrow_buffer::i256;
use arrow_schema::*;

use super::dictionaries;
use super::dtypes::{MAX_DIGITS, dtype_of_field, name_of};
use crate::adapters::common::numeric::{
    KeyReader, NumberReader, Numeric, NumericChunk, NumericReader, Validity, contiguous,
};
use crate::adapters::common::texts::{bools, interned};
use crate::data::column_data::{ColumnData, Source};
use crate::data::dtype::DType;
use crate::encode::interner::{Texts, view_of};
use crate::verbs::frame::ColumnOrReason;

/// A column in chunks whose dtype the engine knows.
#[derive(Clone, Debug)]
pub struct ChunkedColumn {
    field: FieldRef,
    dtype: DType,
    chunks: Vec<ArrayRef>,
}

impl ChunkedColumn {
    /// The column, or why it cannot serve.
    pub(crate) fn column_or_reason(
        field: &FieldRef,
        chunks: Vec<ArrayRef>,
    ) -> ColumnOrReason<Self> {
        match ChunkedColumn::unchecked(field, chunks) {
            None => ColumnOrReason::of_no_kind(field.name(), &name_of(field)),
            Some(column) => column.checked(),
        }
    }

    /// The column, unless it has a value that the engine's dtype cannot hold.
    pub(super) fn checked(self) -> ColumnOrReason<Self> {
        match self.out_of_range() {
            None => ColumnOrReason::Usable(self),
            Some(reason) => ColumnOrReason::Excluded {
                name: self.field.name().clone(),
                dtype: self.arrow().to_string(),
                reason: reason.to_string(),
            },
        }
    }

    /// The column, whether or not the engine's dtype holds all of its values.
    pub(super) fn unchecked(field: &FieldRef, chunks: Vec<ArrayRef>) -> Option<Self> {
        Some(ChunkedColumn { field: field.clone(), dtype: dtype_of_field(field)?, chunks })
    }

    pub(super) fn field(&self) -> &FieldRef {
        &self.field
    }

    fn arrow(&self) -> &DataType {
        self.field.data_type()
    }

    pub(crate) fn chunks(&self) -> &[ArrayRef] {
        &self.chunks
    }

    /// Says so if the column has a value that the engine's dtype cannot hold.
    fn out_of_range(&self) -> Option<&'static str> {
        use TimeUnit::{Microsecond, Second};
        let seconds = "has values beyond 64-bit milliseconds: cast it to another unit";
        let clock = "has values that are no time of a day: mend or drop them";
        let digits = "has values of more than 38 digits: cast it to a narrower decimal";
        let category = "has a text that is none of its Enum's categories: cast it to a string";
        let overflows = |x: i64| x.checked_mul(1_000).is_none();
        match self.arrow() {
            DataType::Timestamp(Second, _) => {
                self.any::<TimestampSecondType>(overflows).then_some(seconds)
            }
            DataType::Duration(Second) => {
                self.any::<DurationSecondType>(overflows).then_some(seconds)
            }
            DataType::Time64(Microsecond) => {
                self.any::<Time64MicrosecondType>(overflows).then_some(clock)
            }
            DataType::Decimal256(..) if matches!(self.dtype, DType::Decimal { .. }) => {
                let limit = 10i128.pow(u32::from(MAX_DIGITS));
                let fits = |x: i256| x.to_i128().is_some_and(|x| -limit < x && x < limit);
                self.any::<Decimal256Type>(|x| !fits(x)).then_some(digits)
            }
            DataType::Dictionary(..) => match &self.dtype {
                DType::Enum { categories } => {
                    (!dictionaries::all_among(&self.chunks, categories)).then_some(category)
                }
                _ => self.values_of_dictionaries()?.out_of_range(),
            },
            _ => None,
        }
    }

    /// The values of the dictionaries, one dictionary after the other.
    fn values_of_dictionaries(&self) -> Option<ChunkedColumn> {
        let values = dictionaries::dictionaries(&self.chunks);
        let field = Field::new(self.name(), values.first()?.data_type().clone(), true);
        ChunkedColumn::unchecked(&Arc::new(field), values)
    }

    fn cells_of_dictionaries(&self) -> ColumnData {
        match &self.dtype {
            DType::Enum { categories } => dictionaries::texts(&self.chunks, categories),
            DType::Categorical => dictionaries::texts(&self.chunks, &[]),
            _ => match self.values_of_dictionaries() {
                Some(values) => {
                    values.cells().gather(dictionaries::places(&self.chunks).into_iter())
                }
                None => ColumnData::Missing(self.n_rows()),
            },
        }
    }

    /// Whether some value satisfies a predicate.
    fn any<T: ArrowPrimitiveType>(&self, holds: impl Fn(T::Native) -> bool + Copy) -> bool {
        self.chunks.iter().any(|c| c.as_primitive::<T>().iter().flatten().any(holds))
    }

    /// Calls the reader with the column's chunks; `None` if it is not numeric. The match is on
    /// Arrow's own type, as Arrow stores a physical type in several ways.
    fn read<R: NumericReader>(&self, reader: R) -> Option<R::Output> {
        use TimeUnit::*;
        // Products beyond 64 bits are only of values that `out_of_range` refused, or of nulls.
        let thousand = |x: i64| x.wrapping_mul(1_000);
        Some(match self.arrow() {
            DataType::Int8 => self.read_as::<Int8Type, _, _>(reader, |x| x),
            DataType::Int16 => self.read_as::<Int16Type, _, _>(reader, |x| x),
            DataType::Int32 => self.read_as::<Int32Type, _, _>(reader, |x| x),
            DataType::Int64 => self.read_as::<Int64Type, _, _>(reader, |x| x),
            DataType::UInt8 => self.read_as::<UInt8Type, _, _>(reader, |x| x),
            DataType::UInt16 => self.read_as::<UInt16Type, _, _>(reader, |x| x),
            DataType::UInt32 => self.read_as::<UInt32Type, _, _>(reader, |x| x),
            DataType::UInt64 => self.read_as::<UInt64Type, _, _>(reader, |x| x),
            DataType::Float16 => self.read_as::<Float16Type, _, _>(reader, |x| x),
            DataType::Float32 => self.read_as::<Float32Type, _, _>(reader, |x| x),
            DataType::Float64 => self.read_as::<Float64Type, _, _>(reader, |x| x),
            DataType::Decimal32(..) => self.read_as::<Decimal32Type, _, _>(reader, i128::from),
            DataType::Decimal64(..) => self.read_as::<Decimal64Type, _, _>(reader, i128::from),
            DataType::Decimal128(..) if self.dtype == DType::U128 => {
                self.read_as::<Decimal128Type, _, _>(reader, i128::cast_unsigned)
            }
            DataType::Decimal128(..) => self.read_as::<Decimal128Type, _, _>(reader, |x| x),
            DataType::Decimal256(..) if self.dtype == DType::U128 => {
                self.read_as::<Decimal256Type, _, _>(reader, |x| x.to_parts().0)
            }
            DataType::Decimal256(..) => {
                self.read_as::<Decimal256Type, _, _>(reader, |x| x.as_i128())
            }
            DataType::Date32 => self.read_as::<Date32Type, _, _>(reader, |x| x),
            DataType::Date64 => self.read_as::<Date64Type, _, _>(reader, |x| x),
            DataType::Timestamp(unit, _) => match unit {
                Second => self.read_as::<TimestampSecondType, _, _>(reader, thousand),
                Millisecond => self.read_as::<TimestampMillisecondType, _, _>(reader, |x| x),
                Microsecond => self.read_as::<TimestampMicrosecondType, _, _>(reader, |x| x),
                Nanosecond => self.read_as::<TimestampNanosecondType, _, _>(reader, |x| x),
            },
            DataType::Duration(unit) => match unit {
                Second => self.read_as::<DurationSecondType, _, _>(reader, thousand),
                Millisecond => self.read_as::<DurationMillisecondType, _, _>(reader, |x| x),
                Microsecond => self.read_as::<DurationMicrosecondType, _, _>(reader, |x| x),
                Nanosecond => self.read_as::<DurationNanosecondType, _, _>(reader, |x| x),
            },
            DataType::Time32(Second) => {
                self.read_as::<Time32SecondType, _, _>(reader, |x| i64::from(x) * 1_000_000_000)
            }
            DataType::Time32(_) => {
                self.read_as::<Time32MillisecondType, _, _>(reader, |x| i64::from(x) * 1_000_000)
            }
            DataType::Time64(Microsecond) => {
                self.read_as::<Time64MicrosecondType, _, _>(reader, thousand)
            }
            DataType::Time64(_) => self.read_as::<Time64NanosecondType, _, _>(reader, |x| x),
            _ => return None,
        })
    }

    fn read_as<T: ArrowPrimitiveType, R: NumericReader, N: Numeric>(
        &self,
        reader: R,
        native: impl Fn(T::Native) -> N,
    ) -> R::Output {
        reader.read(self.chunks.iter().map(numeric_chunk::<T>), native)
    }

    /// The texts of a column of booleans or texts; `None` for any other.
    fn texts(&self) -> Option<ColumnData> {
        let (n, chunks) = (self.n_rows(), self.chunks.iter());
        Some(match self.arrow() {
            DataType::Boolean => bools(chunks.flat_map(|chunk| chunk.as_boolean().iter())),
            DataType::Utf8 => interned(n, chunks.map(|c| StringChunk(c.as_string::<i32>()))),
            DataType::LargeUtf8 => interned(n, chunks.map(|c| StringChunk(c.as_string::<i64>()))),
            DataType::Utf8View => interned(n, chunks.map(|c| StringViews::new(c.as_string_view()))),
            _ => return None,
        })
    }
}

impl Source for ChunkedColumn {
    fn name(&self) -> &str {
        self.field.name()
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        if let DataType::Dictionary(..) = self.arrow() {
            return self.cells_of_dictionaries();
        }
        let data = self.read(KeyReader).or_else(|| self.texts());
        // What is neither numeric nor text is Null.
        data.unwrap_or(ColumnData::Missing(self.n_rows()))
    }

    fn n_rows(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn numbers<'a>(&'a self, rows: Range<usize>, scratch: &'a mut Vec<f64>) -> Option<&'a [f64]> {
        if *self.arrow() == DataType::Float64
            && let Some(numbers) =
                contiguous(self.chunks.iter().map(numeric_chunk::<Float64Type>), &rows)
        {
            return Some(numbers);
        }
        if self.dtype.is_wide() {
            return None;
        }
        self.read(NumberReader { rows, numbers: scratch })?;
        Some(scratch)
    }
}

fn numeric_chunk<T: ArrowPrimitiveType>(chunk: &ArrayRef) -> NumericChunk<'_, T::Native> {
    let nulls = chunk.nulls().filter(|nulls| nulls.null_count() > 0);
    NumericChunk {
        values: chunk.as_primitive::<T>().values(),
        validity: nulls.map(|nulls| Validity { bytes: nulls.validity(), offset: nulls.offset() }),
    }
}

struct StringChunk<'a, O: OffsetSizeTrait>(&'a GenericStringArray<O>);

impl<'a, O: OffsetSizeTrait> Texts<'a> for StringChunk<'a, O> {
    fn len(&self) -> usize {
        Array::len(self.0)
    }

    fn is_missing(&self, row: usize) -> bool {
        self.0.is_null(row)
    }

    fn view(&self, row: usize) -> u128 {
        view_of(self.0.value(row))
    }

    fn text(&self, row: usize) -> &'a str {
        self.0.value(row)
    }
}

/// A chunk of views, which are read without a call for each row.
struct StringViews<'a> {
    views: &'a [u128],
    /// `None` if no string is null.
    nulls: Option<&'a NullBuffer>,
    array: &'a StringViewArray,
}

impl<'a> StringViews<'a> {
    fn new(array: &'a StringViewArray) -> Self {
        let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0);
        StringViews { views: array.views(), nulls, array }
    }
}

impl<'a> Texts<'a> for StringViews<'a> {
    fn len(&self) -> usize {
        self.views.len()
    }

    #[inline(always)]
    fn is_missing(&self, row: usize) -> bool {
        self.nulls.is_some_and(|nulls| nulls.is_null(row))
    }

    #[inline(always)]
    fn view(&self, row: usize) -> u128 {
        self.views[row]
    }

    fn text(&self, row: usize) -> &'a str {
        self.array.value(row)
    }
}
