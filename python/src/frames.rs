//! Frames across the border, as lists of Series.

use polars::prelude::DataFrame;
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::errors::{data_error, exception, polars_exception};

/// The frame of a list of Series.
pub fn frame(columns: Vec<PySeries>) -> PyResult<DataFrame> {
    let columns = columns.into_iter().map(|column| column.0.into()).collect();
    DataFrame::new_infer_height(columns).map_err(polars_exception)
}

/// A table of results.
pub fn table(result: gaintree::Result<DataFrame>) -> PyResult<PyDataFrame> {
    result.map_err(exception).and_then(carried)
}

/// A frame for Python.
///
/// # Errors
/// A column that is named after a class with a NUL in it: Arrow's names end there.
pub fn carried(df: DataFrame) -> PyResult<PyDataFrame> {
    match df.get_column_names().iter().find(|name| name.contains('\0')) {
        None => Ok(PyDataFrame(df)),
        Some(name) => Err(data_error(&format!(
            "column {name:?} of the answer is named after a class with a NUL: rename the class"
        ))),
    }
}
