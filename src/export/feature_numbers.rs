//! The `f64` that the values of a feature are to programs that know no other numbers.
//!
//! An ordered number, and the integer behind a date, a time or a decimal, is itself; `false` and `true`
//! are 0 and 1; a value of another nominal feature is its index among the levels, and one of an ordered
//! enum its index among the categories.

use std::collections::HashMap;

use crate::data::dtype::{DType, Kind, Value};
use crate::error::{Error, Result};
use crate::tree::Feature;

/// Values that have an index.
pub(super) enum IndexedValues<'t> {
    Texts(&'t [String]),
    Numbers(Vec<f64>),
}

/// A feature whose values are numbers.
pub(super) struct FeatureNumbers<'t> {
    pub(super) feature: &'t Feature,
    /// The index of each category of an ordered enum.
    categories: HashMap<&'t str, u32>,
    /// What takes the numbers, in messages.
    program: &'static str,
}

impl<'t> FeatureNumbers<'t> {
    /// # Errors
    /// A feature that is ordered by text, all missing, or of integers of 128 bits.
    pub(super) fn new(feature: &'t Feature, program: &'static str) -> Result<Self> {
        let is_ordered = feature.kind == Kind::Ordered;
        let categories = match &feature.dtype {
            DType::Enum { categories } if is_ordered => {
                categories.iter().map(String::as_str).zip(0..).collect()
            }
            _ => HashMap::new(),
        };
        let numbers = FeatureNumbers { feature, categories, program };
        match &feature.dtype {
            DType::I128 | DType::U128 => Err(numbers
                .cannot("it has no integers of 128 bits: cast it to i64 or f64, and fit again")),
            DType::Null => Err(numbers.cannot("it is all missing: fit without it")),
            DType::String | DType::Categorical if is_ordered => Err(numbers.cannot(
                "it does not order texts: fit it as nominal, or cast it to an enum, and fit again",
            )),
            _ => Ok(numbers),
        }
    }

    fn cannot(&self, why: &str) -> Error {
        let Feature { name, dtype, .. } = self.feature;
        Error::spec(format!(
            "feature `{name}` ({dtype}) cannot be put into {}: {why}",
            self.program
        ))
    }

    /// The values that have an index, in that order; `None` where a value is its own number.
    ///
    /// # Errors
    /// As [`cut`](Self::cut).
    pub(super) fn indexed(&self) -> Result<Option<IndexedValues<'t>>> {
        let Feature { dtype, kind, levels, .. } = self.feature;
        Ok(match (dtype, kind) {
            (DType::Enum { categories }, Kind::Ordered) => Some(IndexedValues::Texts(categories)),
            (_, Kind::Ordered) | (DType::Boolean, Kind::Nominal) => None,
            (dtype, Kind::Nominal) if dtype.is_text() => Some(IndexedValues::Texts(levels)),
            (dtype, Kind::Nominal) => {
                let number = |text: &String| {
                    let value = dtype.parse(text).unwrap_or_else(|| Value::Text(text.clone()));
                    self.number(&value).ok_or_else(|| self.beyond("level", &value))
                };
                Some(IndexedValues::Numbers(levels.iter().map(number).collect::<Result<_>>()?))
            }
        })
    }

    /// The number of a cut: a value is at least the one if its number is at least the other.
    ///
    /// # Errors
    /// An integer, or a time, whose neighbours are the same `f64`.
    pub(super) fn cut(&self, cut: &Value) -> Result<f64> {
        self.number(cut).ok_or_else(|| self.beyond("cut", cut))
    }

    /// The number of a level, which no other level has.
    pub(super) fn level(&self, level: u32) -> f64 {
        match self.feature.dtype {
            DType::Boolean => f64::from(self.feature.levels[level as usize] == "true"),
            _ => f64::from(level),
        }
    }

    fn number(&self, value: &Value) -> Option<f64> {
        match (value, &self.feature.dtype) {
            (Value::Text(text), DType::Boolean) => Some(f64::from(text == "true")),
            (Value::Text(text), _) => self.categories.get(text.as_str()).copied().map(f64::from),
            // The negative zero is no number of its own.
            _ => value.exact_f64().map(|x| x + 0.0),
        }
    }

    fn beyond(&self, what: &str, value: &Value) -> Error {
        let is_time = matches!(self.feature.dtype, DType::Datetime { .. } | DType::Duration { .. });
        let way_out = match is_time {
            true => "cast it to a coarser unit",
            false => "cast it to f64, or subtract a constant",
        };
        self.cannot(&format!(
            "its {what} {} is 2^53 = {} units of its integers or more, where doubles do not tell \
             neighbours apart: {way_out}, and fit again",
            self.feature.dtype.write(value),
            1u64 << 53,
        ))
    }
}
