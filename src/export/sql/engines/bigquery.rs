//! BigQuery.

use super::{Engine, Literal, too_long};
use crate::data::dtype::DType;

pub(in crate::export::sql) struct BigQuery;

/// What names cannot have in them.
const NOT_IN_NAMES: &str = "!\"$()*,./;?@[\\]^`{}~";

impl Engine for BigQuery {
    fn quoted(&self, name: &str) -> String {
        format!("`{}`", escaped(name))
    }

    fn refuses_name(&self, name: &str) -> Option<String> {
        match name.chars().find(|c| NOT_IN_NAMES.contains(*c)) {
            Some(c) => Some(format!("its name has a `{c}`: rename the column")),
            None => too_long(name.chars().count(), "characters", 300),
        }
    }

    fn compared_name(&self, name: &str) -> String {
        name.to_lowercase()
    }

    /// Without the column's collation.
    fn text_operand(&self, name: &str) -> String {
        format!("COLLATE({name}, '')")
    }

    fn is_nan(&self, name: &str) -> Option<String> {
        Some(format!("IS_NAN({name})"))
    }

    fn text(&self, text: &str) -> String {
        format!("'{}'", escaped(text))
    }

    fn float(&self, _x: f64, text: &str) -> String {
        format!("CAST('{text}' AS FLOAT64)")
    }

    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        Ok(format!("BIGNUMERIC '{digits}'"))
    }

    fn decimal(&self, digits: &str, _precision: usize, _scale: usize) -> Literal {
        Ok(format!("BIGNUMERIC '{digits}'"))
    }

    fn timestamp(&self, text: &str, zoned: bool, _nanoseconds: bool) -> String {
        if zoned { format!("TIMESTAMP '{text}+00'") } else { format!("DATETIME '{text}'") }
    }
}

/// With escapes as in C: a name or a text in single quotes cannot go over several lines.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('`', "\\`");
    text.replace('\n', "\\n").replace('\r', "\\r")
}
