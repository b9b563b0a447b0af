//! Polars columns as the engine reads them: a dtype matched once, then typed loops.

use std::ops::Range;

use polars::prelude::{
    CategoricalPhysical, Categories, ChunkedArray, Column as PlColumn, DataType, Float64Chunked,
    FrozenCategories, Int128Chunked, IntoSeries, NamedFrom, PolarsNumericType, Series,
    TimeUnit as PlTimeUnit, TimeZone, UInt128Chunked,
};

use super::{polars_error, texts};
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::{
    DType, TimeUnit, Value, key_of_f16, key_of_f32, key_of_f64, key_of_i64, wide_key_of_u128,
};
use crate::error::Result;

/// A column of a DataFrame whose dtype the engine knows.
#[derive(Clone, Debug)]
pub(crate) struct FrameColumn {
    name: String,
    dtype: DType,
    series: Series,
}

impl FrameColumn {
    /// `None` where the dtype is a list, a struct, binary or the like.
    pub(crate) fn new(column: &PlColumn) -> Option<FrameColumn> {
        let dtype = dtype_of(column.dtype())?;
        let series = column.as_materialized_series().clone();
        Some(FrameColumn { name: column.name().to_string(), dtype, series })
    }
}

/// The engine's dtype for a Polars one.
pub(crate) fn dtype_of(dtype: &DataType) -> Option<DType> {
    let unit = |unit: &PlTimeUnit| match unit {
        PlTimeUnit::Nanoseconds => TimeUnit::Nanoseconds,
        PlTimeUnit::Microseconds => TimeUnit::Microseconds,
        PlTimeUnit::Milliseconds => TimeUnit::Milliseconds,
    };
    Some(match dtype {
        DataType::Null => DType::Null,
        DataType::Boolean => DType::Boolean,
        DataType::Int8 => DType::I8,
        DataType::Int16 => DType::I16,
        DataType::Int32 => DType::I32,
        DataType::Int64 => DType::I64,
        DataType::Int128 => DType::I128,
        DataType::UInt8 => DType::U8,
        DataType::UInt16 => DType::U16,
        DataType::UInt32 => DType::U32,
        DataType::UInt64 => DType::U64,
        DataType::UInt128 => DType::U128,
        DataType::Float16 => DType::F16,
        DataType::Float32 => DType::F32,
        DataType::Float64 => DType::F64,
        DataType::Decimal(precision, scale) => {
            DType::Decimal { precision: *precision, scale: *scale }
        }
        DataType::Date => DType::Date,
        DataType::Datetime(u, zone) => {
            DType::Datetime { unit: unit(u), zone: zone.as_ref().map(|z| z.to_string()) }
        }
        DataType::Duration(u) => DType::Duration { unit: unit(u) },
        DataType::Time => DType::Time,
        DataType::String => DType::String,
        DataType::Categorical(..) => DType::Categorical,
        DataType::Enum(categories, _) => DType::Enum {
            categories: categories.categories().values_iter().map(str::to_string).collect(),
        },
        _ => return None,
    })
}

/// The Polars dtype for one of the engine's; a categorical is of the global categories.
pub(crate) fn polars_dtype(dtype: &DType) -> DataType {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Nanoseconds => PlTimeUnit::Nanoseconds,
        TimeUnit::Microseconds => PlTimeUnit::Microseconds,
        TimeUnit::Milliseconds => PlTimeUnit::Milliseconds,
    };
    match dtype {
        DType::Null => DataType::Null,
        DType::Boolean => DataType::Boolean,
        DType::I8 => DataType::Int8,
        DType::I16 => DataType::Int16,
        DType::I32 => DataType::Int32,
        DType::I64 => DataType::Int64,
        DType::I128 => DataType::Int128,
        DType::U8 => DataType::UInt8,
        DType::U16 => DataType::UInt16,
        DType::U32 => DataType::UInt32,
        DType::U64 => DataType::UInt64,
        DType::U128 => DataType::UInt128,
        DType::F16 => DataType::Float16,
        DType::F32 => DataType::Float32,
        DType::F64 => DataType::Float64,
        DType::Decimal { precision, scale } => DataType::Decimal(*precision, *scale),
        DType::Date => DataType::Date,
        DType::Datetime { unit: u, zone } => {
            // A zone that Polars does not know is left out: the times are the same.
            let zone = zone.as_deref().and_then(|z| TimeZone::opt_try_new(Some(z)).ok().flatten());
            DataType::Datetime(unit(u), zone)
        }
        DType::Duration { unit: u } => DataType::Duration(unit(u)),
        DType::Time => DataType::Time,
        DType::String => DataType::String,
        DType::Categorical => DataType::from_categories(Categories::global()),
        DType::Enum { categories } => {
            // Categories of a tree are distinct, so there is nothing they could be refused for.
            match FrozenCategories::new(categories.iter().map(String::as_str)) {
                Ok(categories) => DataType::from_frozen_categories(categories),
                Err(_) => DataType::String,
            }
        }
    }
}

/// Values of one dtype as a column of its Polars dtype.
pub(crate) fn values_as<'v>(
    name: &str,
    own: &DType,
    dtype: &DataType,
    values: impl Iterator<Item = &'v Value> + Clone,
) -> Result<PlColumn> {
    let float = |v: &Value| if let Value::Float(x) = v { *x } else { f64::NAN };
    let int = |v: &Value| if let Value::Int(x) = v { *x } else { 0 };
    let unsigned = |v: &Value| if let Value::Unsigned(x) = v { *x } else { 0 };
    let text = |v: &Value| if let Value::Text(x) = v { x.clone() } else { String::new() };
    let ints = || Int128Chunked::from_vec(name.into(), values.clone().map(int).collect());
    let (series, via) = match own {
        DType::Decimal { precision, scale } => {
            return Ok(ints().into_decimal_unchecked(*precision, *scale).into_series().into());
        }
        DType::Boolean => {
            let truths: Vec<bool> = values.map(|v| text(v) == "true").collect();
            (Series::new(name.into(), truths), DataType::Boolean)
        }
        DType::U128 => {
            let values = values.map(unsigned).collect();
            (UInt128Chunked::from_vec(name.into(), values).into_series(), DataType::UInt128)
        }
        d if d.is_float() => {
            (Series::new(name.into(), values.map(float).collect::<Vec<_>>()), DataType::Float64)
        }
        d if d.is_text() => {
            (Series::new(name.into(), values.map(text).collect::<Vec<_>>()), DataType::String)
        }
        _ => (ints().into_series(), dtype.to_physical()),
    };
    // Dates and times are cast from the integers behind them.
    let cast = series.cast(&via).and_then(|s| s.cast(dtype)).map_err(polars_error)?;
    Ok(cast.into())
}

impl Source for FrameColumn {
    fn name(&self) -> &str {
        &self.name
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        let physical = self.series.to_physical_repr();
        let n = self.series.len();
        let cells = match &self.dtype {
            DType::Null => None,
            DType::Boolean => physical.bool().ok().map(|ca| {
                let ids = ca.iter().map(|b| b.map_or(MISSING, u32::from)).collect();
                ColumnData::Text(ids, vec!["false".to_string(), "true".to_string()])
            }),
            DType::String => physical.str().ok().map(texts::cells),
            DType::Categorical | DType::Enum { .. } => self.categories(),
            DType::I8 => physical.i8().ok().map(|ca| keys(ca, |x| Some(key_of_i64(x.into())))),
            DType::I16 => physical.i16().ok().map(|ca| keys(ca, |x| Some(key_of_i64(x.into())))),
            DType::I32 | DType::Date => {
                physical.i32().ok().map(|ca| keys(ca, |x| Some(key_of_i64(x.into()))))
            }
            DType::I64 | DType::Datetime { .. } | DType::Duration { .. } | DType::Time => {
                physical.i64().ok().map(|ca| keys(ca, |x| Some(key_of_i64(x))))
            }
            DType::U8 => physical.u8().ok().map(|ca| keys(ca, |x| Some(key_of_i64(x.into())))),
            DType::U16 => physical.u16().ok().map(|ca| keys(ca, |x| Some(key_of_i64(x.into())))),
            DType::U32 => physical.u32().ok().map(|ca| keys(ca, |x| Some(key_of_i64(x.into())))),
            DType::U64 => physical.u64().ok().map(|ca| keys(ca, Some)),
            DType::F16 => physical.f16().ok().map(|ca| keys(ca, |x| key_of_f16(x.0))),
            DType::F32 => physical.f32().ok().map(|ca| keys(ca, key_of_f32)),
            DType::F64 => physical.f64().ok().map(|ca| keys(ca, key_of_f64)),
            DType::I128 | DType::Decimal { .. } => physical.i128().ok().map(|ca| wide(ca, |x| x)),
            DType::U128 => physical.u128().ok().map(|ca| wide(ca, wide_key_of_u128)),
        };
        // The physical type follows from the dtype, so there are cells for all but Null.
        cells.unwrap_or(ColumnData::Missing(n))
    }

    fn n_rows(&self) -> usize {
        self.series.len()
    }

    fn numbers<'a>(&'a self, rows: Range<usize>, room: &'a mut Vec<f64>) -> Option<&'a [f64]> {
        if let DType::F64 = self.dtype {
            let ca = self.series.f64().ok()?;
            if let Some(numbers) = contiguous(ca, &rows) {
                return Some(numbers);
            }
        }
        room.clear();
        room.reserve(rows.len());
        let physical = self.series.to_physical_repr();
        match &self.dtype {
            DType::F64 => write(physical.f64().ok()?, rows, room, |x| x),
            DType::F32 => write(physical.f32().ok()?, rows, room, f64::from),
            DType::F16 => write(physical.f16().ok()?, rows, room, |x| x.0.to_f64()),
            DType::I8 => write(physical.i8().ok()?, rows, room, f64::from),
            DType::I16 => write(physical.i16().ok()?, rows, room, f64::from),
            DType::I32 | DType::Date => write(physical.i32().ok()?, rows, room, f64::from),
            DType::I64 | DType::Datetime { .. } | DType::Duration { .. } | DType::Time => {
                write(physical.i64().ok()?, rows, room, |x| x as f64)
            }
            DType::U8 => write(physical.u8().ok()?, rows, room, f64::from),
            DType::U16 => write(physical.u16().ok()?, rows, room, f64::from),
            DType::U32 => write(physical.u32().ok()?, rows, room, f64::from),
            DType::U64 => write(physical.u64().ok()?, rows, room, |x| x as f64),
            _ => return None,
        }
        Some(room)
    }
}

/// The values of some rows, where they lie in one chunk and none is null.
fn contiguous<'a>(ca: &'a Float64Chunked, rows: &Range<usize>) -> Option<&'a [f64]> {
    let mut start = 0;
    for chunk in ca.downcast_iter() {
        if rows.start < start + chunk.len() || rows.is_empty() {
            let here = chunk.values().get(rows.start - start..rows.end - start)?;
            return chunk.validity().is_none_or(|v| v.unset_bits() == 0).then_some(here);
        }
        start += chunk.len();
    }
    None
}

/// Makes NaN of the numbers that are not known; their bits start at the `start`-th. Without a
/// branch a number, for where some are null nobody foresees which: 15 % off the scoring of such a
/// frame.
fn erase(numbers: &mut [f64], known: &[u8], start: usize) {
    for (numbers, at) in numbers.chunks_mut(8).zip((start..).step_by(8)) {
        let bytes = [at / 8, at / 8 + 1].map(|i| known.get(i).copied().unwrap_or(0));
        let unknown = !(u16::from_le_bytes(bytes) >> (at % 8));
        for (i, x) in numbers.iter_mut().enumerate() {
            let all_or_none = 0u64.wrapping_sub(u64::from(unknown >> i & 1));
            *x = f64::from_bits(x.to_bits() | all_or_none);
        }
    }
}

/// Writes the numbers of some rows, NaN for nulls.
fn write<T: PolarsNumericType>(
    ca: &ChunkedArray<T>,
    rows: Range<usize>,
    room: &mut Vec<f64>,
    number: impl Fn(T::Native) -> f64,
) {
    let mut start = 0;
    for chunk in ca.downcast_iter() {
        let end = start + chunk.len();
        let (from, to) = (rows.start.max(start), rows.end.min(end));
        if from < to {
            let (from, to) = (from - start, to - start);
            let before = room.len();
            room.extend(chunk.values()[from..to].iter().map(|&value| number(value)));
            if let Some(known) = chunk.validity().filter(|v| v.unset_bits() > 0) {
                let (bits, offset, _) = known.as_slice();
                erase(&mut room[before..], bits, offset + from);
            }
        }
        start = end;
    }
}

impl FrameColumn {
    /// Physical codes are only a dictionary here: levels are matched by their text.
    fn categories(&self) -> Option<ColumnData> {
        let (mapping, physical) = match self.series.dtype() {
            DataType::Categorical(categories, mapping) => (mapping, categories.physical()),
            DataType::Enum(categories, mapping) => (mapping, categories.physical()),
            _ => return None,
        };
        let codes = self.series.to_physical_repr();
        let ids: Vec<u32> = match physical {
            CategoricalPhysical::U8 => ids_of(codes.u8().ok()?.iter()),
            CategoricalPhysical::U16 => ids_of(codes.u16().ok()?.iter()),
            CategoricalPhysical::U32 => ids_of(codes.u32().ok()?.iter()),
        };
        let n_texts = ids.iter().filter(|&&id| id != MISSING).max().map_or(0, |&id| id + 1);
        // Unused categories are no level; what stands in for them is never read.
        let texts = (0..n_texts).map(|id| mapping.cat_to_str(id).unwrap_or("").to_string());
        Some(ColumnData::Text(ids, texts.collect()))
    }
}

fn ids_of<T: Into<u32>>(codes: impl Iterator<Item = Option<T>>) -> Vec<u32> {
    codes.map(|code| code.map_or(MISSING, Into::into)).collect()
}

/// Keys of a numeric column; a null, or a value without a key (NaN), is missing.
fn keys<T: PolarsNumericType>(
    ca: &ChunkedArray<T>,
    key: impl Fn(T::Native) -> Option<u64>,
) -> ColumnData {
    let mut missing = nulls(ca);
    let mut keys = Vec::with_capacity(ca.len());
    for value in ca.downcast_iter().flat_map(|chunk| chunk.values().iter()) {
        let key = key(*value);
        if key.is_none() {
            // Most columns have no missing value and no mask.
            missing.get_or_insert_with(|| vec![false; ca.len()])[keys.len()] = true;
        }
        keys.push(key.unwrap_or(0));
    }
    ColumnData::Keys(keys, missing)
}

fn wide<T: PolarsNumericType>(ca: &ChunkedArray<T>, key: impl Fn(T::Native) -> i128) -> ColumnData {
    let values = ca.downcast_iter().flat_map(|chunk| chunk.values().iter());
    ColumnData::Wide(values.map(|&value| key(value)).collect(), nulls(ca))
}

fn nulls<T: PolarsNumericType>(ca: &ChunkedArray<T>) -> Option<Vec<bool>> {
    (ca.null_count() > 0).then(|| ca.is_null().iter().map(|null| null == Some(true)).collect())
}
