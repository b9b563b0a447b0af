//! Values as SQL literals that read back to the same value.

use super::{Dialect, datafusion};
use crate::data::dtype::{DType, TimeUnit, Value};
use crate::error::Result;

/// What a literal is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// `x >= value`: if the engine is coarser, its next value does the same.
    Cut,
    /// `x = value`, or a prediction.
    Equal,
}

/// SQLite reads decimals exactly if they have at most this many digits, and this many after the
/// point: such a quotient is never close enough to the middle of two floats to be rounded wrongly,
/// even if rounded twice (5^4 < 2^11, and an 80-bit float has 11 more bits). Beyond that its
/// documentation promises 15 digits, which are not enough.
const SQLITE_DIGITS: usize = 15;
const SQLITE_DECIMALS: usize = 4;

/// The exponent of a power of two that fits SQLite's integers.
const SQLITE_POWER: i32 = 62;

impl Dialect {
    /// The literal of a value; `what` names it in errors.
    pub(super) fn value(
        self,
        what: &str,
        dtype: &DType,
        value: &Value,
        how: Use,
    ) -> Result<String> {
        let what = format!("{what} ({dtype})");
        match (dtype, value) {
            (DType::Boolean, Value::Text(text)) => {
                Ok(if text == "true" { "TRUE" } else { "FALSE" }.to_string())
            }
            (_, Value::Text(text)) => self.text(&what, text),
            (_, Value::Float(x)) if self == Dialect::DataFusion && *x == 0.0 && how == Use::Cut => {
                Ok(datafusion::lower_zero())
            }
            (_, Value::Float(x)) => Ok(self.float(*x)),
            _ if self == Dialect::DataFusion => Ok(datafusion::integer(dtype, value)),
            (_, Value::Unsigned(x)) => match i64::try_from(*x) {
                Ok(x) => Ok(x.to_string()),
                Err(_) => self.wide(&what, &x.to_string(), "UHUGEINT"),
            },
            (DType::Decimal { precision, scale }, _) => {
                let digits = dtype.write(value);
                match self {
                    Dialect::DuckDb => Ok(format!("'{digits}'::DECIMAL({precision}, {scale})")),
                    Dialect::PostgreSql | Dialect::DataFusion => Ok(digits),
                    Dialect::Sqlite => {
                        let why = "it has no decimals: fit the tree on integers or floats";
                        Err(self.cannot(&what, why))
                    }
                }
            }
            (DType::Date, Value::Int(days)) => self.date(&what, *days),
            (DType::Datetime { unit, zone }, Value::Int(x)) => {
                self.datetime(&what, *x, *unit, zone.is_some(), how)
            }
            (DType::Time, Value::Int(x)) => self.time(&what, *x, how),
            (DType::Duration { .. }, _) => {
                let why = "intervals of months, days and seconds are no spans of time: fit the \
                           tree on an integer of seconds";
                Err(self.cannot(&what, why))
            }
            (_, Value::Int(x)) => match i64::try_from(*x) {
                Ok(x) => Ok(x.to_string()),
                Err(_) => self.wide(
                    &what,
                    &x.to_string(),
                    if *x > 0 && *dtype == DType::U64 { "UBIGINT" } else { "HUGEINT" },
                ),
            },
        }
    }

    /// An integer beyond 64 bits.
    fn wide(self, what: &str, digits: &str, duckdb: &str) -> Result<String> {
        match self {
            Dialect::DuckDb => Ok(format!("'{digits}'::{duckdb}")),
            Dialect::PostgreSql | Dialect::DataFusion => Ok(digits.to_string()),
            Dialect::Sqlite => {
                Err(self.cannot(what, format!("{digits} is beyond its 64-bit integers")))
            }
        }
    }

    fn date(self, what: &str, days: i128) -> Result<String> {
        let text = DType::Date.write(&Value::Int(days));
        self.check_year(what, &text)?;
        Ok(if self == Dialect::Sqlite { format!("'{text}'") } else { format!("DATE '{text}'") })
    }

    fn datetime(
        self,
        what: &str,
        x: i128,
        unit: TimeUnit,
        zoned: bool,
        how: Use,
    ) -> Result<String> {
        // In a zone DuckDB has nanoseconds since version 2.
        let nanoseconds = self == Dialect::DuckDb
            && unit == TimeUnit::Nanoseconds
            && (!zoned || is_between_microseconds(x));
        let x = if nanoseconds { x } else { self.coarser(what, x, unit, how)? };
        let text = DType::Datetime { unit, zone: None }.write(&Value::Int(x));
        self.check_year(what, &text)?;
        Ok(match (self, zoned) {
            (Dialect::Sqlite, _) => format!("'{text}'"),
            (_, true) if nanoseconds => format!("TIMESTAMPTZ_NS '{text}+00'"),
            (_, true) => format!("TIMESTAMPTZ '{text}+00'"),
            (_, false) if nanoseconds => format!("TIMESTAMP_NS '{text}'"),
            (_, false) => format!("TIMESTAMP '{text}'"),
        })
    }

    fn time(self, what: &str, x: i128, how: Use) -> Result<String> {
        let nanoseconds = self.needs_nanoseconds(&DType::Time, &Value::Int(x)) && how == Use::Cut;
        let x = if nanoseconds { x } else { self.coarser(what, x, TimeUnit::Nanoseconds, how)? };
        let text = DType::Time.write(&Value::Int(x));
        Ok(match self {
            Dialect::DuckDb if nanoseconds => format!("TIME_NS '{text}'"),
            // DuckDB compares no TIME with a TIME_NS, as parquet files have. A text is of the
            // column's type.
            Dialect::DuckDb | Dialect::Sqlite => format!("'{text}'"),
            _ => format!("TIME '{text}'"),
        })
    }

    /// Whether only a column of DuckDB's TIME_NS compares with the value: a TIME has to be cast.
    pub(super) fn needs_nanoseconds(self, dtype: &DType, value: &Value) -> bool {
        let is_between = matches!(value, Value::Int(x) if is_between_microseconds(*x));
        self == Dialect::DuckDb && *dtype == DType::Time && is_between
    }

    /// The first microsecond at or after a time, if the engine has no nanoseconds.
    fn coarser(self, what: &str, x: i128, unit: TimeUnit, how: Use) -> Result<i128> {
        let is_fine = unit == TimeUnit::Nanoseconds && is_between_microseconds(x);
        if self == Dialect::Sqlite || !is_fine {
            return Ok(x);
        }
        match how {
            Use::Cut => Ok((x.div_euclid(1_000) + 1) * 1_000),
            Use::Equal => {
                Err(self.cannot(what, "it has no nanoseconds: round the column to microseconds"))
            }
        }
    }

    /// Years of other than four digits are written in each engine's own way.
    fn check_year(self, what: &str, text: &str) -> Result<()> {
        let year = text.split('-').next().unwrap_or("");
        if year.len() != 4 || year == "0000" {
            return Err(self.cannot(what, format!("{text} is not within the years 1 to 9999")));
        }
        Ok(())
    }

    /// An `f64`, exactly.
    pub(super) fn float(self, x: f64) -> String {
        let text = match x {
            _ if x.is_nan() => "NaN".to_string(),
            f64::INFINITY => "Infinity".to_string(),
            f64::NEG_INFINITY => "-Infinity".to_string(),
            _ => DType::F64.write(&Value::Float(x)),
        };
        match self {
            Dialect::DuckDb => format!("'{text}'::DOUBLE"),
            Dialect::PostgreSql => format!("'{text}'::float8"),
            Dialect::Sqlite => sqlite_float(x, &text),
            Dialect::DataFusion => datafusion::float(&text),
        }
    }
}

fn is_between_microseconds(nanoseconds: i128) -> bool {
    nanoseconds.rem_euclid(1_000) != 0
}

fn sqlite_float(x: f64, text: &str) -> String {
    if x.is_nan() {
        return "NULL".to_string();
    }
    if x.is_infinite() {
        return if x > 0.0 { "9e999" } else { "-9e999" }.to_string();
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.trim_start_matches('-').len() + part.len();
    if digits <= SQLITE_DIGITS && part.len() <= SQLITE_DECIMALS && !text.contains('e') {
        return if part.is_empty() { format!("{text}.0") } else { text.to_string() };
    }
    // An integer of 53 bits, times or by powers of two: each step is exact.
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
        let power = left.min(SQLITE_POWER);
        sql.push_str(&format!(" {by} {}", 1u64 << power));
        left -= power;
    }
    sql
}
