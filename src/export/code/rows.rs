//! Rows as code, and what a model answers to them.

use super::field::{Field, FieldCoding, FieldType, normal};
use super::language::Language;
use super::program::{FieldCondition, Program};
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Value};
use crate::error::{Error, Result};

/// A value a field; `None` is missing.
pub(super) type Row = Vec<Option<Value>>;

/// What a model answers to some rows.
pub(crate) struct TestAnswers {
    /// The class of each row; none where the target is a number.
    pub(crate) classes: Vec<u32>,
    /// Row by row, the probability of each class; or the number of each row.
    pub(crate) values: Vec<f64>,
    /// The node that each row ends at, of a tree.
    pub(crate) leaf_ids: Option<Vec<u32>>,
}

/// Rows and what a model answers to them.
pub(super) struct TestRows<'a> {
    pub(super) rows: Vec<Row>,
    pub(super) answers: &'a TestAnswers,
}

impl<'a> TestRows<'a> {
    /// # Errors
    /// No rows; a column that is not there, or whose values the field does not take; a text with a
    /// NUL in C.
    pub(super) fn read<S: Source>(
        program: &Program,
        answers: &'a TestAnswers,
        language: Language,
        column: impl Fn(&str) -> Result<Option<S>>,
    ) -> Result<TestRows<'a>> {
        let n_rows = answers.values.len() / program.width();
        if n_rows == 0 {
            return Err(Error::data("the table has no rows: a test of the code needs one"));
        }
        let mut rows = vec![Row::with_capacity(program.fields.len()); n_rows];
        for field in &program.fields {
            let name = &field.feature.name;
            let Some(column) = column(name)? else {
                return Err(Error::data(format!(
                    "there is no column `{name}`, which the model uses"
                )));
            };
            field.check(column.dtype(), language)?;
            let cells = column.cells();
            for (at, row) in rows.iter_mut().enumerate() {
                let value = cells.value(column.dtype(), at);
                if language == Language::C
                    && let Some(Value::Text(text)) = &value
                    && text.contains('\0')
                {
                    return Err(Error::data(format!(
                        "column `{name}` ({}): row {} has a NUL, which ends a string in C: leave the row out",
                        column.dtype(),
                        at + 1
                    )));
                }
                row.push(value.map(|value| normal(field.field_type, value)));
            }
        }
        Ok(TestRows { rows, answers })
    }
}

impl Field<'_> {
    /// Whether values of a dtype can be this field's.
    fn check(&self, dtype: &DType, language: Language) -> Result<()> {
        let own = &self.feature.dtype;
        let alike = FieldType::of(own) == FieldType::of(dtype)
            && (own.is_text() || own.is_float() || own.is_integer() && dtype.is_integer());
        if own == dtype || *dtype == DType::Null || alike {
            return Ok(());
        }
        Err(Error::data(format!(
            "column `{}` is {dtype} here, but the model was fitted on {own}, which is the type of its {} \
             code: cast it to {own}",
            self.feature.name,
            language.title()
        )))
    }
}

/// A row for an example: of each field the first cut or level that is tested.
pub(super) fn example_row(program: &Program) -> Row {
    let mut row = vec![None; program.fields.len()];
    for test in &program.tests {
        let value = &mut row[test.field as usize];
        let field = &program.fields[test.field as usize];
        *value = match (&field.coding, &test.condition) {
            _ if value.is_some() => value.take(),
            (FieldCoding::Number, FieldCondition::AtLeast(cut, _)) => Some(cut.clone()),
            (FieldCoding::Cuts(values), FieldCondition::AtLeast(Value::Int(code), _)) => {
                values.get(*code as usize - 1).cloned()
            }
            (FieldCoding::Levels(values), FieldCondition::Levels(levels, _)) => {
                levels.first().and_then(|(code, _)| values.get(*code as usize)).cloned()
            }
            (FieldCoding::Categories(categories), _) => {
                categories.first().map(|(text, _)| Value::Text(text.clone()))
            }
            (FieldCoding::Bit, _) => Some(Value::Text("true".to_string())),
            _ => None,
        };
    }
    // A field that is only asked whether it is missing has no value to show.
    for (value, field) in row.iter_mut().zip(&program.fields).filter(|(value, _)| value.is_none()) {
        *value = Some(match field.field_type {
            FieldType::Text => Value::Text(String::new()),
            FieldType::Bool => Value::Text("true".to_string()),
            FieldType::F64 => Value::Float(0.0),
            FieldType::U128 => Value::Unsigned(0),
            FieldType::I64 | FieldType::U64 | FieldType::I128 => Value::Int(0),
        });
    }
    row
}
