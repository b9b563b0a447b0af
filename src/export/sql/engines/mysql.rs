//! MySQL and MariaDB.

use super::{Engine, Literal, check_scale, doubled, too_long, with_exponent};
use crate::data::dtype::{DType, Value};
use crate::tree::Feature;

pub(in crate::export::sql) struct MySql;

impl Engine for MySql {
    fn quoted(&self, name: &str) -> String {
        doubled('`', name)
    }

    fn refuses_name(&self, name: &str) -> Option<String> {
        if name.ends_with(' ') {
            return Some("its name ends with a blank: rename the column".to_string());
        }
        match name.chars().find(|c| *c > '\u{ffff}') {
            Some(c) => Some(format!("its name has a `{c}`, beyond U+FFFF: rename the column")),
            None => too_long(name.chars().count(), "characters", 64),
        }
    }

    fn compared_name(&self, name: &str) -> String {
        name.to_lowercase()
    }

    /// Collations ignore case, and blanks at the end.
    fn text_operand(&self, name: &str) -> String {
        format!("CAST(CONVERT({name} USING utf8mb4) AS BINARY)")
    }

    /// A TIMESTAMP is compared with texts in the session's time zone; its seconds are the same in all.
    fn operand(&self, feature: &Feature, name: &str) -> String {
        match feature.dtype {
            DType::Datetime { zone: Some(_), .. } => format!("UNIX_TIMESTAMP({name})"),
            _ => name.to_string(),
        }
    }

    /// Its floats are finite.
    fn is_nan(&self, _name: &str) -> Option<String> {
        None
    }

    fn has_infinity(&self) -> bool {
        false
    }

    /// A setting says whether a backslash escapes, and another how characters beyond ASCII are encoded.
    /// Texts with either are written as bytes.
    fn text(&self, text: &str) -> String {
        if text.is_ascii() && !text.contains('\\') {
            return doubled('\'', text);
        }
        let bytes: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        format!("_utf8mb4 x'{bytes}'")
    }

    /// A number with an exponent is a float, and no decimal.
    fn float(&self, _x: f64, text: &str) -> String {
        with_exponent(text)
    }

    /// Zoned times are seconds as decimals.
    fn typed_integer(&self, dtype: &DType, value: &Value) -> Option<String> {
        let DType::Datetime { unit, zone: Some(_) } = dtype else { return None };
        let scale = unit.per_second().ilog10() as usize;
        Some(DType::Decimal { precision: 38, scale }.write(value))
    }

    fn decimal(&self, digits: &str, _precision: usize, scale: usize) -> Literal {
        check_scale(scale, 30)?;
        Ok(digits.to_string())
    }
}
