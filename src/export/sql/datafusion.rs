//! Values and columns as DataFusion compares them: by Arrow's types, which literals name.
//!
//! Floats are compared in the total order of IEEE 754: -0.0 is below 0.0, a NaN lies beyond the
//! infinity of its sign.

use crate::data::dtype::{DType, Kind, PhysicalType, TimeUnit, Value};
use crate::tree::Feature;

/// The literal of an integer of any meaning, of the Arrow type of its dtype.
pub(super) fn integer(dtype: &DType, value: &Value) -> String {
    let cast = |x: String, arrow: &str| format!("arrow_cast({x}, '{arrow}')");
    let digits = dtype.write(value);
    let x = match value {
        Value::Int(x) => *x,
        _ => return cast(format!("'{digits}'"), "Decimal256(39, 0)"),
    };
    match dtype {
        DType::Decimal { precision, scale } => {
            cast(format!("'{digits}'"), &format!("Decimal128({precision}, {scale})"))
        }
        DType::Date => cast(cast(x.to_string(), "Int32"), "Date32"),
        DType::U64 => cast(format!("'{digits}'"), "UInt64"),
        _ => match (time_type(dtype), i64::try_from(x)) {
            (Some(arrow), _) => cast(x.to_string(), &arrow),
            (None, Ok(x)) => x.to_string(),
            (None, Err(_)) => cast(format!("'{digits}'"), "Decimal256(39, 0)"),
        },
    }
}

/// The lower of the zeros: both are at least this, and neither is below it.
pub(super) fn lower_zero() -> String {
    float("-0.0")
}

/// The column, as it is compared. Times come in units of their own (seconds, say): they are brought
/// to the dtype's, as DataFusion would compare in the coarser of two.
pub(super) fn operand(feature: &Feature, name: &str) -> String {
    let dtype = &feature.dtype;
    match time_type(dtype) {
        // DataFusion would take the cast away and cut the literal to the column's seconds.
        Some(arrow) if matches!(dtype, DType::Datetime { unit: TimeUnit::Milliseconds, .. }) => {
            format!("CASE WHEN {name} IS NULL THEN NULL ELSE arrow_cast({name}, '{arrow}') END")
        }
        Some(arrow) => format!("arrow_cast({name}, '{arrow}')"),
        None if dtype.is_float() && feature.kind == Kind::Nominal => {
            let zero = float("-0.0");
            format!("CASE WHEN {name} = {zero} THEN {} ELSE {name} END", float("0.0"))
        }
        None if dtype.physical() == PhysicalType::F16 => format!("arrow_cast({name}, 'Float64')"),
        None => name.to_string(),
    }
}

/// A condition for NaN, of either sign; null for null.
pub(super) fn is_nan(name: &str) -> String {
    format!("({name} > {} OR {name} < {})", float("Infinity"), float("-Infinity"))
}

pub(super) fn float(text: &str) -> String {
    format!("CAST('{text}' AS DOUBLE)")
}

fn time_type(dtype: &DType) -> Option<String> {
    let name = |unit: TimeUnit| match unit {
        TimeUnit::Nanoseconds => "Nanosecond",
        TimeUnit::Microseconds => "Microsecond",
        TimeUnit::Milliseconds => "Millisecond",
    };
    match dtype {
        DType::Datetime { unit, zone: None } => Some(format!("Timestamp({}, None)", name(*unit))),
        DType::Datetime { unit, zone: Some(zone) } => {
            Some(format!("Timestamp({}, Some(\"{zone}\"))", name(*unit)))
        }
        DType::Time => Some("Time64(Nanosecond)".to_string()),
        DType::Duration { unit } => Some(format!("Duration({})", name(*unit))),
        _ => None,
    }
}
