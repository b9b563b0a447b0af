//! Numbers as other programs write them in csv files: `1.234,5` or `1 234.5`.

use std::io::BufRead;

use polars::prelude::{PolarsResult, polars_bail};

use super::csv_records::{Record, records};
use crate::args::shared::CsvArgs;
use crate::process::{Failure, Result};

/// How the numbers of a csv file are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numerals {
    /// Whether a comma stands before the fraction, and no point.
    pub decimal_comma: bool,
    pub thousands: Option<char>,
}

impl Numerals {
    /// What is common beside the plain way.
    pub const COMMON: [Numerals; 6] = [
        Numerals { decimal_comma: true, thousands: None },
        Numerals { decimal_comma: false, thousands: Some(',') },
        Numerals { decimal_comma: true, thousands: Some('.') },
        Numerals { decimal_comma: false, thousands: Some(' ') },
        Numerals { decimal_comma: true, thousands: Some(' ') },
        Numerals { decimal_comma: false, thousands: Some('\'') },
    ];

    pub fn of(csv: &CsvArgs) -> Result<Numerals> {
        let (decimal_comma, thousands) = (csv.decimal_comma, csv.thousands);
        let point = if decimal_comma { ',' } else { '.' };
        if thousands == Some(point) {
            return Err(Failure::usage(format!(
                "--thousands {point}: `{point}` stands before the fraction already{}",
                if decimal_comma { "" } else { "; with --decimal-comma a comma does" }
            )));
        }
        Ok(Numerals { decimal_comma, thousands })
    }

    pub fn are_plain(self) -> bool {
        self == Numerals::default()
    }

    /// The number that a text is, with a point and without groups. `None` for any other text.
    pub fn plain(self, text: &str) -> Option<String> {
        let text = text.trim();
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, Some(exponent)),
            None => (unsigned, None),
        };
        let point = if self.decimal_comma { ',' } else { '.' };
        let (whole, fraction) = number.split_once(point).unwrap_or((number, ""));
        let whole = self.without_groups(whole)?;
        let power = exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e));
        let is_number = (!whole.is_empty() || !fraction.is_empty())
            && are_digits(&whole)
            && are_digits(fraction)
            && power.is_none_or(|power| !power.is_empty() && are_digits(power));
        let sign = if text.starts_with('-') { "-" } else { "" };
        let fraction = if fraction.is_empty() { String::new() } else { format!(".{fraction}") };
        let exponent = exponent.map_or(String::new(), |exponent| format!("e{exponent}"));
        is_number.then(|| format!("{sign}{whole}{fraction}{exponent}"))
    }

    /// The digits before the fraction. The last group has three, the others two (as in India) or
    /// three, the first may have less: `1,5` is no number by thousands.
    fn without_groups(self, whole: &str) -> Option<String> {
        let Some(mark) = self.thousands.filter(|mark| whole.contains(*mark)) else {
            return Some(whole.to_string());
        };
        let groups: Vec<&str> = whole.split(mark).collect();
        let [first, between @ .., last] = groups.as_slice() else { return None };
        let is_grouped = (1..=3).contains(&first.len())
            && between.iter().all(|group| matches!(group.len(), 2 | 3))
            && last.len() == 3;
        is_grouped.then(|| groups.concat())
    }

    /// A csv text with its numbers made plain, and without blank lines, which are missing values in
    /// a file of one column. The names in its first line stay.
    pub fn make_plain(self, text: impl BufRead, separator: u8) -> PolarsResult<Vec<u8>> {
        let mut plain = Vec::new();
        let mut n_columns = None;
        for record in records(text) {
            let record = record?;
            if record.is_blank() && n_columns != Some(1) {
                continue;
            }
            match n_columns {
                None => {
                    n_columns = Some(record.raw_fields(separator).count());
                    plain.extend_from_slice(record.bytes());
                }
                Some(_) => self.push_plain(&record, separator, &mut plain)?,
            }
            plain.push(b'\n');
        }
        Ok(plain)
    }

    fn push_plain(self, record: &Record, separator: u8, plain: &mut Vec<u8>) -> PolarsResult<()> {
        for (at, field) in record.raw_fields(separator).enumerate() {
            if at > 0 {
                plain.push(separator);
            }
            let inner = field.strip_prefix(b"\"").and_then(|f| f.strip_suffix(b"\""));
            let text = str::from_utf8(inner.unwrap_or(field)).unwrap_or_default();
            match self.plain(text) {
                Some(number) => plain.extend_from_slice(number.as_bytes()),
                None if self.is_misread(text) => polars_bail!(
                    ComputeError: "line {}: `{text}` has a point, where numbers have a comma: add \
                    --thousands . if a point groups digits, or leave out --decimal-comma",
                    record.line
                ),
                None => plain.extend_from_slice(field),
            }
        }
        Ok(())
    }

    /// Whether a text has a point that may group digits: `1.234` or `1.234,5` among decimal commas.
    fn is_misread(self, text: &str) -> bool {
        let grouped = Numerals { thousands: Some('.'), ..self };
        self.decimal_comma
            && self.thousands != Some('.')
            && (grouped.plain(text).is_some() || Numerals::default().plain(text).is_some())
    }

    pub fn is_simpler(self, than: Numerals) -> bool {
        self != than
            && self.decimal_comma <= than.decimal_comma
            && (self.thousands.is_none() || self.thousands == than.thousands)
    }

    pub fn flags(self) -> String {
        let comma = self.decimal_comma.then(|| "--decimal-comma".to_string());
        let thousands = self.thousands.map(|mark| match mark {
            ' ' | '\'' => format!("--thousands \"{mark}\""),
            mark => format!("--thousands {mark}"),
        });
        comma.into_iter().chain(thousands).collect::<Vec<_>>().join(" ")
    }
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_made_plain() {
        let german = Numerals { decimal_comma: true, thousands: Some('.') };
        let english = Numerals { decimal_comma: false, thousands: Some(',') };
        let comma = Numerals { decimal_comma: true, thousands: None };
        for (numerals, text, expected) in [
            (german, "1.234.567,5", Some("1234567.5")),
            (german, "-0,25", Some("-0.25")),
            (german, "1,5e-3", Some("1.5e-3")),
            (german, "1.5", None),
            (german, "01.02.2024", None),
            (german, "1.2345", None),
            (english, "1,234", Some("1234")),
            (english, "12,34,567.25", Some("1234567.25")),
            (english, "1,5", None),
            (english, "a,b", None),
            (comma, " +,5", Some(".5")),
            (comma, "1,", Some("1")),
            (comma, ",", None),
            (comma, "1,2,3", None),
            (comma, "1e", None),
            (comma, "", None),
            (comma, "nan", None),
        ] {
            assert_eq!(numerals.plain(text).as_deref(), expected, "{text} {numerals:?}");
        }
    }

    #[test]
    fn only_fields_that_are_numbers_are_rewritten() {
        let german = Numerals { decimal_comma: true, thousands: Some('.') };
        let text = "\"a;1,5\";b\n1.000,5;\"x;1,5\"\n\n\"2,5\";1.1.2024\r\n;\"\"\n";
        let plain = german.make_plain(text.as_bytes(), b';').expect("rewritten");
        let plain = String::from_utf8(plain).expect("UTF-8");
        assert_eq!(plain, "\"a;1,5\";b\n1000.5;\"x;1,5\"\n2.5;1.1.2024\n;\"\"\n");
        let comma = Numerals { decimal_comma: true, thousands: None };
        for (text, said) in [
            ("a;b\n1,5;x\n1.234;y\n", "line 3: `1.234` has a point"),
            ("a;b\n1.234,5;x\n", "line 2: `1.234,5` has a point"),
            ("a\n\n1.5\n", "line 3: `1.5` has a point"),
        ] {
            let error = comma.make_plain(text.as_bytes(), b';').expect_err("unclear");
            assert!(error.to_string().contains(said), "{error}");
        }
        let one = comma.make_plain("a\n\n1,5\n".as_bytes(), b';').expect("rewritten");
        assert_eq!(one, b"a\n\n1.5\n");
    }
}
