//! A feature as SQL conditions name it.

use super::Dialect;
use super::literal::Use;
use crate::data::dtype::{DType, Kind, Value};
use crate::error::Result;
use crate::tree::Feature;

/// A feature as conditions name it.
pub(super) struct Operand<'t> {
    dialect: Dialect,
    feature: &'t Feature,
    /// The column by its name.
    name: String,
    /// The column, compared by order.
    pub(super) ordered: String,
    /// The column, compared for equality.
    pub(super) nominal: String,
    /// A condition for the values that are missing and not null.
    also_missing: Option<String>,
}

impl<'t> Operand<'t> {
    pub(super) fn new(dialect: Dialect, feature: &'t Feature) -> Result<Self> {
        let name = dialect.identifier(&format!("feature `{}`", feature.name), &feature.name)?;
        let [ordered, nominal] = if feature.dtype.is_text() {
            dialect.text_operands(&name)
        } else {
            [name.clone(), name.clone()]
        };
        let mut operand = Operand { dialect, feature, name, ordered, nominal, also_missing: None };
        if feature.dtype.is_float() {
            operand.also_missing = dialect.is_nan(&operand.name);
        } else if let (DType::Enum { categories }, Kind::Ordered) = (&feature.dtype, feature.kind) {
            operand.also_missing = Some(operand.one_of(categories, true)?);
        }
        Ok(operand)
    }

    pub(super) fn missing(&self) -> String {
        match &self.also_missing {
            Some(also) => format!("({} IS NULL OR {also})", self.name),
            None => format!("{} IS NULL", self.name),
        }
    }

    pub(super) fn known(&self) -> String {
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

    fn what(&self) -> String {
        format!("feature `{}`", self.feature.name)
    }

    pub(super) fn value(&self, value: &Value, how: Use) -> Result<String> {
        self.dialect.value(&self.what(), &self.feature.dtype, value, how)
    }

    /// A list of levels, which are kept as text whatever their dtype.
    pub(super) fn levels(&self, levels: &[u32]) -> Result<String> {
        let dtype = &self.feature.dtype;
        let level = |&level: &u32| {
            let text = &self.feature.levels[level as usize];
            let value = dtype.parse(text).unwrap_or_else(|| Value::Text(text.clone()));
            self.value(&value, Use::Equal)
        };
        Ok(levels.iter().map(level).collect::<Result<Vec<_>>>()?.join(", "))
    }

    /// Whether the column is one of some texts (negated: none of them).
    pub(super) fn one_of(&self, texts: &[String], negated: bool) -> Result<String> {
        let text = |text: &String| self.dialect.text(&self.what(), text);
        self.is_in(&texts.iter().map(text).collect::<Result<Vec<_>>>()?.join(", "), negated)
    }

    pub(super) fn is_in(&self, list: &str, negated: bool) -> Result<String> {
        let not = if negated { "NOT " } else { "" };
        Ok(match list {
            // No engine takes an empty list.
            "" => format!("{} IS {}NULL AND {} IS NOT NULL", self.name, not, self.name),
            _ => format!("{} {not}IN ({list})", self.nominal),
        })
    }
}
