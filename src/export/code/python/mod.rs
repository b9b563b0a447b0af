//! Python: literals and conditions.

mod programs;
mod source;
mod templates;

use crate::data::dtype::Value;
use crate::export::code::branches::{BranchCondition, Branches};
use crate::export::code::field::{ABSENT, Field, FieldCoding, FieldType, MISSING};
use crate::export::code::program::Program;
use crate::export::comment::comment;

/// A model in Python.
pub(super) struct Python<'p>(pub(super) &'p Program<'p>);

fn type_name(field_type: FieldType) -> &'static str {
    match field_type {
        FieldType::Bool => "bool",
        FieldType::I64 | FieldType::U64 | FieldType::I128 | FieldType::U128 => "int",
        FieldType::F64 => "float",
        FieldType::Text => "str",
    }
}

/// A value as a literal.
pub(super) fn literal(field_type: FieldType, value: &Value) -> String {
    match (field_type, value) {
        (FieldType::Bool, value) => boolean(*value == Value::Text("true".to_string())).to_string(),
        (_, Value::Float(x)) => float(*x),
        (_, Value::Text(text)) => string(text),
        (_, Value::Unsigned(x)) => x.to_string(),
        (_, Value::Int(x)) => x.to_string(),
    }
}

fn boolean(holds: bool) -> &'static str {
    if holds { "True" } else { "False" }
}

/// A float that reads back exactly.
pub(super) fn float(x: f64) -> String {
    if x.is_nan() {
        "float(\"nan\")".to_string()
    } else if x.is_infinite() {
        if x > 0.0 { "float(\"inf\")" } else { "float(\"-inf\")" }.to_string()
    } else {
        format!("{x:?}")
    }
}

/// Text as a string literal of ASCII.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                literal.push('\\');
                literal.push(c);
            }
            ' '..='~' => literal.push(c),
            c if u32::from(c) <= 0xffff => literal += &format!("\\u{:04x}", u32::from(c)),
            c => literal += &format!("\\U{:08x}", u32::from(c)),
        }
    }
    literal + "\""
}

impl Python<'_> {
    pub(super) fn label(&self, class: usize) -> String {
        let (value, dtype) = (&self.0.schema.classes[class], &self.0.schema.target_dtype);
        match FieldType::of(dtype) {
            FieldType::Text => string(&dtype.write(value)),
            FieldType::Bool => boolean(dtype.write(value) == "true").to_string(),
            label_type => literal(label_type, value),
        }
    }
}

/// A row's number, None where it is missing.
fn number(field: &Field) -> String {
    let x = format!("row.{}", field.name);
    match field.may_lack {
        true => format!("{x} if {x} == {x} else None"),
        false => x,
    }
}

/// The code of a row's value.
fn code(field: &Field) -> String {
    let (x, upper) = (format!("row.{}", field.name), field.name.to_uppercase());
    let is_missing = format!("{x} is None or {x} != {x}");
    let known = match &field.coding {
        FieldCoding::Number => x,
        FieldCoding::Bit => format!("int({x})"),
        FieldCoding::Cuts(_) => format!("bisect_right(_{upper}_CUTS, {x})"),
        FieldCoding::Levels(_) => format!("_{upper}_LEVELS.get({x}, {ABSENT})"),
        FieldCoding::Categories(_) => format!("_{upper}_ORDER.get({x}, {MISSING})"),
    };
    match field.may_lack {
        true => format!("{MISSING} if {is_missing} else {known}"),
        false => known,
    }
}

impl Branches for Python<'_> {
    fn condition(&self, field: &Field, condition: &BranchCondition) -> String {
        // Locals: numbers, of which a missing one is None, and codes.
        let Field { name, .. } = field;
        let (x, is_missing, is_known) = match field.is_number() {
            true => (name.clone(), format!("{name} is None"), format!("{name} is not None")),
            false => {
                let code = format!("{name}_code");
                (code.clone(), format!("{code} == {MISSING}"), format!("{code} != {MISSING}"))
            }
        };
        let compared = |sign: &str, cut: &Value| match field.is_number() {
            true => format!("{x} {sign} {}", literal(field.field_type, cut)),
            false => format!("{x} {sign} {}", literal(FieldType::I64, cut)),
        };
        let listed = |codes: &[i32]| {
            let codes: Vec<String> = codes.iter().map(i32::to_string).collect();
            codes.join(", ")
        };
        match condition {
            BranchCondition::IsMissing => is_missing,
            BranchCondition::IsKnown => is_known,
            BranchCondition::OneOf(codes) if codes.len() == 1 => format!("{x} == {}", codes[0]),
            BranchCondition::NoneOf(codes) if codes.len() == 1 => format!("{x} != {}", codes[0]),
            BranchCondition::OneOf(codes) => format!("{x} in ({})", listed(codes)),
            BranchCondition::NoneOf(codes) => format!("{x} not in ({})", listed(codes)),
            BranchCondition::AtLeast(cut, true) => {
                format!("{is_missing} or {}", compared(">=", cut))
            }
            BranchCondition::Below(cut, true) => format!("{is_missing} or {}", compared("<", cut)),
            BranchCondition::AtLeast(cut, false) if field.may_lack => {
                format!("{is_known} and {}", compared(">=", cut))
            }
            BranchCondition::Below(cut, false) if field.may_lack => {
                format!("{is_known} and {}", compared("<", cut))
            }
            BranchCondition::AtLeast(cut, false) => compared(">=", cut),
            BranchCondition::Below(cut, false) => compared("<", cut),
        }
    }

    fn open(&self, condition: &str, names: &str) -> String {
        match names {
            "" => format!("if {condition}:"),
            names => format!("if {condition}:  # {names}"),
        }
    }

    fn close(&self) -> Option<&'static str> {
        None
    }

    fn answer(&self, answer: u32, says: &str) -> String {
        format!("return {answer}  # {}", comment(says))
    }
}
