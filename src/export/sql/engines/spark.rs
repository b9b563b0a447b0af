//! Spark SQL, of Spark 4 and what speaks it.

use super::{Engine, Literal, doubled, of_38_digits};
use crate::data::dtype::DType;

pub(in crate::export::sql) struct Spark;

impl Engine for Spark {
    fn quoted(&self, name: &str) -> String {
        doubled('`', name)
    }

    /// `${spark.x}` in a query is a variable, even in quotes, and names have no escapes.
    fn refuses_name(&self, name: &str) -> Option<String> {
        name.contains("${").then(|| "its name has a `${`: rename the column".to_string())
    }

    fn compared_name(&self, name: &str) -> String {
        name.to_lowercase()
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

    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        of_38_digits(digits)
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
