//! A column as SQL conditions name it.

use super::Dialect;
use super::engines::Use;
use crate::data::dtype::{DType, Kind, Value};
use crate::error::Result;
use crate::tree::Feature;

/// A column as an engine's SQL compares it, in conditions that hold for the rows that the column's
/// values hold for in memory: NaN is missing, and `-0.0` is `0.0`.
///
/// Over parquet files a condition that can hold for NaN stands in a `CASE`, as in
/// `WHERE CASE WHEN … THEN 1 ELSE 0 END = 1`. By itself in a `WHERE` it is answered by the files'
/// statistics, which leave NaN out.
pub struct SqlColumn<'f> {
    dialect: Dialect,
    feature: &'f Feature,
    /// The column by its name.
    name: String,
    /// The column, compared by order.
    ordered: String,
    /// The column, compared for equality.
    nominal: String,
    /// A condition for the values that are missing and not null.
    also_missing: Option<String>,
}

impl<'f> SqlColumn<'f> {
    /// The column of a feature, by its name, dtype and kind.
    ///
    /// # Errors
    /// A name that the engine cannot hold.
    pub fn new(dialect: Dialect, feature: &'f Feature) -> Result<Self> {
        let name = dialect.identifier(&format!("feature `{}`", feature.name), &feature.name)?;
        let [ordered, nominal] = match feature.dtype.is_text() {
            true => {
                let engine = dialect.engine();
                [engine.ordered_text_operand(&name), engine.text_operand(&name)]
            }
            false => {
                let operand = dialect.engine().operand(feature, &name);
                [operand.clone(), operand]
            }
        };
        let mut column = SqlColumn { dialect, feature, name, ordered, nominal, also_missing: None };
        if feature.dtype.is_float() {
            column.also_missing = dialect.engine().is_nan(&column.ordered);
        } else if let (DType::Enum { categories }, Kind::Ordered) = (&feature.dtype, feature.kind) {
            column.also_missing = Some(column.one_of_categories(categories, true)?);
        }
        Ok(column)
    }

    /// The column, as a nominal one in an expression that equal values have equal.
    pub fn expression(&self) -> &str {
        &self.nominal
    }

    /// Whether the value is missing: never null.
    pub fn missing(&self) -> String {
        match &self.also_missing {
            Some(also) => format!("({} IS NULL OR {also})", self.name),
            None => format!("{} IS NULL", self.name),
        }
    }

    /// Whether the value is known: never null.
    pub fn known(&self) -> String {
        match &self.also_missing {
            Some(also) => format!("({} IS NOT NULL AND NOT ({also}))", self.name),
            None => format!("{} IS NOT NULL", self.name),
        }
    }

    pub(super) fn or_missing(&self, condition: &str) -> String {
        format!("{} OR {condition}", self.missing())
    }

    /// A condition that is null for null, with the other missing values excluded.
    pub(super) fn and_known(&self, condition: &str) -> String {
        match &self.also_missing {
            Some(also) => format!("{condition} AND NOT ({also})"),
            None => condition.to_string(),
        }
    }

    /// Whether a known value is at least this one.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn at_least(&self, value: &Value) -> Result<String> {
        self.compared(">=", value, Use::Cut)
    }

    /// The literal of a value that known ones are at least, or below.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn cut(&self, value: &Value) -> Result<String> {
        self.value(value, Use::Cut)
    }

    /// Whether a known value is at most this one.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn at_most(&self, value: &Value) -> Result<String> {
        self.compared("<=", value, Use::Equal)
    }

    /// Whether a known value is one of these levels.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn one_of(&self, levels: &[&Value]) -> Result<String> {
        let texts = levels.iter().map(|level| match level {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        });
        self.is_among(texts, levels.iter().map(|level| self.literal(level)), false)
    }

    /// The literal of a level, equal to the column's own value.
    ///
    /// # Errors
    /// A value that the engine cannot hold.
    pub fn literal(&self, value: &Value) -> Result<String> {
        self.value(value, Use::Equal)
    }

    fn value(&self, value: &Value, how: Use) -> Result<String> {
        self.dialect.value(&self.what(), &self.feature.dtype, value, how)
    }

    fn what(&self) -> String {
        format!("feature `{}`", self.feature.name)
    }

    /// Whether the column is on one side of a value (`operator` is `>=`, `<` or `<=`); null for null.
    pub(super) fn compared(&self, operator: &str, value: &Value, how: Use) -> Result<String> {
        let literal = self.value(value, how)?;
        let x = self.dialect.engine().operand_beside(&self.feature.dtype, value, &self.ordered);
        Ok(format!("{x} {operator} {literal}"))
    }

    /// The value of a level, which is kept as text whatever its dtype.
    pub(super) fn level(&self, level: u32) -> Value {
        let text = &self.feature.levels[level as usize];
        self.feature.dtype.parse(text).unwrap_or_else(|| Value::Text(text.clone()))
    }

    /// Whether the column is one of some levels (negated: none of them); null for null.
    pub(super) fn one_of_levels(&self, levels: &[u32], negated: bool) -> Result<String> {
        let texts = levels.iter().map(|&level| Some(self.feature.levels[level as usize].as_str()));
        let literals = levels.iter().map(|&level| self.literal(&self.level(level)));
        self.is_among(texts, literals, negated)
    }

    /// Whether the column is one of some values, as texts and as literals. Where an engine's `IN` is not
    /// the best way for texts, its own way is taken.
    fn is_among<'a>(
        &self,
        texts: impl Iterator<Item = Option<&'a str>>,
        literals: impl Iterator<Item = Result<String>>,
        negated: bool,
    ) -> Result<String> {
        if self.feature.dtype.is_text()
            && let Some(texts) = texts.collect::<Option<Vec<&str>>>()
            && let Some(condition) = self.dialect.engine().one_of_texts(&self.nominal, &texts)
        {
            texts.iter().try_for_each(|text| self.dialect.check_text(&self.what(), text))?;
            return Ok(if negated { format!("NOT {condition}") } else { condition });
        }
        self.is_in(literals, negated)
    }

    /// Whether the column is one of some categories of an enum.
    pub(super) fn one_of_categories(&self, texts: &[String], negated: bool) -> Result<String> {
        self.is_in(texts.iter().map(|text| self.literal(&Value::Text(text.clone()))), negated)
    }

    fn is_in(
        &self,
        literals: impl Iterator<Item = Result<String>>,
        negated: bool,
    ) -> Result<String> {
        let not = if negated { "NOT " } else { "" };
        let list = literals.collect::<Result<Vec<_>>>()?.join(", ");
        Ok(match list.as_str() {
            // No engine takes an empty list.
            "" => format!("{} IS {}NULL AND {} IS NOT NULL", self.name, not, self.name),
            _ => format!("{} {not}IN ({list})", self.nominal),
        })
    }
}
