//! Dtypes of columns that are read from text.

use std::collections::HashSet;

use chrono::{NaiveTime, Timelike};
use gaintree::engine;
use gaintree::engine::dtype::{DType, TimeUnit};
use polars::prelude::{
    Column, DataType, Expr, Field, IntoColumn, PlSmallStr, PolarsResult, Schema, StringChunked,
    TimeUnit as PlTimeUnit, TimeZone, polars_err,
};

use super::decimals::{decimal_of, decimals};

/// The dtypes that the text of a model's columns of these names is read with.
pub fn model_dtypes(schema: &engine::Schema, names: &[&str]) -> Schema {
    let features = schema.features.iter().map(|feature| (feature.name.as_str(), &feature.dtype));
    let columns = features.chain([(schema.target.as_str(), &schema.target_dtype)]);
    let names: HashSet<&str> = names.iter().copied().collect();
    text_dtypes(columns.filter(|(name, _)| names.contains(name)))
}

/// The dtypes to read the text of columns with, given the dtypes they were fitted or binned with.
pub fn text_dtypes<'a>(columns: impl Iterator<Item = (&'a str, &'a DType)>) -> Schema {
    let known = |(name, dtype)| Some((PlSmallStr::from_str(name), text_dtype(dtype)?));
    columns.filter_map(known).collect()
}

/// `None` leaves it to inference.
fn text_dtype(dtype: &DType) -> Option<DataType> {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Nanoseconds => PlTimeUnit::Nanoseconds,
        TimeUnit::Microseconds => PlTimeUnit::Microseconds,
        TimeUnit::Milliseconds => PlTimeUnit::Milliseconds,
    };
    Some(match dtype {
        DType::Boolean => DataType::Boolean,
        // Integers of all widths compare alike, and a new value may need a wider one.
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => DataType::Int64,
        DType::U8 | DType::U16 | DType::U32 => DataType::Int64,
        DType::U64 => DataType::UInt64,
        DType::I128 => DataType::Int128,
        DType::U128 => DataType::UInt128,
        DType::F16 => DataType::Float16,
        DType::F32 => DataType::Float32,
        DType::F64 => DataType::Float64,
        // A new value may have more digits, before the point or after it.
        DType::Decimal { scale, .. } => decimal_of(*scale),
        DType::Date => DataType::Date,
        DType::Time => DataType::Time,
        DType::Datetime { unit: u, zone } => {
            let zone = TimeZone::opt_try_new(zone.as_deref()).ok()?;
            readable(&DataType::Datetime(unit(u), zone))
        }
        // Categories are matched by their text.
        DType::String | DType::Categorical | DType::Enum { .. } => DataType::String,
        // Polars reads no durations from text. `DType` is non-exhaustive.
        DType::Null | DType::Duration { .. } | _ => return None,
    })
}

/// The dtype that values are worked on in: the same instants in UTC where Polars does not know their
/// zone, such as `+05:30`, and what an extension type is stored as.
pub(super) fn readable(dtype: &DataType) -> DataType {
    match dtype {
        DataType::Datetime(unit, Some(zone)) if zone.to_chrono().is_err() => {
            DataType::Datetime(*unit, Some(TimeZone::UTC))
        }
        DataType::Extension(_, storage) => readable(storage),
        other => other.clone(),
    }
}

/// The dtype that holds the values of both. From text, one file may have no fractions, or no
/// values, in a column that has some in another.
pub(super) fn common(a: &DataType, b: &DataType, from_text: bool) -> Option<DataType> {
    let whole = |d: &DataType| matches!(d, DataType::Int64 | DataType::Int128);
    match (a, b) {
        (a, b) if a == b => Some(a.clone()),
        (DataType::Null, d) | (d, DataType::Null) => Some(d.clone()),
        (a, b) if a.is_integer() && b.is_integer() => integer_of_both(a, b),
        (DataType::Float64, d) | (d, DataType::Float64) if from_text && whole(d) => {
            Some(DataType::Float64)
        }
        (DataType::Float64, d) | (d, DataType::Float64) if d.is_float() => Some(DataType::Float64),
        (DataType::Float32, d) | (d, DataType::Float32) if d.is_float() => Some(DataType::Float32),
        (DataType::Decimal(_, a), DataType::Decimal(_, b)) => Some(decimal_of(*a.max(b))),
        _ => None,
    }
}

fn integer_of_both(a: &DataType, b: &DataType) -> Option<DataType> {
    use DataType::{Int8, Int16, Int32, Int64, Int128, UInt8, UInt16, UInt32, UInt64, UInt128};
    // Two of each width.
    let all = [UInt8, Int8, UInt16, Int16, UInt32, Int32, UInt64, Int64, UInt128, Int128];
    let width = |dtype: &DataType| all.iter().position(|other| other == dtype).map(|at| at / 2);
    let holds = |wide: &DataType, d: &DataType| {
        let takes_sign = wide.is_signed_integer() || d.is_unsigned_integer();
        wide == d || takes_sign && width(d) < width(wide)
    };
    all.iter().find(|wide| holds(wide, a) && holds(wide, b)).cloned()
}

pub(super) fn cast_from_text(column: Expr, dtype: DataType) -> Expr {
    let cast = dtype.clone();
    column.map(
        move |column| cast_text(&column, &cast),
        move |_, field| Ok(Field::new(field.name().clone(), dtype.clone())),
    )
}

pub(super) fn cast_text(column: &Column, dtype: &DataType) -> PolarsResult<Column> {
    match dtype {
        DataType::Time => {
            // Polars parses times only with features that nothing else here needs.
            let nanoseconds = column.str()?.iter().map(|text| text.map(nanoseconds).transpose());
            let nanoseconds = nanoseconds.collect::<PolarsResult<Vec<Option<i64>>>>()?;
            Column::new(column.name().clone(), nanoseconds).cast(dtype)
        }
        DataType::Decimal(_, scale) => decimals(column, dtype, *scale),
        dtype if dtype.is_primitive_numeric() => {
            let texts = column.str()?.iter().map(|text| text.map(str::trim));
            let texts = texts.map(|text| text.filter(|text| !text.is_empty()));
            let texts: StringChunked = texts.collect();
            texts.with_name(column.name().clone()).into_column().strict_cast(dtype)
        }
        _ => column.strict_cast(dtype),
    }
}

/// Nanoseconds since midnight of `23:59:59.5`.
fn nanoseconds(text: &str) -> PolarsResult<i64> {
    let time = text.trim().parse::<NaiveTime>();
    let time = time.map_err(|_| polars_err!(ComputeError: "`{text}` is no time of day"))?;
    // A leap second is the last moment of its minute.
    let fraction = i64::from(time.nanosecond().min(999_999_999));
    Ok(i64::from(time.num_seconds_from_midnight()) * 1_000_000_000 + fraction)
}
