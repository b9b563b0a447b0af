//! Spark SQL, of Spark 4 and what speaks it.

use super::{Engine, Literal};
use crate::data::dtype::DType;

pub(in crate::export::sql) struct Spark;

impl Engine for Spark {
    fn name(&self) -> &'static str {
        "spark"
    }

    fn title(&self) -> &'static str {
        "Spark"
    }

    fn name_quote(&self) -> char {
        '`'
    }

    /// `${spark.x}` in a query is a variable, even in quotes, and names have no escapes.
    fn not_in_names(&self) -> Option<&'static str> {
        Some("${")
    }

    fn names_have_case(&self) -> bool {
        false
    }

    fn is_nan(&self, name: &str) -> Option<String> {
        Some(format!("isnan({name})"))
    }

    /// With escapes of C, as Spark reads texts unless `spark.sql.parser.escapedStringLiterals` is set.
    fn text(&self, text: &str) -> String {
        let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace("${", "\\u0024{");
        format!("'{text}'")
    }

    fn float(&self, _x: f64, text: &str) -> String {
        format!("CAST('{text}' AS DOUBLE)")
    }

    /// Such integers are decimals of 38 digits at the most.
    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        match digits.trim_start_matches('-').len() {
            ..=38 => Ok(digits.to_string()),
            n => Err(format!("it has decimals of 38 digits at the most, and {digits} has {n}")),
        }
    }

    fn decimal(&self, digits: &str, precision: usize, scale: usize) -> Literal {
        Ok(format!("CAST('{digits}' AS DECIMAL({precision}, {scale}))"))
    }

    fn timestamp(&self, text: &str, zoned: bool, _nanoseconds: bool) -> String {
        match zoned {
            true => format!("TIMESTAMP_LTZ '{text}+00:00'"),
            false => format!("TIMESTAMP_NTZ '{text}'"),
        }
    }
}
