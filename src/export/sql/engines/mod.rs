//! What differs between SQL engines, a file an engine. A new one is such a file, a variant of
//! [`Dialect`](super::Dialect) and a line in its `engine`.

mod datafusion;
mod duckdb;
mod postgresql;
mod spark;
mod sqlite;

pub(super) use datafusion::DataFusion;
pub(super) use duckdb::DuckDb;
pub(super) use postgresql::PostgreSql;
pub(super) use spark::Spark;
pub(super) use sqlite::Sqlite;

use crate::data::dtype::{DType, Value};
use crate::tree::Feature;

/// What a literal is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::export::sql) enum Use {
    /// `x >= value`: if the engine is coarser, its next value does the same.
    Cut,
    /// `x = value`, or a prediction.
    Equal,
}

/// A literal, or why the engine has none.
pub(super) type Literal = std::result::Result<String, String>;

/// The SQL of an engine. The default methods are what most engines do.
pub(super) trait Engine: Sync {
    /// On the command line and in Python.
    fn name(&self) -> &'static str;

    /// In messages.
    fn title(&self) -> &'static str;

    // ---- names

    /// The quotes around a name, doubled within it.
    fn name_quote(&self) -> char {
        '"'
    }

    /// Longer names are not told apart.
    fn max_name_bytes(&self) -> Option<usize> {
        None
    }

    /// What no quoted name can have in it.
    fn not_in_names(&self) -> Option<&'static str> {
        None
    }

    /// Whether quoted names tell upper from lower case.
    fn names_have_case(&self) -> bool {
        true
    }

    // ---- columns

    /// A text column as it is compared by order, and for equality: byte by byte, whatever its
    /// collation.
    fn text_operands(&self, name: &str) -> [String; 2] {
        [name.to_string(), name.to_string()]
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

    /// A text without NUL.
    fn text(&self, text: &str) -> String {
        format!("'{}'", text.replace('\'', "''"))
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

    /// Whether the literal of a time is written in nanoseconds, and not in microseconds.
    /// `is_between` says that it lies between two of these.
    fn keeps_nanoseconds(&self, _dtype: &DType, _is_between: bool, _how: Use) -> bool {
        false
    }
}

/// Whether a time lies between two microseconds.
pub(super) fn is_between_microseconds(nanoseconds: i128) -> bool {
    nanoseconds.rem_euclid(1_000) != 0
}
