//! A column in conditions of others: counts of rows by SQL.

use super::Dialect;
use super::engines::Use;
use super::operand::Operand;
use crate::data::dtype::Value;
use crate::error::Result;
use crate::tree::Feature;

/// A column as an engine's SQL compares it, in conditions that hold for the rows that the column's
/// values hold for in memory: NaN is missing, and `-0.0` is `0.0`.
///
/// Over parquet files a condition that can hold for NaN stands in a `CASE`, as in
/// `WHERE CASE WHEN … THEN 1 ELSE 0 END = 1`. By itself in a `WHERE` it is answered by the files'
/// statistics, which leave NaN out.
pub struct SqlColumn<'f>(Operand<'f>);

impl<'f> SqlColumn<'f> {
    /// The column of a feature, by its name, dtype and kind.
    ///
    /// # Errors
    /// A name that the engine cannot hold.
    pub fn new(dialect: Dialect, feature: &'f Feature) -> Result<Self> {
        Operand::new(dialect, feature).map(SqlColumn)
    }

    /// The column, as a nominal one in an expression that equal values have equal.
    pub fn expression(&self) -> &str {
        &self.0.nominal
    }

    /// Whether the value is missing: never null.
    pub fn missing(&self) -> String {
        self.0.missing()
    }

    /// Whether the value is known: never null.
    pub fn known(&self) -> String {
        self.0.known()
    }

    /// Whether a known value is at least this one.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn at_least(&self, value: &Value) -> Result<String> {
        self.0.compared(">=", value, Use::Cut)
    }

    /// The literal of a value that known ones are at least, or below.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn cut(&self, value: &Value) -> Result<String> {
        self.0.value(value, Use::Cut)
    }

    /// Whether a known value is at most this one.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn at_most(&self, value: &Value) -> Result<String> {
        self.0.compared("<=", value, Use::Equal)
    }

    /// Whether a known value is one of these levels.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn one_of(&self, levels: &[&Value]) -> Result<String> {
        let is_text = self.0.is_text();
        let texts = levels.iter().map(|level| match level {
            Value::Text(text) if is_text => Some(text.as_str()),
            _ => None,
        });
        if let Some(texts) = texts.collect::<Option<Vec<_>>>()
            && let Some(condition) = self.0.one_of_texts(&texts)?
        {
            return Ok(condition);
        }
        let literals = levels.iter().map(|level| self.literal(level));
        self.0.is_in(&literals.collect::<Result<Vec<_>>>()?.join(", "), false)
    }

    /// The literal of a level, equal to the column's own value.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn literal(&self, value: &Value) -> Result<String> {
        self.0.value(value, Use::Equal)
    }
}
