//! The rows of a frame as the inputs of a model's ONNX graph.

use std::borrow::Cow;

use super::frame::{Frame, NamedColumns};
use super::table::{ResultColumn, ResultTable};
use crate::data::column_data::Source;
use crate::data::dtype::{DType, PhysicalType, Value, value_of_key};
use crate::error::{Error, Result, no_such_column};
use crate::export::OnnxInput;
use crate::fitted::{Forest, Tree};
use crate::tree::Feature;

impl Tree {
    /// The rows of a frame as the inputs of the model that [`to_onnx`](crate::engine::TreeData::to_onnx)
    /// makes: a column each, by their names and of their dtypes, without nulls. Of any column but a float
    /// there is `<column>__missing` too.
    ///
    /// Columns may have the dtypes that [`score`](crate::ModelVerbs::score) takes. What it answers to the rows is what the
    /// model answers to these columns.
    ///
    /// ```
    /// use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [Some(30i16), None, Some(12), Some(28)], "play" => ["no", "yes", "yes", "no"]]?;
    /// let tree = df.fit_tree("play", &TreeSpec::cart())?.tree;
    /// let inputs = tree.onnx_inputs(&df)?;
    /// assert_eq!(inputs, df!["wind" => [30i16, 0, 12, 28], "wind__missing" => [false, true, false, false]]?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As `to_onnx`. A used column that is not there, or of another dtype; a value that the input cannot
    /// hold, such as 300 in a column that was i8 in training.
    pub fn onnx_inputs<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        inputs(frame, &self.graph_inputs()?)
    }
}

impl Forest {
    /// As [`Tree::onnx_inputs`].
    ///
    /// # Errors
    /// As [`Tree::onnx_inputs`].
    pub fn onnx_inputs<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        inputs(frame, &self.graph_inputs()?)
    }
}

fn inputs<F: Frame + ?Sized>(frame: &F, inputs: &[OnnxInput]) -> Result<F::Table> {
    let names: Vec<&str> = inputs.iter().map(|input| input.feature.name.as_str()).collect();
    let columns = frame.columns(&names.into())?;
    let mut table = ResultTable::default();
    for OnnxInput { feature, dtype, missing } in inputs {
        let name = &feature.name;
        let column = columns
            .column_to_score(name)?
            .ok_or_else(|| no_such_column("feature of the model", name, &columns.names()))?;
        feature.check(column.dtype())?;
        let values = put_in(feature, &column, dtype)?;
        let is_missing: Vec<bool> = values.iter().map(Option::is_none).collect();
        let values = values.into_iter().map(|value| value.unwrap_or_else(|| filler(dtype)));
        table = table.push(name, ResultColumn::Values(dtype, Cow::Owned(values.collect())));
        if let Some(missing) = missing {
            table = table.add(missing, is_missing);
        }
    }
    table.into_table()
}

/// The value of each row as an input of this dtype has it: the integers behind dates, times and
/// decimals, and texts; `None` where it is missing.
fn put_in(feature: &Feature, column: &impl Source, input: &DType) -> Result<Vec<Option<Value>>> {
    let (own, dtype, cells) = (&feature.dtype, column.dtype(), column.cells());
    let is_own = own == dtype || own.is_text() && dtype.is_text();
    let as_fitted = |value: Value, row: usize| {
        if is_own {
            return Ok(value);
        }
        match own.key_at_or_above(&value, dtype) {
            Some((key, true)) => Some(value_of_key(own, key)),
            _ => None,
        }
        .filter(|fitted| has_room(own, fitted))
        .ok_or_else(|| not_held(feature, dtype, &value, own, row))
    };
    let of_row = |row: usize| {
        let Some(value) = cells.value(dtype, row) else { return Ok(None) };
        let value = as_fitted(value, row)?;
        match has_room(input, &value) {
            true => Ok(Some(value)),
            // A decimal of more digits than an input has room for.
            false => Err(not_held(feature, own, &value, input, row)),
        }
    };
    (0..cells.len()).map(of_row).collect()
}

/// Whether a dtype has the bits for an integer: keys have 64, however few a column has.
fn has_room(dtype: &DType, value: &Value) -> bool {
    use PhysicalType::*;
    let Value::Int(x) = *value else { return true };
    match dtype.physical() {
        I8 => i8::try_from(x).is_ok(),
        I16 => i16::try_from(x).is_ok(),
        I32 => i32::try_from(x).is_ok(),
        I64 => i64::try_from(x).is_ok(),
        U8 => u8::try_from(x).is_ok(),
        U16 => u16::try_from(x).is_ok(),
        U32 => u32::try_from(x).is_ok(),
        U64 => u64::try_from(x).is_ok(),
        I128 | U128 | F16 | F32 | F64 | Bool | Text | Null => true,
    }
}

fn not_held(feature: &Feature, dtype: &DType, value: &Value, to: &DType, row: usize) -> Error {
    let text = dtype.write(value);
    Error::data_in_row(
        format!("column `{}` is {dtype} here, and the {text} of", feature.name),
        row,
        &format!(
            ", which {to} cannot hold exactly, has no place in the model's input: leave the row out, \
             or cast the column before the fit"
        ),
    )
}

/// What stands where a value is missing: of floats NaN, which means missing, of others any value.
fn filler(dtype: &DType) -> Value {
    use PhysicalType::*;
    match dtype.physical() {
        Bool | Text => Value::Text(String::new()),
        F16 | F32 | F64 => Value::Float(f64::NAN),
        I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | Null => Value::Int(0),
    }
}
