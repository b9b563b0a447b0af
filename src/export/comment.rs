//! Text in the comments of code: names, and what values are.

use crate::data::dtype::{DType, TimeUnit};

/// Most characters of a name in a comment.
const SHOWN: usize = 60;

/// A text as it may stand in a comment of any language: on one line, and without what would end the
/// comment, join it to the next line, or turn the direction of text.
pub(super) fn comment(text: &str) -> String {
    let mut safe = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == SHOWN {
            return safe + "...";
        }
        match c {
            ' ' | '_' | '-' | '.' | ',' | ':' | ';' | '=' | '+' | '<' | '>' | '(' | ')' | '['
            | ']' | '{' | '}' | '%' | '&' | '#' | '@' | '!' | '|' | '~' | '^' | '$' | '`' => {
                safe.push(c)
            }
            c if c.is_alphanumeric() => safe.push(c),
            // Quotes too, as comments stand in Python's docstrings.
            c => safe += &c.escape_unicode().to_string().replace('\\', ""),
        }
    }
    safe
}

/// What a value of a column is to programs that know numbers and text alone.
pub(super) fn cells(dtype: &DType) -> String {
    let of_unit = |unit: &TimeUnit| match unit {
        TimeUnit::Nanoseconds => "nanoseconds",
        TimeUnit::Microseconds => "microseconds",
        TimeUnit::Milliseconds => "milliseconds",
    };
    match dtype {
        DType::Decimal { scale, .. } => format!("the value times 10^{scale}"),
        DType::Date => "days since 1970-01-01".to_string(),
        DType::Datetime { unit, zone } => {
            let zone = if zone.is_some() { " UTC" } else { "" };
            format!("{} since 1970-01-01 00:00{zone}", of_unit(unit))
        }
        DType::Duration { unit } => of_unit(unit).to_string(),
        DType::Time => "nanoseconds since midnight".to_string(),
        dtype if dtype.is_float() => "the value, NaN where it is missing".to_string(),
        _ => "the value".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_hold_no_way_out() {
        assert_eq!(comment("petal length (cm)"), "petal length (cm)");
        assert_eq!(comment("größe"), "größe");
        assert_eq!(comment("*/ x"), "u{2a}u{2f} x");
        assert_eq!(comment("a\nb\\\0??/"), "au{a}bu{5c}u{0}u{3f}u{3f}u{2f}");
        assert_eq!(comment("\u{202e}\"\"\""), "u{202e}u{22}u{22}u{22}");
        assert_eq!(comment(&"x".repeat(70_000)), format!("{}...", "x".repeat(60)));
    }
}
