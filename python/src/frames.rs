//! Frames across the border, as lists of Series.

use polars::prelude::DataFrame;
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::errors::{exception, polars_exception};

/// The frame of a list of Series.
pub fn frame(columns: Vec<PySeries>) -> PyResult<DataFrame> {
    let columns = columns.into_iter().map(|column| column.0.into()).collect();
    DataFrame::new_infer_height(columns).map_err(polars_exception)
}

/// A table of results.
pub fn table(result: gaintree::Result<DataFrame>) -> PyResult<PyDataFrame> {
    result.map(PyDataFrame).map_err(exception)
}
