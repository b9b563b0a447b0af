//! Arrow's dtypes and the engine's.

use std::collections::HashMap;

use arrow_schema::{DataType, Field, TimeUnit as ArrowUnit};

use crate::data::dtype::{DType, TimeUnit};

pub(super) const MAX_DIGITS: u8 = 38;

/// The key of a field's metadata that says of a decimal without a scale that it is a 128-bit
/// integer, which Arrow does not have: `i128` or `u128`. The bits of a `Decimal128` are those of
/// the integer.
pub const INTEGER_KEY: &str = "gaintree.integer";

/// The key by which Polars says the categories of an Enum, in order: of each its length in bytes, a
/// semicolon, and its text.
const ENUM_KEY: &str = "_PL_ENUM_VALUES2";

/// The engine's dtype of a field: by its metadata, or else by its Arrow type.
pub(crate) fn dtype_of_field(field: &Field) -> Option<DType> {
    let metadata = |key| field.metadata().get(key).map(String::as_str);
    let by_metadata = match field.data_type() {
        DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0) => match metadata(INTEGER_KEY) {
            Some("i128") => Some(DType::I128),
            Some("u128") => Some(DType::U128),
            _ => None,
        },
        DataType::Dictionary(..) => metadata(ENUM_KEY).and_then(enum_of),
        _ => None,
    };
    by_metadata.or_else(|| dtype_of_arrow(field.data_type()))
}

/// What a field of a dtype has to say beside its Arrow type.
pub(super) fn metadata_of(dtype: &DType) -> HashMap<String, String> {
    let metadata = match dtype {
        DType::I128 | DType::U128 => Some((INTEGER_KEY, dtype.to_string())),
        DType::Enum { categories } => {
            let texts = categories.iter().map(|text| format!("{};{text}", text.len()));
            Some((ENUM_KEY, texts.collect()))
        }
        _ => None,
    };
    metadata.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

/// The Enum of the categories that Polars wrote; `None` of another text.
fn enum_of(mut text: &str) -> Option<DType> {
    let mut categories = Vec::new();
    while !text.is_empty() {
        let (length, rest) = text.split_once(';')?;
        let (category, rest) = rest.split_at_checked(length.parse().ok()?)?;
        categories.push(category.to_string());
        text = rest;
    }
    Some(DType::Enum { categories })
}

/// The dtype of a field by the name that messages have for it.
pub(super) fn name_of(field: &Field) -> String {
    match field.data_type() {
        DataType::List(item) | DataType::LargeList(item) | DataType::ListView(item) => {
            format!("list[{}]", name_of(item))
        }
        DataType::FixedSizeList(item, length) => format!("array[{}, {length}]", name_of(item)),
        DataType::Struct(fields) => format!("struct[{}]", fields.len()),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => "binary".to_string(),
        other => dtype_of_field(field).map_or_else(|| other.to_string(), |it| it.to_string()),
    }
}

/// The engine's dtype of an Arrow type; `None` if columns of it have neither order nor levels.
pub fn dtype_of_arrow(arrow: &DataType) -> Option<DType> {
    let unit = |unit: &ArrowUnit| match unit {
        ArrowUnit::Second | ArrowUnit::Millisecond => TimeUnit::Milliseconds,
        ArrowUnit::Microsecond => TimeUnit::Microseconds,
        ArrowUnit::Nanosecond => TimeUnit::Nanoseconds,
    };
    let decimal = |precision: u8, scale: i8| {
        // Negative scales have no DType.
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
        // Dates in milliseconds.
        DataType::Date64 => DType::Datetime { unit: TimeUnit::Milliseconds, zone: None },
        DataType::Timestamp(u, zone) => {
            DType::Datetime { unit: unit(u), zone: zone.as_ref().map(|z| z.to_string()) }
        }
        DataType::Duration(u) => DType::Duration { unit: unit(u) },
        DataType::Time32(_) | DataType::Time64(_) => DType::Time,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DType::String,
        DataType::Dictionary(_, values) => match dtype_of_arrow(values)? {
            DType::String => DType::Categorical,
            DType::Categorical => return None,
            dtype => dtype,
        },
        _ => return None,
    })
}

/// The Arrow type of dates, times and durations; `None` of any other dtype.
pub(super) fn type_of_times(dtype: &DType) -> Option<DataType> {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Milliseconds => ArrowUnit::Millisecond,
        TimeUnit::Microseconds => ArrowUnit::Microsecond,
        TimeUnit::Nanoseconds => ArrowUnit::Nanosecond,
    };
    match dtype {
        DType::Date => Some(DataType::Date32),
        DType::Datetime { unit: u, zone } => {
            Some(DataType::Timestamp(unit(u), zone.as_deref().map(Into::into)))
        }
        DType::Duration { unit: u } => Some(DataType::Duration(unit(u))),
        DType::Time => Some(DataType::Time64(ArrowUnit::Nanosecond)),
        _ => None,
    }
}
