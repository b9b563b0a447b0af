//! C: literals and conditions.

mod programs;
mod source;
mod templates;

use crate::data::dtype::Value;
use crate::error::{Error, Result};
use crate::export::code::branches::{BranchCondition, Branches, Words, coded, is_code};
use crate::export::code::field::{Field, FieldCoding, FieldType, MISSING, is_true};
use crate::export::code::program::Program;
use crate::export::code::text::{self, listed};
use crate::tree::Feature;
use templates::{TREE, TREES};

pub(super) struct C<'p> {
    pub(super) program: &'p Program<'p>,
    /// What public names begin with.
    pub(super) name: &'p str,
}

/// A type as C writes it before a name.
pub(super) fn type_name(field_type: FieldType) -> &'static str {
    match field_type {
        FieldType::Bool => "bool ",
        FieldType::I64 => "int64_t ",
        FieldType::U64 => "uint64_t ",
        FieldType::I128 => "gaintree_int128 ",
        FieldType::U128 => "gaintree_uint128 ",
        FieldType::F64 => "double ",
        FieldType::Text => "const char *",
    }
}

pub(super) fn literal(field_type: FieldType, value: &Value) -> String {
    match (field_type, value) {
        (_, Value::Float(x)) => float(*x),
        (FieldType::Bool, value) => is_true(value).to_string(),
        (_, Value::Text(text)) => string(text),
        (FieldType::I128, Value::Int(x)) => wide("gaintree_int128", *x as u128),
        (FieldType::U128, Value::Int(x)) => wide("gaintree_uint128", *x as u128),
        (_, Value::Unsigned(x)) => wide("gaintree_uint128", *x),
        (FieldType::U64, Value::Int(x)) => format!("UINT64_C({x})"),
        (_, Value::Int(x)) => match i64::try_from(*x) {
            Ok(i64::MIN) => "INT64_MIN".to_string(),
            Ok(x) => integer(x),
            Err(_) => if *x < 0 { "INT64_MIN" } else { "INT64_MAX" }.to_string(),
        },
    }
}

fn integer(x: i64) -> String {
    if i32::try_from(x).is_ok_and(|x| x != i32::MIN) {
        x.to_string()
    } else {
        format!("INT64_C({x})")
    }
}

pub(super) fn float(x: f64) -> String {
    text::float(x, ["NAN", "INFINITY", "-INFINITY"])
}

fn wide(type_name: &str, bits: u128) -> String {
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    format!("({type_name})((gaintree_uint128)UINT64_C({high}) << 64 | UINT64_C({low}))")
}

/// Text as UTF-8 in a string literal: what could end it, or be part of a trigraph, is a number.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => literal += &format!("\\{byte:03o}"),
            b' '..=b'~' => literal.push(byte.into()),
            _ => literal += &format!("\\{byte:03o}"),
        }
    }
    literal + "\""
}

impl<'p> C<'p> {
    /// # Errors
    /// A text with a NUL, which ends strings.
    pub(super) fn new(program: &'p Program<'p>, name: &'p str) -> Result<C<'p>> {
        let has_nul = |value: &Value| matches!(value, Value::Text(text) if text.contains('\0'));
        let refused = |what: String| {
            Err(Error::spec(format!("{what} has a NUL, which ends a string in C: replace it")))
        };
        for Field { feature: Feature { name, dtype, .. }, coding, .. } in &program.fields {
            let of = |part: &str, text: &str| {
                refused(format!("feature `{name}` ({dtype}): its {part} {text:?}"))
            };
            match coding {
                FieldCoding::Levels(values) | FieldCoding::Cuts(values) => {
                    if let Some(Value::Text(text)) = values.iter().find(|value| has_nul(value)) {
                        return of("level", text);
                    }
                }
                FieldCoding::Categories(categories) => {
                    if let Some((text, _)) = categories.iter().find(|(text, _)| text.contains('\0'))
                    {
                        return of("category", text);
                    }
                }
                FieldCoding::Number | FieldCoding::Bit => {}
            }
        }
        if let Some(class) = program.schema.classes.iter().find(|class| has_nul(class)) {
            let text = program.schema.target_dtype.write(class);
            return refused(format!("target `{}`: its class {text:?}", program.schema.target));
        }
        Ok(C { program, name })
    }

    /// The type of labels: integers of 128 bits, which C prints by no name, are text.
    pub(super) fn label_type(&self) -> FieldType {
        match FieldType::of(&self.program.schema.target_dtype) {
            _ if self.program.is_regression() => FieldType::F64,
            wide if wide.is_wide() => FieldType::Text,
            other => other,
        }
    }

    pub(super) fn label(&self, class: usize) -> String {
        let schema = self.program.schema;
        let value = &schema.classes[class];
        match self.label_type() {
            FieldType::Text => string(&schema.target_dtype.write(value)),
            label_type => literal(label_type, value),
        }
    }

    pub(super) fn is_missing(field: &Field) -> String {
        let Field { name, missing_name, .. } = field;
        match field.field_type {
            FieldType::F64 => format!("row->{name} != row->{name}"),
            FieldType::Text => format!("row->{name} == NULL"),
            _ => format!("row->{missing_name}"),
        }
    }

    /// The flag that says so, where the type cannot.
    pub(super) fn has_flag(field: &Field) -> bool {
        field.may_lack && !matches!(field.field_type, FieldType::F64 | FieldType::Text)
    }

    /// The code of a row's value.
    pub(super) fn code(field: &Field) -> String {
        let Field { name, .. } = field;
        let known = match &field.coding {
            FieldCoding::Number => return format!("row->{name}"),
            FieldCoding::Bit => format!("row->{name} ? 1 : 0"),
            FieldCoding::Cuts(cuts) => {
                format!(
                    "{}(row->{name}, {name}_cuts, {})",
                    search("rank", field.field_type),
                    cuts.len()
                )
            }
            FieldCoding::Levels(levels) => {
                let n = levels.len();
                format!("{}(row->{name}, {name}_levels, {n})", search("level", field.field_type))
            }
            FieldCoding::Categories(categories) => format!(
                "category_of_text(row->{name}, {name}_categories, {name}_order, {})",
                categories.len()
            ),
        };
        match field.may_lack {
            true => format!("{} ? {MISSING} : {known}", C::is_missing(field)),
            false => known,
        }
    }
}

/// The function that searches values of a type.
pub(super) fn search(what: &str, field_type: FieldType) -> String {
    let of = match field_type {
        FieldType::Text => "text",
        FieldType::F64 => "double",
        FieldType::U64 => "uint64",
        FieldType::I128 => "int128",
        FieldType::U128 => "uint128",
        FieldType::I64 | FieldType::Bool => "int64",
    };
    format!("{what}_of_{of}")
}

impl Branches for C<'_> {
    fn words(&self) -> Words {
        Words { condition: ["if (", ") {"], close: Some("}"), end: ";", comment: " // " }
    }

    fn condition(&self, field: &Field, condition: &BranchCondition) -> String {
        match condition {
            BranchCondition::IsMissing { holds } if field.is_number() => match holds {
                true => C::is_missing(field),
                false => format!("!({})", C::is_missing(field)),
            },
            BranchCondition::IsMissing { holds } => is_code(field, MISSING, *holds),
            BranchCondition::OneOf { codes, holds } => {
                let each = codes.iter().map(|code| is_code(field, *code, *holds));
                each.collect::<Vec<_>>().join(if *holds { " || " } else { " && " })
            }
            BranchCondition::Compared { at_least, cut, or_missing } if field.is_number() => {
                let cut = literal(field.field_type, cut);
                let compared = |at_least: bool| {
                    format!("row->{} {} {cut}", field.name, if at_least { ">=" } else { "<" })
                };
                let (holds, is_missing) = (compared(*at_least), C::is_missing(field));
                match (or_missing, C::has_flag(field)) {
                    (true, true) => format!("{is_missing} || {holds}"),
                    (false, true) => format!("!{is_missing} && {holds}"),
                    // No comparison holds for NaN.
                    (true, false) => format!("!({})", compared(!at_least)),
                    (false, false) => holds,
                }
            }
            BranchCondition::Compared { at_least, cut, or_missing } => {
                let cut = literal(FieldType::I64, cut);
                coded(field, *at_least, &cut, *or_missing, ["||", "&&"])
            }
        }
    }

    fn read(&self, field: &Field) -> Option<String> {
        let code = || format!("const int32_t {}_code = {};", field.name, C::code(field));
        (!field.is_number()).then(code)
    }

    fn refusal(&self) -> String {
        let known = |field: &Field| match field.field_type {
            FieldType::F64 => Some(format!("    assert(row->{0} == row->{0});\n", field.name)),
            FieldType::Text => Some(format!("    assert(row->{} != NULL);\n", field.name)),
            _ => None,
        };
        let fields = self.program.fields.iter().filter(|_| self.program.refuses_missing);
        fields.filter_map(known).collect()
    }

    fn trees(&self, names: &[String]) -> String {
        self.fill(TREES, &[("NAMES", &listed(names))])
    }

    fn function(&self, about: &str, name: &str, is_asked: bool, lines: &str) -> String {
        let lines = if is_asked { lines.to_string() } else { format!("    (void)row;\n{lines}") };
        self.fill(TREE, &[("ABOUT", about), ("FUNCTION", name), ("LINES", &lines)])
    }
}
