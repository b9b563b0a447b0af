//! Rust: literals and conditions.

mod programs;
mod source;
mod templates;

use crate::data::dtype::Value;
use crate::export::code::branches::{BranchCondition, Branches, Words, coded, is_code};
use crate::export::code::field::{Field, FieldCoding, FieldType, MISSING, is_true};
use crate::export::code::program::Program;
use crate::export::code::text::{self, listed};
use templates::{TREE, TREES};

pub(super) struct Rust<'p>(pub(super) &'p Program<'p>);

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

pub(super) fn literal(field_type: FieldType, value: &Value) -> String {
    match (field_type, value) {
        (FieldType::Bool, value) => is_true(value).to_string(),
        (_, Value::Float(x)) => float(*x),
        (_, Value::Text(text)) => string(text),
        (_, Value::Unsigned(x)) => x.to_string(),
        (FieldType::I64, Value::Int(x)) => (*x).clamp(i64::MIN.into(), i64::MAX.into()).to_string(),
        (FieldType::U64, Value::Int(x)) => (*x).clamp(0, u64::MAX.into()).to_string(),
        (_, Value::Int(x)) => x.to_string(),
    }
}

pub(super) fn float(x: f64) -> String {
    text::float(x, ["f64::NAN", "f64::INFINITY", "f64::NEG_INFINITY"])
}

fn string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

impl Rust<'_> {
    pub(super) fn label_type(&self) -> FieldType {
        FieldType::of(&self.0.schema.target_dtype)
    }

    pub(super) fn label(&self, class: usize) -> String {
        literal(self.label_type(), &self.0.schema.classes[class])
    }
}

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
    fn words(&self) -> Words {
        Words { condition: ["if ", " {"], close: Some("}"), end: ";", comment: " // " }
    }

    fn condition(&self, field: &Field, condition: &BranchCondition) -> String {
        let name = &field.name;
        match condition {
            BranchCondition::IsMissing { holds } if field.is_number() => {
                format!("{}{}", if *holds { "" } else { "!" }, is_missing(field))
            }
            BranchCondition::IsMissing { holds } => is_code(field, MISSING, *holds),
            BranchCondition::OneOf { codes, holds } if codes.len() == 1 => {
                is_code(field, codes[0], *holds)
            }
            BranchCondition::OneOf { codes, holds } => {
                let codes: Vec<String> = codes.iter().map(i32::to_string).collect();
                let not = if *holds { "" } else { "!" };
                format!("{not}matches!({name}_code, {})", codes.join(" | "))
            }
            BranchCondition::Compared { at_least, cut, or_missing } if field.is_number() => {
                let sign = |at_least: bool| if at_least { ">=" } else { "<" };
                let (cut, holds) = (literal(field.field_type, cut), sign(*at_least));
                match (has_option(field), or_missing) {
                    (true, true) => format!("row.{name}.is_none_or(|x| x {holds} {cut})"),
                    (true, false) => format!("row.{name}.is_some_and(|x| x {holds} {cut})"),
                    // No comparison holds for NaN.
                    (false, true) => format!("!(row.{name} {} {cut})", sign(!at_least)),
                    (false, false) => format!("row.{name} {holds} {cut}"),
                }
            }
            BranchCondition::Compared { at_least, cut, or_missing } => {
                let cut = literal(FieldType::I64, cut);
                coded(field, *at_least, &cut, *or_missing, ["||", "&&"])
            }
        }
    }

    fn read(&self, field: &Field) -> Option<String> {
        (!field.is_number()).then(|| format!("let {}_code = {};", field.name, code(field)))
    }

    fn refusal(&self) -> String {
        let floats = self.0.fields.iter().filter(|field| field.field_type == FieldType::F64);
        let floats = floats.filter(|_| self.0.refuses_missing);
        let known =
            |f: &Field| format!("    assert!(!row.{0}.is_nan(), \"{0} is missing\");\n", f.name);
        floats.map(known).collect()
    }

    fn trees(&self, names: &[String]) -> String {
        self.fill(TREES, &[("NAMES", &listed(names))])
    }

    fn function(&self, about: &str, name: &str, is_asked: bool, lines: &str) -> String {
        let argument = if is_asked { "row" } else { "_row" };
        let values =
            [("ABOUT", about), ("FUNCTION", name), ("ARGUMENT", argument), ("LINES", lines)];
        self.fill(TREE, &values)
    }
}
