//! What values are to programs that know numbers and text alone.

use crate::data::dtype::{DType, TimeUnit};

/// What a value of a column is.
pub(super) fn cells(dtype: &DType) -> String {
    let of_unit = |unit: &TimeUnit| match unit {
        TimeUnit::Nanoseconds => "nanoseconds",
        TimeUnit::Microseconds => "microseconds",
        TimeUnit::Milliseconds => "milliseconds",
    };
    match dtype {
        DType::Decimal { scale, .. } => format!("the value times 10^{scale}"),
        DType::Date => "days since 1970-01-01".to_string(),
        DType::Datetime { unit, zone } => {
            let zone = if zone.is_some() { " UTC" } else { "" };
            format!("{} since 1970-01-01 00:00{zone}", of_unit(unit))
        }
        DType::Duration { unit } => of_unit(unit).to_string(),
        DType::Time => "nanoseconds since midnight".to_string(),
        dtype if dtype.is_float() => "the value, NaN where it is missing".to_string(),
        _ => "the value".to_string(),
    }
}
