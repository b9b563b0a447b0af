//! A feature as SQL conditions name it.

use super::literal::Use;
use super::{Dialect, datafusion};
use crate::data::dtype::{DType, Kind, Value};
use crate::error::Result;
use crate::tree::Feature;

/// So few texts stay in an `IN`, which DuckDB then compares one by one.
const IN_TEXTS: usize = 4;
/// So many texts are searched as one.
const SEARCHED_TEXTS: usize = 128;
/// Of which one is in none of the texts.
const SEPARATORS: [char; 6] = [',', '|', ';', '/', '~', '\t'];

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
        let [ordered, nominal] = if feature.dtype.is_text() {
            dialect.text_operands(&name)
        } else if dialect == Dialect::DataFusion {
            let operand = datafusion::operand(feature, &name);
            [operand.clone(), operand]
        } else {
            [name.clone(), name.clone()]
        };
        let mut operand = Operand { dialect, feature, name, ordered, nominal, also_missing: None };
        if feature.dtype.is_float() {
            operand.also_missing = dialect.is_nan(&operand.ordered);
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

    /// Whether the column is on one side of a value (`operator` is `>=`, `<` or `<=`); null for null.
    pub(super) fn compared(&self, operator: &str, value: &Value, how: Use) -> Result<String> {
        let literal = self.value(value, how)?;
        let x = match self.dialect.needs_nanoseconds(&self.feature.dtype, value) {
            true => &format!("CAST({} AS TIME_NS)", self.ordered),
            false => &self.ordered,
        };
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
        match self.joined(&texts) {
            Some(condition) => {
                let condition = condition?;
                Ok(if negated { format!("NOT {condition}") } else { condition })
            }
            None => self.is_in(&self.levels(levels)?, negated),
        }
    }

    /// Whether a text is one of many, in DuckDB, which plans a join for each `IN` of constants: of a
    /// few hundred of them it makes minutes. Here the texts are one constant. It is searched where
    /// they are few; where they are many it is split, once a query, and each such split makes
    /// planning longer. `None` where `IN` does as well, or every separator occurs in a text.
    fn joined(&self, texts: &[&str]) -> Option<Result<String>> {
        let few = self.dialect != Dialect::DuckDb || texts.len() <= IN_TEXTS;
        if few || !self.feature.dtype.is_text() {
            return None;
        }
        let sep = SEPARATORS.into_iter().find(|&sep| !texts.iter().any(|t| t.contains(sep)))?;
        let x = &self.nominal;
        let list = texts.join(&sep.to_string());
        Some(match texts.len() > SEARCHED_TEXTS {
            true => self
                .dialect
                .text(&self.what(), &list)
                .map(|list| format!("list_contains(string_split({list}, '{sep}'), {x})")),
            // A text with a separator in it could be found across two.
            false => self.dialect.text(&self.what(), &format!("{sep}{list}{sep}")).map(|list| {
                format!(
                    "(contains({list}, '{sep}' || {x} || '{sep}') AND NOT contains({x}, '{sep}'))"
                )
            }),
        })
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
