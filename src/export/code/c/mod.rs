//! C: literals and conditions.

mod programs;
mod source;
mod templates;

use crate::data::dtype::Value;
use crate::error::{Error, Result};
use crate::export::code::branches::{BranchCondition, Branches};
use crate::export::code::field::{Field, FieldCoding, FieldType, MISSING};
use crate::export::code::program::Program;
use crate::export::comment::comment;
use crate::tree::Feature;

/// The words of a model in C.
pub(super) struct C<'p> {
    pub(super) program: &'p Program<'p>,
    /// What public names begin with.
    pub(super) name: &'p str,
}

/// A type as C writes it.
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

/// A value of a type as a literal.
pub(super) fn literal(field_type: FieldType, value: &Value) -> String {
    match (field_type, value) {
        (_, Value::Float(x)) => float(*x),
        (FieldType::Bool, value) => (*value == Value::Text("true".to_string())).to_string(),
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

/// A float that reads back exactly.
pub(super) fn float(x: f64) -> String {
    if x.is_nan() {
        "NAN".to_string()
    } else if x.is_infinite() {
        if x > 0.0 { "INFINITY" } else { "-INFINITY" }.to_string()
    } else {
        format!("{x:?}")
    }
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
        let (value, dtype) =
            (&self.program.schema.classes[class], &self.program.schema.target_dtype);
        match self.label_type() {
            FieldType::Text => string(&dtype.write(value)),
            FieldType::Bool => (dtype.write(value) == "true").to_string(),
            label_type => literal(label_type, value),
        }
    }

    /// Whether a used column has 128 bits.
    pub(super) fn has_wide(&self) -> bool {
        self.program.fields.iter().any(|field| field.field_type.is_wide())
    }

    /// Whether the value is missing.
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
    fn condition(&self, field: &Field, condition: &BranchCondition) -> String {
        let code = format!("{}_code", field.name);
        let is_missing = match field.is_number() {
            true => C::is_missing(field),
            false => format!("{code} == {MISSING}"),
        };
        // A flag beside a number.
        let has_flag = field.is_number() && C::has_flag(field);
        let compared = |sign: &str, cut: &Value| match field.is_number() {
            true => format!("row->{} {sign} {}", field.name, literal(field.field_type, cut)),
            false => format!("{code} {sign} {}", literal(FieldType::I64, cut)),
        };
        let each = |codes: &[i32], sign: &str, joined: &str| {
            let each = codes.iter().map(|at| format!("{code} {sign} {at}"));
            each.collect::<Vec<_>>().join(joined)
        };
        match condition {
            BranchCondition::IsMissing => is_missing,
            BranchCondition::IsKnown => format!("!({is_missing})"),
            BranchCondition::OneOf(codes) => each(codes, "==", " || "),
            BranchCondition::NoneOf(codes) => each(codes, "!=", " && "),
            BranchCondition::AtLeast(cut, true) if has_flag => {
                format!("{is_missing} || {}", compared(">=", cut))
            }
            BranchCondition::AtLeast(cut, false) if has_flag => {
                format!("!{is_missing} && {}", compared(">=", cut))
            }
            BranchCondition::Below(cut, true) if has_flag => {
                format!("{is_missing} || {}", compared("<", cut))
            }
            BranchCondition::Below(cut, false) if has_flag => {
                format!("!{is_missing} && {}", compared("<", cut))
            }
            // No comparison holds for NaN; the code of a missing value is below all others.
            BranchCondition::AtLeast(cut, true) if field.is_number() => {
                format!("!({})", compared("<", cut))
            }
            BranchCondition::Below(cut, true) if field.is_number() => {
                format!("!({})", compared(">=", cut))
            }
            BranchCondition::AtLeast(cut, true) => {
                format!("{is_missing} || {}", compared(">=", cut))
            }
            BranchCondition::Below(cut, false) if !field.is_number() && field.may_lack => {
                format!("{code} != {MISSING} && {}", compared("<", cut))
            }
            BranchCondition::AtLeast(cut, false) => compared(">=", cut),
            BranchCondition::Below(cut, _) => compared("<", cut),
        }
    }

    fn open(&self, condition: &str, names: &str) -> String {
        match names {
            "" => format!("if ({condition}) {{"),
            names => format!("if ({condition}) {{ // {names}"),
        }
    }

    fn close(&self) -> Option<&'static str> {
        Some("}")
    }

    fn answer(&self, answer: u32, says: &str) -> String {
        format!("return {answer}; // {}", comment(says))
    }
}
