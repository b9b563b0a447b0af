//! Trino.

use super::{Engine, Literal, Use, of_38_digits};
use crate::data::dtype::DType;

pub(in crate::export::sql) struct Trino;

impl Engine for Trino {
    /// Quotes around a name do not make its case count.
    fn compared_name(&self, name: &str) -> String {
        name.to_lowercase()
    }

    fn is_nan(&self, name: &str) -> Option<String> {
        Some(format!("is_nan({name})"))
    }

    fn float(&self, _x: f64, text: &str) -> String {
        format!("DOUBLE '{text}'")
    }

    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        of_38_digits(digits).map(|digits| format!("DECIMAL '{digits}'"))
    }

    fn decimal(&self, digits: &str, _precision: usize, _scale: usize) -> Literal {
        Ok(format!("DECIMAL '{digits}'"))
    }

    fn timestamp(&self, text: &str, zoned: bool, _nanoseconds: bool) -> String {
        let zone = if zoned { " UTC" } else { "" };
        format!("TIMESTAMP '{text}{zone}'")
    }

    /// A literal is as fine as its digits.
    fn keeps_nanoseconds(&self, _dtype: &DType, is_between: bool, _how: Use) -> bool {
        is_between
    }
}
