//! Arrow's dtypes and the engine's.

use arrow::datatypes::{DataType, TimeUnit as ArrowUnit};

use crate::data::dtype::{DType, TimeUnit};

pub(super) const MAX_DIGITS: u8 = 38;

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
