//! Snowflake.

use super::{Engine, Literal, Use, check_scale, doubled, of_38_digits, too_long};
use crate::data::dtype::DType;

pub(in crate::export::sql) struct Snowflake;

impl Engine for Snowflake {
    fn refuses_name(&self, name: &str) -> Option<String> {
        too_long(name.chars().count(), "characters", 255)
    }

    /// In the order of Unicode, whatever the column's collation.
    fn text_operand(&self, name: &str) -> String {
        format!("COLLATE({name}, 'utf8')")
    }

    /// NaN equals itself.
    fn is_nan(&self, name: &str) -> Option<String> {
        Some(format!("{name} = {}", self.float(f64::NAN, "NaN")))
    }

    /// In single quotes a backslash escapes.
    fn text(&self, text: &str) -> String {
        doubled('\'', &text.replace('\\', "\\\\"))
    }

    fn float(&self, _x: f64, text: &str) -> String {
        let text = text.replace("Infinity", "inf");
        format!("'{text}'::FLOAT")
    }

    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        of_38_digits(digits)
    }

    fn decimal(&self, digits: &str, precision: usize, scale: usize) -> Literal {
        check_scale(scale, 37)?;
        Ok(format!("'{digits}'::NUMBER({precision}, {scale})"))
    }

    /// A setting says which of these a plain TIMESTAMP is.
    fn timestamp(&self, text: &str, zoned: bool, _nanoseconds: bool) -> String {
        match zoned {
            true => format!("'{text} +00:00'::TIMESTAMP_TZ"),
            false => format!("'{text}'::TIMESTAMP_NTZ"),
        }
    }

    fn keeps_nanoseconds(&self, _dtype: &DType, _is_between: bool, _how: Use) -> bool {
        true
    }
}
