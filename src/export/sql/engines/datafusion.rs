//! DataFusion, and so Ballista: it compares by Arrow's types, which literals name.
//!
//! Floats are compared in the total order of IEEE 754: -0.0 is below 0.0, a NaN lies beyond the
//! infinity of its sign.

use super::Engine;
use crate::data::dtype::{DType, Kind, PhysicalType, TimeUnit, Value};
use crate::tree::Feature;

pub(in crate::export::sql) struct DataFusion;

impl Engine for DataFusion {
    /// Times come in units of their own (seconds, say): they are brought to the dtype's, as DataFusion
    /// would compare in the coarser of two.
    fn operand(&self, feature: &Feature, name: &str) -> String {
        let dtype = &feature.dtype;
        match time_type(dtype) {
            // DataFusion would take the cast away and cut the literal to the column's seconds.
            Some(arrow) if is_in_milliseconds(dtype) => {
                format!("CASE WHEN {name} IS NULL THEN NULL ELSE arrow_cast({name}, '{arrow}') END")
            }
            Some(arrow) => format!("arrow_cast({name}, '{arrow}')"),
            None if dtype.is_float() && feature.kind == Kind::Nominal => {
                let zero = double("-0.0");
                format!("CASE WHEN {name} = {zero} THEN {} ELSE {name} END", double("0.0"))
            }
            None if dtype.physical() == PhysicalType::F16 => {
                format!("arrow_cast({name}, 'Float64')")
            }
            None => name.to_string(),
        }
    }

    /// NaN of either sign.
    fn is_nan(&self, name: &str) -> Option<String> {
        let [above, below] = ["Infinity", "-Infinity"].map(double);
        Some(format!("({name} > {above} OR {name} < {below})"))
    }

    fn float(&self, _x: f64, text: &str) -> String {
        double(text)
    }

    /// Both zeros are at least the lower one, and neither is below it.
    fn cut_float(&self, x: f64, text: &str) -> String {
        if x == 0.0 { double("-0.0") } else { double(text) }
    }

    fn typed_integer(&self, dtype: &DType, value: &Value) -> Option<String> {
        let cast = |x: String, arrow: &str| format!("arrow_cast({x}, '{arrow}')");
        let digits = dtype.write(value);
        let wide = || cast(format!("'{digits}'"), "Decimal256(39, 0)");
        let Value::Int(x) = value else { return Some(wide()) };
        Some(match dtype {
            DType::Decimal { precision, scale } => {
                cast(format!("'{digits}'"), &format!("Decimal128({precision}, {scale})"))
            }
            DType::Date => cast(cast(x.to_string(), "Int32"), "Date32"),
            DType::U64 => cast(format!("'{digits}'"), "UInt64"),
            _ => match (time_type(dtype), i64::try_from(*x)) {
                (Some(arrow), _) => cast(x.to_string(), &arrow),
                (None, Ok(x)) => x.to_string(),
                (None, Err(_)) => wide(),
            },
        })
    }
}

fn double(text: &str) -> String {
    format!("CAST('{text}' AS DOUBLE)")
}

fn is_in_milliseconds(dtype: &DType) -> bool {
    matches!(dtype, DType::Datetime { unit: TimeUnit::Milliseconds, .. })
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
