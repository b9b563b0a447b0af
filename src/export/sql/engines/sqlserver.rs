//! SQL Server.

use super::{Engine, Literal, doubled, of_38_digits, too_long, with_exponent};
use crate::data::dtype::DType;

pub(in crate::export::sql) struct SqlServer;

/// After a text, so that the blanks at its end count: SQL Server compares texts as if the shorter one
/// had blanks at its end.
const END: char = '|';

impl Engine for SqlServer {
    fn quoted(&self, name: &str) -> String {
        format!("[{}]", name.replace(']', "]]"))
    }

    fn refuses_name(&self, name: &str) -> Option<String> {
        too_long(name.encode_utf16().count(), "characters", 128)
    }

    /// Names are compared by the database's collation.
    fn compared_name(&self, name: &str) -> String {
        name.to_lowercase()
    }

    /// A deeper one is error 125.
    fn max_nested_cases(&self) -> usize {
        10
    }

    fn text_operand(&self, name: &str) -> String {
        format!("({name} + N'{END}') COLLATE Latin1_General_100_BIN2")
    }

    /// Its floats are finite.
    fn is_nan(&self, _name: &str) -> Option<String> {
        None
    }

    fn has_infinity(&self) -> bool {
        false
    }

    /// It has no literals of truth values: a BIT is 1 or 0.
    fn boolean(&self, x: bool) -> &'static str {
        if x { "CAST(1 AS BIT)" } else { "CAST(0 AS BIT)" }
    }

    fn text(&self, text: &str) -> String {
        format!("N{}", doubled('\'', text))
    }

    fn compared_text(&self, text: &str) -> String {
        self.text(&format!("{text}{END}"))
    }

    /// A number with an exponent is a float.
    fn float(&self, _x: f64, text: &str) -> String {
        with_exponent(text)
    }

    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        of_38_digits(digits)
    }

    fn decimal(&self, digits: &str, precision: usize, scale: usize) -> Literal {
        Ok(format!("CAST('{digits}' AS DECIMAL({precision}, {scale}))"))
    }

    fn date(&self, text: &str) -> String {
        format!("CAST('{text}' AS DATE)")
    }

    fn timestamp(&self, text: &str, zoned: bool, _nanoseconds: bool) -> String {
        match zoned {
            true => format!("CAST('{text} +00:00' AS DATETIMEOFFSET(7))"),
            false => format!("CAST('{text}' AS DATETIME2(7))"),
        }
    }

    fn time(&self, text: &str, _nanoseconds: bool) -> String {
        format!("CAST('{text}' AS TIME(7))")
    }

    fn time_step(&self) -> i128 {
        100
    }
}
