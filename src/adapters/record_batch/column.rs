//! Arrow arrays as the engine reads them: a dtype matched once, then typed loops.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray};
use arrow::datatypes::*;

use super::texts::TextChunk;
use crate::adapters::common::request::Offer;
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::{DType, TimeUnit as Unit, key_of_f16, key_of_f32, key_of_f64, key_of_i64};
use crate::encode::interner::{Interner, Texts};

/// A column of record batches whose dtype the engine knows; an array a batch.
#[derive(Clone, Debug)]
pub(crate) struct BatchColumn {
    name: String,
    dtype: DType,
    arrow: DataType,
    chunks: Vec<ArrayRef>,
}

/// Decimals have at most so many digits.
const MAX_DIGITS: u8 = 38;

impl BatchColumn {
    /// The column, or why it cannot serve.
    pub(crate) fn offer(name: &str, arrow: &DataType, chunks: Vec<ArrayRef>) -> Offer<Self> {
        let Some(dtype) = dtype_of(arrow) else { return Offer::of_no_kind(name, arrow) };
        let column = BatchColumn { name: name.to_string(), dtype, arrow: arrow.clone(), chunks };
        match column.out_of_range() {
            None => Offer::Usable(column),
            Some(reason) => Offer::Excluded {
                name: name.to_string(),
                dtype: arrow.to_string(),
                reason: reason.to_string(),
            },
        }
    }

    /// The array of each batch.
    pub(crate) fn chunks(&self) -> &[ArrayRef] {
        &self.chunks
    }

    /// Whether some value is beyond what the engine's dtype holds.
    fn out_of_range(&self) -> Option<&'static str> {
        let seconds = "has values beyond 64-bit milliseconds: cast it to another unit";
        let clock = "has values that are no time of a day: mend or drop them";
        let digits = "has values of more than 38 digits: cast it to a narrower decimal";
        match &self.arrow {
            DataType::Timestamp(arrow::datatypes::TimeUnit::Second, _) => self
                .any::<TimestampSecondType>(|x| x.checked_mul(1_000).is_none())
                .then_some(seconds),
            DataType::Duration(arrow::datatypes::TimeUnit::Second) => self
                .any::<DurationSecondType>(|x| x.checked_mul(1_000).is_none())
                .then_some(seconds),
            DataType::Time64(arrow::datatypes::TimeUnit::Microsecond) => self
                .any::<Time64MicrosecondType>(|x| x.checked_mul(1_000).is_none())
                .then_some(clock),
            DataType::Decimal256(..) => {
                let limit = 10i128.pow(u32::from(MAX_DIGITS));
                let fits = |x: i256| x.to_i128().is_some_and(|x| -limit < x && x < limit);
                self.any::<Decimal256Type>(|x| !fits(x)).then_some(digits)
            }
            DataType::Dictionary(..) => self.dictionaries().0.out_of_range(),
            _ => None,
        }
    }

    /// Whether something holds of a value.
    fn any<T: ArrowPrimitiveType>(&self, holds: impl Fn(T::Native) -> bool + Copy) -> bool {
        self.chunks.iter().any(|c| c.as_primitive::<T>().iter().flatten().any(holds))
    }

    fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }
}

/// The engine's dtype for an Arrow one; dates in milliseconds are times.
fn dtype_of(arrow: &DataType) -> Option<DType> {
    use arrow::datatypes::TimeUnit::*;
    let unit = |unit: &arrow::datatypes::TimeUnit| match unit {
        Second | Millisecond => Unit::Milliseconds,
        Microsecond => Unit::Microseconds,
        Nanosecond => Unit::Nanoseconds,
    };
    let decimal = |precision: u8, scale: i8| {
        // Units of more than one are no decimal of ours.
        let scale = usize::try_from(scale).ok().filter(|s| *s <= MAX_DIGITS.into())?;
        Some(DType::Decimal { precision: precision.min(MAX_DIGITS).into(), scale })
    };
    Some(match arrow {
        DataType::Null => DType::Null,
        DataType::Boolean => DType::Boolean,
        DataType::Int8 => DType::I8,
        DataType::Int16 => DType::I16,
        DataType::Int32 => DType::I32,
        DataType::Int64 => DType::I64,
        DataType::UInt8 => DType::U8,
        DataType::UInt16 => DType::U16,
        DataType::UInt32 => DType::U32,
        DataType::UInt64 => DType::U64,
        DataType::Float16 => DType::F16,
        DataType::Float32 => DType::F32,
        DataType::Float64 => DType::F64,
        DataType::Decimal32(p, s)
        | DataType::Decimal64(p, s)
        | DataType::Decimal128(p, s)
        | DataType::Decimal256(p, s) => decimal(*p, *s)?,
        DataType::Date32 => DType::Date,
        DataType::Date64 => DType::Datetime { unit: Unit::Milliseconds, zone: None },
        DataType::Timestamp(u, zone) => {
            DType::Datetime { unit: unit(u), zone: zone.as_ref().map(|z| z.to_string()) }
        }
        DataType::Duration(u) => DType::Duration { unit: unit(u) },
        DataType::Time32(_) | DataType::Time64(_) => DType::Time,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DType::String,
        DataType::Dictionary(_, values) => match dtype_of(values)? {
            DType::String => DType::Categorical,
            // A dictionary of dictionaries is nobody's column.
            DType::Categorical => return None,
            dtype => dtype,
        },
        _ => return None,
    })
}

impl Source for BatchColumn {
    fn name(&self) -> &str {
        &self.name
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        use arrow::datatypes::TimeUnit::*;
        let int = |x: i64| Some(key_of_i64(x));
        // Beyond 64 bits are only units that `out_of_range` refused, and what nulls hide.
        let scaled = |per: i64| move |x: i64| Some(key_of_i64(x.wrapping_mul(per)));
        match &self.arrow {
            DataType::Boolean => self.truths(),
            DataType::Int8 => self.keys::<Int8Type>(|x| int(x.into())),
            DataType::Int16 => self.keys::<Int16Type>(|x| int(x.into())),
            DataType::Int32 => self.keys::<Int32Type>(|x| int(x.into())),
            DataType::Int64 => self.keys::<Int64Type>(int),
            DataType::UInt8 => self.keys::<UInt8Type>(|x| int(x.into())),
            DataType::UInt16 => self.keys::<UInt16Type>(|x| int(x.into())),
            DataType::UInt32 => self.keys::<UInt32Type>(|x| int(x.into())),
            DataType::UInt64 => self.keys::<UInt64Type>(Some),
            DataType::Float16 => self.keys::<Float16Type>(key_of_f16),
            DataType::Float32 => self.keys::<Float32Type>(key_of_f32),
            DataType::Float64 => self.keys::<Float64Type>(key_of_f64),
            DataType::Decimal32(..) => self.wide::<Decimal32Type>(i128::from),
            DataType::Decimal64(..) => self.wide::<Decimal64Type>(i128::from),
            DataType::Decimal128(..) => self.wide::<Decimal128Type>(|x| x),
            DataType::Decimal256(..) => self.wide::<Decimal256Type>(|x| x.as_i128()),
            DataType::Date32 => self.keys::<Date32Type>(|x| int(x.into())),
            DataType::Date64 => self.keys::<Date64Type>(int),
            DataType::Timestamp(Second, _) => self.keys::<TimestampSecondType>(scaled(1_000)),
            DataType::Timestamp(Millisecond, _) => self.keys::<TimestampMillisecondType>(int),
            DataType::Timestamp(Microsecond, _) => self.keys::<TimestampMicrosecondType>(int),
            DataType::Timestamp(Nanosecond, _) => self.keys::<TimestampNanosecondType>(int),
            DataType::Duration(Second) => self.keys::<DurationSecondType>(scaled(1_000)),
            DataType::Duration(Millisecond) => self.keys::<DurationMillisecondType>(int),
            DataType::Duration(Microsecond) => self.keys::<DurationMicrosecondType>(int),
            DataType::Duration(Nanosecond) => self.keys::<DurationNanosecondType>(int),
            DataType::Time32(Second) => {
                self.keys::<Time32SecondType>(|x| scaled(1_000_000_000)(x.into()))
            }
            DataType::Time32(_) => {
                self.keys::<Time32MillisecondType>(|x| scaled(1_000_000)(x.into()))
            }
            DataType::Time64(Microsecond) => self.keys::<Time64MicrosecondType>(scaled(1_000)),
            DataType::Time64(_) => self.keys::<Time64NanosecondType>(int),
            DataType::Utf8 => self.texts(|chunk| TextChunk(chunk.as_string::<i32>())),
            DataType::LargeUtf8 => self.texts(|chunk| TextChunk(chunk.as_string::<i64>())),
            DataType::Utf8View => self.texts(|chunk| TextChunk(chunk.as_string_view())),
            DataType::Dictionary(..) => {
                let (values, places) = self.dictionaries();
                values.cells().gather(places.iter().copied())
            }
            // Null; `dtype_of` takes no other.
            _ => ColumnData::Missing(self.len()),
        }
    }

    fn n_rows(&self) -> usize {
        self.len()
    }

    fn numbers<'a>(&'a self, rows: Range<usize>, room: &'a mut Vec<f64>) -> Option<&'a [f64]> {
        // Scoring goes batch by batch.
        let [chunk] = &self.chunks[..] else { return None };
        match &self.arrow {
            DataType::Float64 if chunk.null_count() == 0 => {
                return chunk.as_primitive::<Float64Type>().values().get(rows);
            }
            DataType::Float64 => write::<Float64Type>(chunk, rows, room, |x| x),
            DataType::Float32 => write::<Float32Type>(chunk, rows, room, f64::from),
            DataType::Int8 => write::<Int8Type>(chunk, rows, room, f64::from),
            DataType::Int16 => write::<Int16Type>(chunk, rows, room, f64::from),
            DataType::Int32 => write::<Int32Type>(chunk, rows, room, f64::from),
            DataType::Int64 => write::<Int64Type>(chunk, rows, room, |x| x as f64),
            DataType::UInt8 => write::<UInt8Type>(chunk, rows, room, f64::from),
            DataType::UInt16 => write::<UInt16Type>(chunk, rows, room, f64::from),
            DataType::UInt32 => write::<UInt32Type>(chunk, rows, room, f64::from),
            DataType::UInt64 => write::<UInt64Type>(chunk, rows, room, |x| x as f64),
            DataType::Date32 => write::<Date32Type>(chunk, rows, room, f64::from),
            // What is rarer takes the way over its cells.
            _ => return None,
        }
        Some(room)
    }
}

/// Writes the numbers of some rows, NaN for nulls.
fn write<T: ArrowPrimitiveType>(
    chunk: &ArrayRef,
    rows: Range<usize>,
    room: &mut Vec<f64>,
    number: impl Fn(T::Native) -> f64,
) {
    room.clear();
    let values = chunk.as_primitive::<T>().values();
    room.extend(values[rows.clone()].iter().map(|&value| number(value)));
    if let Some(nulls) = chunk.nulls().filter(|nulls| nulls.null_count() > 0) {
        for (room, row) in room.iter_mut().zip(rows) {
            if nulls.is_null(row) {
                *room = f64::NAN;
            }
        }
    }
}

impl BatchColumn {
    /// Keys of a numeric column; a null, or a value without a key (NaN), is missing.
    fn keys<T: ArrowPrimitiveType>(&self, key: impl Fn(T::Native) -> Option<u64>) -> ColumnData {
        let mut missing = self.nulls();
        let mut keys = Vec::with_capacity(self.len());
        for &value in self.chunks.iter().flat_map(|chunk| chunk.as_primitive::<T>().values()) {
            let key = key(value);
            if key.is_none() {
                // Most columns have no missing value and no mask.
                missing.get_or_insert_with(|| vec![false; self.len()])[keys.len()] = true;
            }
            keys.push(key.unwrap_or(0));
        }
        ColumnData::Keys(keys, missing)
    }

    fn wide<T: ArrowPrimitiveType>(&self, key: impl Fn(T::Native) -> i128) -> ColumnData {
        let values = self.chunks.iter().flat_map(|chunk| chunk.as_primitive::<T>().values());
        ColumnData::Wide(values.map(|&value| key(value)).collect(), self.nulls())
    }

    fn truths(&self) -> ColumnData {
        let truths = self.chunks.iter().flat_map(|chunk| chunk.as_boolean().iter());
        let ids = truths.map(|b| b.map_or(MISSING, u32::from)).collect();
        ColumnData::Text(ids, vec!["false".to_string(), "true".to_string()])
    }

    /// `of_chunk` is what to number of a chunk.
    fn texts<'a, T: Texts<'a>>(&'a self, of_chunk: impl Fn(&'a ArrayRef) -> T) -> ColumnData {
        let mut numbering = Interner::new(self.len());
        self.chunks.iter().for_each(|chunk| numbering.add(&of_chunk(chunk)));
        numbering.cells()
    }

    fn nulls(&self) -> Option<Vec<bool>> {
        if self.chunks.iter().all(|chunk| chunk.null_count() == 0) {
            return None;
        }
        let mut nulls = Vec::with_capacity(self.len());
        for chunk in &self.chunks {
            match chunk.nulls() {
                Some(valid) => nulls.extend(valid.iter().map(|valid| !valid)),
                None => nulls.resize(nulls.len() + chunk.len(), false),
            }
        }
        Some(nulls)
    }

    /// The values of the dictionaries, one dictionary after the other, and each row's place
    /// among them; `None` for nulls. Batches that share a dictionary share its values.
    fn dictionaries(&self) -> (BatchColumn, Vec<Option<usize>>) {
        let mut values: Vec<ArrayRef> = Vec::new();
        let mut places = Vec::with_capacity(self.len());
        let (mut start, mut end) = (0, 0);
        for chunk in &self.chunks {
            let dictionary = chunk.as_any_dictionary();
            if dictionary.values().is_empty() {
                // All keys are null.
                places.resize(places.len() + chunk.len(), None);
                continue;
            }
            if values.last().is_none_or(|last| !Arc::ptr_eq(last, dictionary.values())) {
                values.push(dictionary.values().clone());
                (start, end) = (end, end + dictionary.values().len());
            }
            let keys = dictionary.normalized_keys();
            let valid = |row: usize| chunk.is_valid(row);
            places
                .extend(keys.iter().enumerate().map(|(row, key)| valid(row).then(|| start + key)));
        }
        let arrow = match &self.arrow {
            DataType::Dictionary(_, values) => values.as_ref().clone(),
            other => other.clone(),
        };
        let column =
            BatchColumn { name: String::new(), dtype: self.dtype.clone(), arrow, chunks: values };
        (column, places)
    }
}
