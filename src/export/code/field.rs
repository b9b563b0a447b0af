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
    /// The name of what says that the value is missing, where the type cannot.
    pub(super) missing_name: String,
    pub(super) field_type: FieldType,
    pub(super) coding: FieldCoding,
    /// Whether a row may lack it.
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

    /// The code of a level of the feature.
    pub(super) fn level(&self, level: u32) -> i32 {
        let value = level_value(self.feature, self.field_type, level);
        match &self.coding {
            FieldCoding::Levels(levels) => {
                levels.partition_point(|other| order(other, &value).is_lt()) as i32
            }
            _ => i32::from(is_true(&value)),
        }
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

fn is_true(value: &Value) -> bool {
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

fn level_value(feature: &Feature, field_type: FieldType, level: u32) -> Value {
    let text = &feature.levels[level as usize];
    let value = match field_type {
        FieldType::Text | FieldType::Bool => None,
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

/// The fields of the features that are used, in their order.
///
/// # Errors
/// A feature that has no values.
pub(super) fn fields<'t>(
    schema: &'t Schema,
    used: &[u32],
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
    let mut field_of = vec![usize::MAX; schema.features.len()];
    used.iter().enumerate().for_each(|(field, &feature)| field_of[feature as usize] = field);
    let mut values: Vec<Vec<Value>> = vec![Vec::new(); used.len()];
    // Of each field, which levels are there already.
    let mut seen: Vec<Vec<bool>> = features.iter().map(|f| vec![false; f.levels.len()]).collect();
    for split in splits {
        let field = field_of[split.rule.feature as usize];
        let feature = features[field];
        let field_type = FieldType::of(&feature.dtype);
        let (levels, others): (&[u32], &[u32]) = match &split.rule.test {
            Test::AtLeast(cut) => {
                values[field].push(normal(field_type, cut.clone()));
                (&[], &[])
            }
            Test::Equals(level) => (std::slice::from_ref(level), &[]),
            Test::In { right, left } => (right, left),
            Test::Each(levels) => (levels, &[]),
            Test::IsMissing => (&[], &[]),
        };
        for &level in levels.iter().chain(others) {
            if !std::mem::replace(&mut seen[field][level as usize], true) {
                values[field].push(level_value(feature, field_type, level));
            }
        }
    }
    let mut names = Identifiers::default();
    let field = |(feature, mut values): (&'t Feature, Vec<Value>)| {
        values.sort_by(order);
        values.dedup();
        let field_type = FieldType::of(&feature.dtype);
        let coding = match (&feature.dtype, feature.kind, field_type) {
            (_, _, FieldType::Bool) => FieldCoding::Bit,
            (_, Kind::Nominal, _) => FieldCoding::Levels(values),
            (DType::Enum { categories }, Kind::Ordered, _) => {
                let mut indexed: Vec<_> = categories.iter().cloned().zip(0..).collect();
                indexed.sort();
                FieldCoding::Categories(indexed)
            }
            (_, Kind::Ordered, FieldType::Text | FieldType::I128 | FieldType::U128) => {
                FieldCoding::Cuts(values)
            }
            (_, Kind::Ordered, _) => FieldCoding::Number,
        };
        Field {
            feature,
            name: names.take(&feature.name),
            missing_name: String::new(),
            field_type,
            coding,
            may_lack: missing != Missing::Error,
        }
    };
    let mut fields: Vec<Field> = features.into_iter().zip(values).map(field).collect();
    for field in &mut fields {
        field.missing_name = names.take_near(format!("{}_missing", field.name));
    }
    Ok(fields)
}
