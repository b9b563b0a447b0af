//! Rust: literals and conditions.

mod programs;
mod source;
mod templates;

use crate::data::dtype::Value;
use crate::export::code::branches::{BranchCondition, Branches};
use crate::export::code::field::{Field, FieldCoding, FieldType, MISSING};
use crate::export::code::program::Program;
use crate::export::comment::comment;

/// A model in Rust.
pub(super) struct Rust<'p>(pub(super) &'p Program<'p>);

/// A type as Rust writes it.
pub(super) fn type_name(field_type: FieldType) -> &'static str {
    match field_type {
        FieldType::Bool => "bool",
        FieldType::I64 => "i64",
        FieldType::U64 => "u64",
        FieldType::I128 => "i128",
        FieldType::U128 => "u128",
        FieldType::F64 => "f64",
        FieldType::Text => "&str",
    }
}

/// A value of a type as a literal.
pub(super) fn literal(field_type: FieldType, value: &Value) -> String {
    match (field_type, value) {
        (FieldType::Bool, value) => (*value == Value::Text("true".to_string())).to_string(),
        (_, Value::Float(x)) => float(*x),
        (_, Value::Text(text)) => string(text),
        (_, Value::Unsigned(x)) => x.to_string(),
        (FieldType::I64, Value::Int(x)) => (*x).clamp(i64::MIN.into(), i64::MAX.into()).to_string(),
        (FieldType::U64, Value::Int(x)) => (*x).clamp(0, u64::MAX.into()).to_string(),
        (_, Value::Int(x)) => x.to_string(),
    }
}

/// A float that reads back exactly.
pub(super) fn float(x: f64) -> String {
    if x.is_nan() {
        "f64::NAN".to_string()
    } else if x.is_infinite() {
        if x > 0.0 { "f64::INFINITY" } else { "f64::NEG_INFINITY" }.to_string()
    } else {
        format!("{x:?}")
    }
}

fn string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

impl Rust<'_> {
    pub(super) fn label_type(&self) -> FieldType {
        FieldType::of(&self.0.schema.target_dtype)
    }

    pub(super) fn label(&self, class: usize) -> String {
        let (value, dtype) = (&self.0.schema.classes[class], &self.0.schema.target_dtype);
        match self.label_type() {
            FieldType::Text => string(&dtype.write(value)),
            FieldType::Bool => (dtype.write(value) == "true").to_string(),
            label_type => literal(label_type, value),
        }
    }
}

/// Whether the field is an `Option`.
pub(super) fn has_option(field: &Field) -> bool {
    field.may_lack && field.field_type != FieldType::F64
}

fn is_missing(field: &Field) -> String {
    match field.field_type {
        FieldType::F64 => format!("row.{}.is_nan()", field.name),
        _ => format!("row.{}.is_none()", field.name),
    }
}

/// The code of a row's value.
fn code(field: &Field) -> String {
    let upper = field.name.to_uppercase();
    let of = |x: &str| match &field.coding {
        FieldCoding::Number => x.to_string(),
        FieldCoding::Bit => format!("i32::from({x})"),
        FieldCoding::Cuts(_) => format!("rank({x}, &{upper}_CUTS)"),
        FieldCoding::Levels(_) => format!("level({x}, &{upper}_LEVELS)"),
        FieldCoding::Categories(_) => format!("category({x}, &{upper}_CATEGORIES, &{upper}_ORDER)"),
    };
    let x = format!("row.{}", field.name);
    match (has_option(field), field.may_lack) {
        (true, _) => format!("{x}.map_or({MISSING}, |x| {})", of("x")),
        (false, true) => format!("if {x}.is_nan() {{ {MISSING} }} else {{ {} }}", of(&x)),
        (false, false) => of(&x),
    }
}

impl Branches for Rust<'_> {
    fn condition(&self, field: &Field, condition: &BranchCondition) -> String {
        let Field { name, .. } = field;
        let is_number = field.is_number();
        let compared = |sign: &str, cut: &Value, or_missing: bool| {
            if !is_number {
                let compared = format!("{name}_code {sign} {}", literal(FieldType::I64, cut));
                return match (sign, or_missing) {
                    // The code of a missing value is below all others.
                    (">=", true) => format!("{name}_code == {MISSING} || {compared}"),
                    ("<", false) if field.may_lack => {
                        format!("{name}_code != {MISSING} && {compared}")
                    }
                    _ => compared,
                };
            }
            let cut = literal(field.field_type, cut);
            match (has_option(field), or_missing) {
                (true, true) => format!("row.{name}.is_none_or(|x| x {sign} {cut})"),
                (true, false) => format!("row.{name}.is_some_and(|x| x {sign} {cut})"),
                // No comparison holds for NaN.
                (false, true) => {
                    format!("!(row.{name} {} {cut})", if sign == "<" { ">=" } else { "<" })
                }
                (false, false) => format!("row.{name} {sign} {cut}"),
            }
        };
        let one_of = |codes: &[i32]| {
            let codes: Vec<String> = codes.iter().map(i32::to_string).collect();
            format!("matches!({name}_code, {})", codes.join(" | "))
        };
        match condition {
            BranchCondition::IsMissing if is_number => is_missing(field),
            BranchCondition::IsKnown if is_number => format!("!{}", is_missing(field)),
            BranchCondition::IsMissing => format!("{name}_code == {MISSING}"),
            BranchCondition::IsKnown => format!("{name}_code != {MISSING}"),
            BranchCondition::OneOf(codes) if codes.len() == 1 => {
                format!("{name}_code == {}", codes[0])
            }
            BranchCondition::NoneOf(codes) if codes.len() == 1 => {
                format!("{name}_code != {}", codes[0])
            }
            BranchCondition::OneOf(codes) => one_of(codes),
            BranchCondition::NoneOf(codes) => format!("!{}", one_of(codes)),
            BranchCondition::AtLeast(cut, or_missing) => compared(">=", cut, *or_missing),
            BranchCondition::Below(cut, or_missing) => compared("<", cut, *or_missing),
        }
    }

    fn open(&self, condition: &str, names: &str) -> String {
        match names {
            "" => format!("if {condition} {{"),
            names => format!("if {condition} {{ // {names}"),
        }
    }

    fn close(&self) -> Option<&'static str> {
        Some("}")
    }

    fn answer(&self, answer: u32, says: &str) -> String {
        format!("return {answer}; // {}", comment(says))
    }
}
