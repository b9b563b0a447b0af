//! ClickHouse.

use super::{Engine, Literal, Use, with_exponent};
use crate::data::dtype::{DType, Kind};
use crate::tree::Feature;

pub(in crate::export::sql) struct ClickHouse;

impl Engine for ClickHouse {
    fn quoted(&self, name: &str) -> String {
        format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
    }

    /// `IN` tells -0.0 from 0.0; a sum with 0.0 is never -0.0.
    fn operand(&self, feature: &Feature, name: &str) -> String {
        match feature.dtype.is_float() && feature.kind == Kind::Nominal {
            true => format!("({name} + 0e0)"),
            false => name.to_string(),
        }
    }

    fn is_nan(&self, name: &str) -> Option<String> {
        Some(format!("isNaN({name})"))
    }

    /// In single quotes a backslash escapes.
    fn text(&self, text: &str) -> String {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
    }

    /// A number, as `toFloat64` of a text may be a neighbour of the float.
    fn float(&self, x: f64, text: &str) -> String {
        match x.is_finite() {
            true => with_exponent(text),
            false => text.replace("Infinity", "inf"),
        }
    }

    /// A number of more than 64 bits would be read as a float.
    fn wide_integer(&self, digits: &str, dtype: &DType) -> Literal {
        Ok(match dtype {
            DType::U64 => digits.to_string(),
            DType::U128 => format!("toUInt128('{digits}')"),
            _ => format!("toInt128('{digits}')"),
        })
    }

    fn decimal(&self, digits: &str, _precision: usize, scale: usize) -> Literal {
        Ok(format!("toDecimal128('{digits}', {scale})"))
    }

    fn date(&self, text: &str) -> String {
        format!("toDate32('{text}')")
    }

    /// A time without a zone is taken as of UTC.
    fn timestamp(&self, text: &str, _zoned: bool, nanoseconds: bool) -> String {
        let digits = if nanoseconds { 9 } else { 6 };
        format!("toDateTime64('{text}', {digits}, 'UTC')")
    }

    fn time(&self, text: &str, nanoseconds: bool) -> String {
        let digits = if nanoseconds { 9 } else { 6 };
        format!("toTime64('{text}', {digits})")
    }

    fn keeps_nanoseconds(&self, _dtype: &DType, is_between: bool, _how: Use) -> bool {
        is_between
    }
}
