//! SQLite.

use super::{Engine, Literal, Use, doubled};
use crate::data::dtype::DType;
use crate::tree::Feature;

pub(in crate::export::sql) struct Sqlite;

/// SQLite reads decimals exactly if they have at most this many digits, and this many after the
/// point: such a quotient is never close enough to the middle of two floats to be rounded wrongly,
/// even if rounded twice (5^4 < 2^11, and an 80-bit float has 11 more bits). Beyond that its
/// documentation promises 15 digits, which are not enough.
const EXACT_DIGITS: usize = 15;
const EXACT_DECIMALS: usize = 4;

/// The exponent of a power of two that fits its integers.
const GREATEST_POWER: i32 = 62;

impl Engine for Sqlite {
    /// In double quotes it takes the name of a column that is not there for a text.
    fn quoted(&self, name: &str) -> String {
        doubled('`', name)
    }

    fn compared_name(&self, name: &str) -> String {
        name.to_ascii_lowercase()
    }

    fn text_operand(&self, name: &str) -> String {
        format!("{name} COLLATE BINARY")
    }

    fn operand(&self, feature: &Feature, name: &str) -> String {
        match &feature.dtype {
            DType::Datetime { zone, .. } => instant(name, zone.is_some()),
            DType::Time => format!("time(substr({name}, 1, 8)) || rtrim(substr({name}, 9), '0.')"),
            _ => name.to_string(),
        }
    }

    /// It stores NaN as null.
    fn is_nan(&self, _name: &str) -> Option<String> {
        None
    }

    fn float(&self, x: f64, text: &str) -> String {
        if x.is_nan() {
            return "NULL".to_string();
        }
        if x.is_infinite() {
            return if x > 0.0 { "9e999" } else { "-9e999" }.to_string();
        }
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = whole.trim_start_matches('-').len() + part.len();
        if digits <= EXACT_DIGITS && part.len() <= EXACT_DECIMALS && !text.contains('e') {
            return if part.is_empty() { format!("{text}.0") } else { text.to_string() };
        }
        by_powers_of_two(x)
    }

    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        Err(format!("{digits} is beyond its 64-bit integers"))
    }

    fn decimal(&self, _digits: &str, _precision: usize, _scale: usize) -> Literal {
        Err("it has no decimals: fit the tree on integers or floats".to_string())
    }

    // It keeps dates and times as text. The text of a literal is in UTC and has no zeros at the end of
    // the fraction. A column is brought into the same form.

    fn date(&self, text: &str) -> String {
        format!("'{text}'")
    }

    fn timestamp(&self, text: &str, _zoned: bool, _nanoseconds: bool) -> String {
        format!("'{text}'")
    }

    fn time(&self, text: &str, _nanoseconds: bool) -> String {
        format!("'{text}'")
    }

    fn keeps_nanoseconds(&self, _dtype: &DType, _is_between: bool, _how: Use) -> bool {
        true
    }
}

/// A column of timestamps as the text of literals, however it is spelled: programs write fractions of
/// any length, a space or a `T` before the time, and offsets. SQLite's own functions round fractions
/// to milliseconds, so they get whole seconds.
fn instant(name: &str, zoned: bool) -> String {
    let rest = format!("substr({name}, 20)");
    let (offset, fraction) = match zoned {
        true => {
            let offset = format!("ltrim({rest}, '.0123456789')");
            (format!(" || {offset}"), format!("replace({rest}, {offset}, '')"))
        }
        false => (String::new(), rest),
    };
    format!("datetime(substr({name}, 1, 19){offset}) || rtrim({fraction}, '0.')")
}

/// An integer of 53 bits, times or by powers of two: each step is exact.
fn by_powers_of_two(x: f64) -> String {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mut mantissa, mut exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = mantissa.trailing_zeros() as i32;
    (mantissa, exponent) = (mantissa >> zeros, exponent + zeros);
    let sign = if x < 0.0 { "-" } else { "" };
    let mut sql = format!("CAST({sign}{mantissa} AS REAL)");
    let by = if exponent < 0 { '/' } else { '*' };
    let mut left = exponent.abs();
    while left > 0 {
        let power = left.min(GREATEST_POWER);
        sql.push_str(&format!(" {by} {}", 1u64 << power));
        left -= power;
    }
    sql
}
