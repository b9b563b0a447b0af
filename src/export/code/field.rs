//! The used columns as fields of a row, and how tests compare them.

use std::cmp::Ordering;

use super::identifiers::Identifiers;
use crate::data::dtype::{DType, Kind, Value};
use crate::error::{Error, Result};
use crate::spec::Missing;
use crate::tree::rule::Test;
use crate::tree::{Feature, Schema, Split};

/// The type of a field, or of a class label. Integers of up to 64 bits share one, and floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldType {
    Bool,
    I64,
    U64,
    I128,
    U128,
    F64,
    Text,
}

impl FieldType {
    pub(super) fn of(dtype: &DType) -> FieldType {
        /// Most digits that every 64-bit integer holds.
        const DIGITS: usize = 18;
        match dtype {
            DType::Boolean => FieldType::Bool,
            DType::U64 => FieldType::U64,
            DType::U128 => FieldType::U128,
            DType::Decimal { precision, .. } if *precision <= DIGITS => FieldType::I64,
            DType::I128 | DType::Decimal { .. } => FieldType::I128,
            dtype if dtype.is_float() => FieldType::F64,
            dtype if dtype.is_text() => FieldType::Text,
            _ => FieldType::I64,
        }
    }

    pub(super) fn is_wide(self) -> bool {
        matches!(self, FieldType::I128 | FieldType::U128)
    }
}

/// What tests compare a field's value by.
pub(super) enum FieldCoding {
    /// The number itself.
    Number,
    /// 0 for false and 1 for true.
    Bit,
    /// The number of these cuts, which ascend, that the value is not below.
    Cuts(Vec<Value>),
    /// The index among these levels, which ascend.
    Levels(Vec<Value>),
    /// The index of the category in declared order. Here they ascend as texts, each with its index;
    /// another text is missing.
    Categories(Vec<(String, i32)>),
}

/// The code of a missing value, and of a level that no test names.
pub(super) const MISSING: i32 = -1;
pub(super) const ABSENT: i32 = -2;

/// A used column.
pub(super) struct Field<'t> {
    pub(super) feature: &'t Feature,
    /// Its name in the code.
    pub(super) name: String,
    /// The name of the flag that says that the value is missing, where the type cannot.
    pub(super) missing_name: String,
    pub(super) field_type: FieldType,
    pub(super) coding: FieldCoding,
    /// The code of each level of the feature; [`ABSENT`] for one that no test names.
    code_of_level: Vec<i32>,
    pub(super) may_lack: bool,
}

impl<'t> Field<'t> {
    pub(super) fn is_nominal(&self) -> bool {
        self.feature.kind == Kind::Nominal
    }

    /// Whether tests compare the number itself.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.coding, FieldCoding::Number)
    }

    /// What a test compares the number or the code with.
    pub(super) fn cut(&self, cut: &Value) -> Value {
        let code = match (&self.coding, cut) {
            (FieldCoding::Number, _) => return normal(self.field_type, cut.clone()),
            (FieldCoding::Bit, cut) => i128::from(is_true(cut)),
            (FieldCoding::Cuts(cuts), _) => {
                let cut = normal(self.field_type, cut.clone());
                1 + cuts.partition_point(|other| order(other, &cut).is_lt()) as i128
            }
            (FieldCoding::Categories(categories), Value::Text(text)) => {
                let at = categories.binary_search_by(|(category, _)| category.cmp(text));
                at.map_or(0, |at| categories[at].1).into()
            }
            (FieldCoding::Categories(_) | FieldCoding::Levels(_), _) => 0,
        };
        Value::Int(code)
    }

    /// The code of a level of the feature that a test names.
    pub(super) fn level(&self, level: u32) -> i32 {
        self.code_of_level[level as usize]
    }

    /// A code's level, as comments name it.
    pub(super) fn code_text(&self, code: i32) -> String {
        match &self.coding {
            _ if code == MISSING => "missing".to_string(),
            FieldCoding::Levels(levels) => self.feature.dtype.write(&levels[code as usize]),
            FieldCoding::Cuts(cuts) => self.feature.dtype.write(&cuts[code as usize - 1]),
            FieldCoding::Categories(categories) => {
                let category = categories.iter().find(|(_, index)| *index == code);
                category.map_or(String::new(), |(text, _)| text.clone())
            }
            FieldCoding::Bit | FieldCoding::Number => (code == 1).to_string(),
        }
    }
}

/// Whether a Boolean is true.
pub(super) fn is_true(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text == "true")
}

/// A value in the one form that its field's type has.
pub(super) fn normal(field_type: FieldType, value: Value) -> Value {
    match (field_type, value) {
        (FieldType::U128, Value::Int(x)) => Value::Unsigned(x.max(0).unsigned_abs()),
        // The negative zero is no number of its own.
        (_, Value::Float(x)) => Value::Float(x + 0.0),
        (_, value) => value,
    }
}

fn level_value(feature: &Feature, field_type: FieldType, level: usize) -> Value {
    let text = &feature.levels[level];
    let value = match field_type {
        FieldType::Text => None,
        _ => feature.dtype.parse(text),
    };
    normal(field_type, value.unwrap_or_else(|| Value::Text(text.clone())))
}

/// The order of two values of one feature.
fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a.total_cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Unsigned(a), Value::Unsigned(b)) => a.cmp(b),
        // Values of one feature are of one sort.
        _ => Ordering::Equal,
    }
}

/// The fields of the features that are used, in their order. `field_of` gives the index of each.
///
/// # Errors
/// A feature that has no values.
pub(super) fn fields<'t>(
    schema: &'t Schema,
    used: &[u32],
    field_of: &[u32],
    splits: impl Iterator<Item = &'t Split>,
    missing: Missing,
) -> Result<Vec<Field<'t>>> {
    let features: Vec<&Feature> = used.iter().map(|&f| &schema.features[f as usize]).collect();
    if let Some(feature) = features.iter().find(|feature| feature.dtype == DType::Null) {
        return Err(Error::spec(format!(
            "feature `{}` (null) cannot be a field: it is all missing: fit without it",
            feature.name
        )));
    }
    let unnamed = |f: &&Feature| Named { cuts: Vec::new(), is_level: vec![false; f.levels.len()] };
    let mut named: Vec<Named> = features.iter().map(unnamed).collect();
    for split in splits {
        named[field_of[split.rule.feature as usize] as usize].add(&split.rule.test);
    }
    let mut names = Identifiers::default();
    let field_names: Vec<String> = features.iter().map(|f| names.take(&f.name)).collect();
    let mut field = |((feature, named), name): ((&'t Feature, Named), String)| {
        let (field_type, missing_name) =
            (FieldType::of(&feature.dtype), names.take_near(format!("{name}_missing")));
        let (coding, code_of_level) = named.coding(feature, field_type);
        let may_lack = missing != Missing::Error;
        Field { feature, name, missing_name, field_type, coding, code_of_level, may_lack }
    };
    Ok(features.into_iter().zip(named).zip(field_names).map(&mut field).collect())
}

/// The cuts and levels of a feature that tests name.
struct Named {
    cuts: Vec<Value>,
    /// Whether each level of the feature is one.
    is_level: Vec<bool>,
}

impl Named {
    fn add(&mut self, test: &Test) {
        let (levels, others): (&[u32], &[u32]) = match test {
            Test::AtLeast(cut) => {
                self.cuts.push(cut.clone());
                (&[], &[])
            }
            Test::Equals(level) => (std::slice::from_ref(level), &[]),
            Test::In { right, left } => (right, left),
            Test::Each(levels) => (levels, &[]),
            Test::IsMissing => (&[], &[]),
        };
        levels.iter().chain(others).for_each(|&level| self.is_level[level as usize] = true);
    }

    /// What tests compare by, and the code of each level that they name.
    fn coding(self, feature: &Feature, field_type: FieldType) -> (FieldCoding, Vec<i32>) {
        if field_type == FieldType::Bool {
            let code = |level: &String| i32::from(level == "true");
            return (FieldCoding::Bit, feature.levels.iter().map(code).collect());
        }
        if feature.kind == Kind::Nominal {
            let indices = (0..feature.levels.len()).filter(|&level| self.is_level[level]);
            let value = |level| (level_value(feature, field_type, level), level);
            let mut levels: Vec<(Value, usize)> = indices.map(value).collect();
            levels.sort_by(|(a, _), (b, _)| order(a, b));
            let mut code_of_level = vec![ABSENT; feature.levels.len()];
            (0..).zip(&levels).for_each(|(code, (_, level))| code_of_level[*level] = code);
            let levels = levels.into_iter().map(|(value, _)| value).collect();
            return (FieldCoding::Levels(levels), code_of_level);
        }
        let coding = match (&feature.dtype, field_type) {
            (DType::Enum { categories }, _) => {
                let mut indexed: Vec<_> = categories.iter().cloned().zip(0..).collect();
                indexed.sort();
                FieldCoding::Categories(indexed)
            }
            (_, FieldType::Text | FieldType::I128 | FieldType::U128) => {
                let cuts = self.cuts.into_iter().map(|cut| normal(field_type, cut));
                let mut cuts: Vec<Value> = cuts.collect();
                cuts.sort_by(order);
                cuts.dedup();
                FieldCoding::Cuts(cuts)
            }
            _ => FieldCoding::Number,
        };
        (coding, Vec::new())
    }
}
