//! A feature as SQL conditions name it.

use super::Dialect;
use super::engines::Use;
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
    ordered: String,
    /// The column, compared for equality.
    pub(super) nominal: String,
    /// A condition for the values that are missing and not null.
    also_missing: Option<String>,
}

impl<'t> Operand<'t> {
    pub(super) fn new(dialect: Dialect, feature: &'t Feature) -> Result<Self> {
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
        let mut operand = Operand { dialect, feature, name, ordered, nominal, also_missing: None };
        if feature.dtype.is_float() {
            operand.also_missing = dialect.engine().is_nan(&operand.ordered);
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

    pub(super) fn is_text(&self) -> bool {
        self.feature.dtype.is_text()
    }

    fn what(&self) -> String {
        format!("feature `{}`", self.feature.name)
    }

    pub(super) fn value(&self, value: &Value, how: Use) -> Result<String> {
        self.dialect.value(&self.what(), &self.feature.dtype, value, how)
    }

    /// Whether the column is on one side of a value (`operator` is `>=`, `<` or `<=`); null for null.
    pub(super) fn compared(&self, operator: &str, value: &Value, how: Use) -> Result<String> {
        let literal = self.value(value, how)?;
        let x = self.dialect.engine().operand_beside(&self.feature.dtype, value, &self.ordered);
        Ok(format!("{x} {operator} {literal}"))
    }

    /// The literals of levels, which are kept as text whatever their dtype.
    pub(super) fn levels(&self, levels: &[u32]) -> Result<String> {
        let dtype = &self.feature.dtype;
        let level = |&level: &u32| {
            let text = &self.feature.levels[level as usize];
            let value = dtype.parse(text).unwrap_or_else(|| Value::Text(text.clone()));
            self.value(&value, Use::Equal)
        };
        Ok(levels.iter().map(level).collect::<Result<Vec<_>>>()?.join(", "))
    }

    /// Whether the column is one of some levels (negated: none of them); null for null.
    pub(super) fn one_of_levels(&self, levels: &[u32], negated: bool) -> Result<String> {
        let texts: Vec<&str> =
            levels.iter().map(|&level| self.feature.levels[level as usize].as_str()).collect();
        let as_one = match self.is_text() {
            true => self.one_of_texts(&texts)?,
            false => None,
        };
        match as_one {
            Some(condition) if negated => Ok(format!("NOT {condition}")),
            Some(condition) => Ok(condition),
            None => self.is_in(&self.levels(levels)?, negated),
        }
    }

    /// Whether the column is one of some texts, where the engine's `IN` is not the best way.
    pub(super) fn one_of_texts(&self, texts: &[&str]) -> Result<Option<String>> {
        let condition = self.dialect.engine().one_of_texts(&self.nominal, texts);
        if condition.is_some() {
            texts.iter().try_for_each(|text| self.dialect.check_text(&self.what(), text))?;
        }
        Ok(condition)
    }

    /// Whether the column is one of some texts (negated: none of them).
    pub(super) fn one_of(&self, texts: &[String], negated: bool) -> Result<String> {
        let text = |text: &String| self.value(&Value::Text(text.clone()), Use::Equal);
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
