//! The rows of a DataFrame as the inputs of a model's ONNX graph.

use polars::prelude::{
    BooleanChunked, Column, DataFrame, DataType, IntoSeries, NamedFrom, NewChunkedArray, Series,
};

use crate::adapters::frame::columns::dtypes::polars_dtype;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::columns::names;
use crate::adapters::frame::columns::values::values_as;
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Value, value_of_key};
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
    pub fn onnx_inputs(&self, df: &DataFrame) -> Result<DataFrame> {
        inputs(df, &self.graph_inputs()?)
    }
}

impl Forest {
    /// As [`Tree::onnx_inputs`].
    ///
    /// # Errors
    /// As [`Tree::onnx_inputs`].
    pub fn onnx_inputs(&self, df: &DataFrame) -> Result<DataFrame> {
        inputs(df, &self.graph_inputs()?)
    }
}

fn inputs(df: &DataFrame, inputs: &[OnnxInput]) -> Result<DataFrame> {
    let mut columns: Vec<Column> = Vec::new();
    for OnnxInput { feature, dtype, missing } in inputs {
        let name = &feature.name;
        let column = df
            .column(name)
            .map_err(|_| no_such_column("feature of the model", name, &names(df)))?;
        let cells = FrameColumn::of_model(column)?;
        feature.check(cells.dtype())?;
        let values = as_fitted(feature, &cells, column.as_materialized_series())?;
        let values = as_input(feature, values, dtype)?;
        let is_missing = values.is_null();
        columns.push(filled(&values, &is_missing)?.into());
        if let Some(missing) = missing {
            columns.push(is_missing.into_series().with_name(missing.as_str().into()).into());
        }
    }
    DataFrame::new(df.height(), columns).map_err(Error::from)
}

fn as_fitted(feature: &Feature, cells: &FrameColumn, given: &Series) -> Result<Series> {
    let (own, dtype) = (&feature.dtype, cells.dtype());
    if own == dtype || own.is_text() && dtype.is_text() {
        return Ok(given.clone());
    }
    let data = cells.cells();
    let values = (0..data.len()).map(|row| {
        let Some(value) = data.value(dtype, row) else { return Ok(None) };
        match own.key_at_or_above(&value, dtype) {
            Some((key, true)) => Ok(Some(value_of_key(own, key))),
            _ => Err(not_held(feature, dtype, &value, own, row)),
        }
    });
    let values: Vec<Option<Value>> = values.collect::<Result<_>>()?;
    let is_missing =
        BooleanChunked::from_iter_values("".into(), values.iter().map(Option::is_none));
    let known = values.iter().map(|value| value.as_ref().unwrap_or(&Value::Float(f64::NAN)));
    let column = values_as(&feature.name, own, known)?;
    let series = column.take_materialized_series();
    // Integers have keys of 64 bits, however few bits the column has.
    if let Some(row) = (series.is_null() & !&is_missing).first_true_idx()
        && let Some(value) = data.value(dtype, row)
    {
        return Err(not_held(feature, dtype, &value, own, row));
    }
    let null = Series::full_null("".into(), 1, series.dtype());
    series.zip_with(&!is_missing, &null).map_err(Error::from)
}

/// A column of the dtype that the model was fitted on as what an input holds: the integers behind
/// dates, times and decimals, and texts.
fn as_input(feature: &Feature, values: Series, dtype: &DType) -> Result<Series> {
    let to = polars_dtype(dtype);
    if to == DataType::String {
        return values.cast(&to).map_err(Error::from);
    }
    let physical = values.to_physical_repr();
    let cast = physical.cast(&to)?;
    if cast.null_count() == physical.null_count() {
        return Ok(cast);
    }
    // A decimal of more digits than an input has room for.
    let is_lost = cast.is_null() & physical.is_not_null();
    let row = is_lost.first_true_idx().unwrap_or(0);
    let own = &feature.dtype;
    let value = FrameColumn::new(&values.clone().into()).and_then(|c| c.cells().value(own, row));
    Err(not_held(feature, own, &value.unwrap_or(Value::Int(0)), dtype, row))
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

/// A column with its nulls filled: floats with NaN, which means missing, others with any value.
fn filled(values: &Series, is_missing: &BooleanChunked) -> Result<Series> {
    let name = values.name().clone();
    let filler = match values.dtype() {
        DataType::Boolean => Series::new(name, [false]),
        DataType::String => Series::new(name, [""]),
        dtype if dtype.is_float() => Series::new(name, [f64::NAN]).cast(dtype)?,
        dtype => Series::new(name, [0i32]).cast(dtype)?,
    };
    values.zip_with(&!is_missing, &filler).map_err(Error::from)
}
