//! Python: literals and conditions.

mod programs;
mod source;
mod templates;

use crate::data::dtype::Value;
use crate::export::code::branches::{BranchCondition, Branches, Words, coded, is_code};
use crate::export::code::field::{ABSENT, Field, FieldCoding, FieldType, MISSING, is_true};
use crate::export::code::program::Program;
use crate::export::code::text::{self, fill, listed};
use templates::{REFUSAL, TREE};

pub(super) struct Python<'p>(pub(super) &'p Program<'p>);

fn type_name(field_type: FieldType) -> &'static str {
    match field_type {
        FieldType::Bool => "bool",
        FieldType::I64 | FieldType::U64 | FieldType::I128 | FieldType::U128 => "int",
        FieldType::F64 => "float",
        FieldType::Text => "str",
    }
}

pub(super) fn literal(field_type: FieldType, value: &Value) -> String {
    match (field_type, value) {
        (FieldType::Bool, value) => boolean(is_true(value)).to_string(),
        (_, Value::Float(x)) => float(*x),
        (_, Value::Text(text)) => string(text),
        (_, Value::Unsigned(x)) => x.to_string(),
        (_, Value::Int(x)) => x.to_string(),
    }
}

fn boolean(holds: bool) -> &'static str {
    if holds { "True" } else { "False" }
}

pub(super) fn float(x: f64) -> String {
    text::float(x, [r#"float("nan")"#, r#"float("inf")"#, r#"float("-inf")"#])
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
        let schema = self.0.schema;
        literal(FieldType::of(&schema.target_dtype), &schema.classes[class])
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
    fn words(&self) -> Words {
        Words { condition: ["if ", ":"], close: None, end: "", comment: "  # " }
    }

    fn condition(&self, field: &Field, condition: &BranchCondition) -> String {
        // Locals are numbers and codes; a missing number is None.
        let name = &field.name;
        match condition {
            BranchCondition::IsMissing { holds } if field.is_number() => {
                format!("{name} is {}None", if *holds { "" } else { "not " })
            }
            BranchCondition::IsMissing { holds } => is_code(field, MISSING, *holds),
            BranchCondition::OneOf { codes, holds } if codes.len() == 1 => {
                is_code(field, codes[0], *holds)
            }
            BranchCondition::OneOf { codes, holds } => {
                let codes: Vec<String> = codes.iter().map(i32::to_string).collect();
                let not = if *holds { "" } else { "not " };
                format!("{name}_code {not}in ({})", codes.join(", "))
            }
            BranchCondition::Compared { at_least, cut, or_missing } if field.is_number() => {
                let sign = if *at_least { ">=" } else { "<" };
                let compared = format!("{name} {sign} {}", literal(field.field_type, cut));
                match or_missing {
                    true => format!("{name} is None or {compared}"),
                    false if field.may_lack => format!("{name} is not None and {compared}"),
                    false => compared,
                }
            }
            BranchCondition::Compared { at_least, cut, or_missing } => {
                let cut = literal(FieldType::I64, cut);
                coded(field, *at_least, &cut, *or_missing, ["or", "and"])
            }
        }
    }

    fn read(&self, field: &Field) -> Option<String> {
        let name = &field.name;
        Some(match field.is_number() {
            true => format!("{name} = {}", number(field)),
            false => format!("{name}_code = {}", code(field)),
        })
    }

    fn refusal(&self) -> String {
        let refuses = self.0.refuses_missing && !self.0.fields.is_empty();
        if refuses { REFUSAL } else { "" }.to_string()
    }

    fn trees(&self, names: &[String]) -> String {
        let names = listed(names.iter().map(|name| format!("_{name}")));
        format!("\n\n_TREES = (\n{names}\n)\n")
    }

    fn function(&self, about: &str, name: &str, _is_asked: bool, lines: &str) -> String {
        let name = format!("_{name}");
        fill(TREE, &[("ABOUT", about), ("FUNCTION", &name), ("LINES", lines)])
    }
}
