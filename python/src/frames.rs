//! Frames across the border: a list of columns comes in, and tables go out as frames.

use arrow_array::RecordBatch;
use gaintree::{ChunkedColumns, MeasuredColumn};
use pyo3::prelude::*;

use crate::capsules::{Table, column_of};
use crate::errors::exception;

/// The columns of a frame of Python: a list of objects that export an Arrow C stream, such as Series.
pub struct Columns(pub ChunkedColumns);

impl<'a, 'py> FromPyObject<'a, 'py> for Columns {
    type Error = PyErr;

    fn extract(columns: Borrowed<'a, 'py, PyAny>) -> PyResult<Columns> {
        let columns: Vec<_> =
            columns.try_iter()?.map(|column| column_of(&column?)).collect::<PyResult<_>>()?;
        let n_rows = columns.first().map_or(0, MeasuredColumn::n_rows);
        ChunkedColumns::new(columns, n_rows).map(Columns).map_err(exception)
    }
}

/// A table of results.
pub fn table(result: gaintree::Result<RecordBatch>) -> PyResult<Table> {
    result.map_err(exception).and_then(Table::new)
}
