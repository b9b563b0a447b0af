//! What differs between SQL engines, a file an engine. A new one is such a file, a variant of
//! [`Dialect`](super::Dialect) and a line in its `entry`.

mod bigquery;
mod clickhouse;
mod datafusion;
mod duckdb;
mod mysql;
mod postgresql;
mod snowflake;
mod spark;
mod sqlite;
mod sqlserver;
mod trino;

pub(super) use bigquery::BigQuery;
pub(super) use clickhouse::ClickHouse;
pub(super) use datafusion::DataFusion;
pub(super) use duckdb::DuckDb;
pub(super) use mysql::MySql;
pub(super) use postgresql::PostgreSql;
pub(super) use snowflake::Snowflake;
pub(super) use spark::Spark;
pub(super) use sqlite::Sqlite;
pub(super) use sqlserver::SqlServer;
pub(super) use trino::Trino;

use crate::data::dtype::{DType, Value};
use crate::tree::Feature;

/// What a literal is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::export::sql) enum Use {
    /// `x >= value`: if the engine is coarser, its next value does the same.
    Cut,
    /// `x = value`.
    Equal,
    /// A prediction.
    Answer,
}

/// A literal, or why the engine has none.
pub(super) type Literal = std::result::Result<String, String>;

/// The SQL of an engine. The default methods are what most engines do.
pub(super) trait Engine: Sync {
    // ---- names

    /// A name in its quotes.
    fn quoted(&self, name: &str) -> String {
        doubled('"', name)
    }

    /// Why no column has such a name, and the way out; `None` for a name that one can have. It is not
    /// empty, and has no NUL.
    fn refuses_name(&self, _name: &str) -> Option<String> {
        None
    }

    /// A quoted name as it is compared with others: in lower case where upper case is not told from it.
    fn compared_name(&self, name: &str) -> String {
        name.to_string()
    }

    // ---- CASE

    /// How many `CASE` may stand in one another.
    fn max_nested_cases(&self) -> usize {
        usize::MAX
    }

    // ---- columns

    /// A text column as it is compared: byte by byte, whatever its collation.
    fn text_operand(&self, name: &str) -> String {
        name.to_string()
    }

    /// A text column as it is compared by order.
    fn ordered_text_operand(&self, name: &str) -> String {
        self.text_operand(name)
    }

    /// A column of no text, as it is compared.
    fn operand(&self, _feature: &Feature, name: &str) -> String {
        name.to_string()
    }

    /// A column beside a value that it is ordered by.
    fn operand_beside(&self, _dtype: &DType, _value: &Value, operand: &str) -> String {
        operand.to_string()
    }

    /// A condition for NaN, if the engine has it.
    fn is_nan(&self, name: &str) -> Option<String>;

    /// Whether a column is one of some texts without NUL, where `IN` is not the best way; null for null.
    fn one_of_texts(&self, _column: &str, _texts: &[&str]) -> Option<String> {
        None
    }

    // ---- literals

    fn boolean(&self, x: bool) -> &'static str {
        if x { "TRUE" } else { "FALSE" }
    }

    /// A text without NUL.
    fn text(&self, text: &str) -> String {
        doubled('\'', text)
    }

    /// A text without NUL beside a column of text.
    fn compared_text(&self, text: &str) -> String {
        self.text(text)
    }

    /// Whether floats can be infinite.
    fn has_infinity(&self) -> bool {
        true
    }

    /// A float, exactly; `text` is its shortest text, or `NaN`, `Infinity` or `-Infinity`.
    fn float(&self, x: f64, text: &str) -> String;

    /// A float that a column is at least, or below.
    fn cut_float(&self, x: f64, text: &str) -> String {
        self.float(x, text)
    }

    /// What is an integer in memory (decimals and times too), where literals name their types. `None`
    /// where the methods below write it.
    fn typed_integer(&self, _dtype: &DType, _value: &Value) -> Option<String> {
        None
    }

    /// An integer beyond 64 bits; its dtype is `u64`, `u128` or `i128`.
    fn wide_integer(&self, digits: &str, _dtype: &DType) -> Literal {
        Ok(digits.to_string())
    }

    /// Digits with as many after the point as the scale.
    fn decimal(&self, digits: &str, _precision: usize, _scale: usize) -> Literal {
        Ok(digits.to_string())
    }

    fn date(&self, text: &str) -> String {
        format!("DATE '{text}'")
    }

    /// A date and time in UTC, if `zoned`, or anywhere. `nanoseconds` is what
    /// [`keeps_nanoseconds`](Self::keeps_nanoseconds) says of it.
    fn timestamp(&self, text: &str, zoned: bool, _nanoseconds: bool) -> String {
        if zoned { format!("TIMESTAMPTZ '{text}+00'") } else { format!("TIMESTAMP '{text}'") }
    }

    fn time(&self, text: &str, _nanoseconds: bool) -> String {
        format!("TIME '{text}'")
    }

    /// The nanoseconds from a time to the next, where they are not kept.
    fn time_step(&self) -> i128 {
        1_000
    }

    /// Whether the literal of a time is written in nanoseconds, and not in steps of
    /// [`time_step`](Self::time_step). `is_between` says that it lies between two of these.
    fn keeps_nanoseconds(&self, _dtype: &DType, _is_between: bool, _how: Use) -> bool {
        false
    }
}

/// A text in quotes, which are doubled within it.
fn doubled(quote: char, text: &str) -> String {
    format!("{quote}{}{quote}", text.replace(quote, &format!("{quote}{quote}")))
}

/// Why a name of `n` bytes or characters is too long, and the way out.
fn too_long(n: usize, unit: &str, most: usize) -> Option<String> {
    (n > most).then(|| format!("its name has {n} {unit} of at most {most}: give it a shorter one"))
}

/// The text of a finite float with an exponent: by it engines tell a float from an integer or a
/// decimal.
fn with_exponent(text: &str) -> String {
    if text.contains('e') { text.to_string() } else { format!("{text}e0") }
}

/// Checks that a decimal has at most `most` digits after the point.
fn check_scale(scale: usize, most: usize) -> std::result::Result<(), String> {
    match scale <= most {
        true => Ok(()),
        false => {
            Err(format!("its decimals have {most} digits after the point at the most, not {scale}"))
        }
    }
}

/// The digits of an integer for an engine whose decimals have at most 38.
fn of_38_digits(digits: &str) -> Literal {
    match digits.trim_start_matches('-').len() {
        ..=38 => Ok(digits.to_string()),
        n => Err(format!("it has decimals of 38 digits at the most, and {digits} has {n}")),
    }
}
