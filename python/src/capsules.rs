//! Columns and tables in capsules of Python, by the Arrow PyCapsule interface.
//!
//! The interface: <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchOptions, StructArray};
use arrow_schema::{ArrowError, DataType, Schema};
use gaintree::{ColumnChunks, INTEGER_KEY};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::c_data::{array_of, as_integers, field_of, schema_of};
use crate::errors::data_error;

/// What a capsule of a stream is called.
const STREAM: &CStr = c"arrow_array_stream";

/// The column that an object exports, as a stream of its chunks.
pub fn column_of(object: &Bound<PyAny>) -> PyResult<ColumnChunks> {
    let mut stream = stream_of(object)?;
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: a stream fills in the schema, or says that it has failed.
    let code = unsafe { stream.get_schema.map_or(-1, |get| get(&mut stream, &mut schema)) };
    check(&mut stream, code)?;
    let field = field_of(&schema).map_err(arrow_error)?;
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: a stream fills in the array, or says that it has failed.
        let code = unsafe { stream.get_next.map_or(-1, |get| get(&mut stream, &mut array)) };
        check(&mut stream, code)?;
        if array.is_released() {
            return Ok((Arc::new(field), chunks));
        }
        // SAFETY: the arrays of a stream are of its schema.
        chunks.push(unsafe { array_of(array, &field) }.map_err(arrow_error)?);
    }
}

/// Raises what a stream says where it has failed.
fn check(stream: &mut FFI_ArrowArrayStream, code: i32) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: after a failure a stream has a text, or null, which lasts until it is asked again.
    let text = unsafe {
        let text = stream.get_last_error.map_or(ptr::null(), |get| get(stream));
        if text.is_null() { None } else { Some(CStr::from_ptr(text).to_string_lossy()) }
    };
    Err(data_error(&format!(
        "a column cannot be read: {}",
        text.unwrap_or_else(|| format!("its Arrow stream failed with code {code}").into())
    )))
}

fn arrow_error(error: ArrowError) -> PyErr {
    data_error(&format!("a column cannot cross by the Arrow C data interface: {error}"))
}

/// The stream of an object with `__arrow_c_stream__`.
pub fn stream_of(object: &Bound<PyAny>) -> PyResult<FFI_ArrowArrayStream> {
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: a capsule of this name holds a stream. It is moved out: what stays in the capsule is
    // marked as released.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) })
}

/// # Errors
/// A field of a dtype that the Polars of this process lacks: it would panic, or read other values.
pub fn check_known(py: Python, schema: &Schema) -> PyResult<()> {
    for field in schema.fields() {
        let is_u128 = field.metadata().get(INTEGER_KEY).is_some_and(|integer| integer == "u128");
        // The oldest Polars that is supported lacks these; the versions are the ones that brought them.
        let (dtype, since) = match field.data_type() {
            DataType::Float16 => ("Float16", "1.36"),
            _ if is_u128 => ("UInt128", "1.34"),
            _ => continue,
        };
        let polars = py.import("polars")?;
        // `hasattr` would find a name that one of its modules imports, too.
        if !polars.dict().contains(dtype)? {
            return Err(data_error(&format!(
                "column `{}` of the answer is {dtype}, which Polars {} lacks: Polars {since} or \
                 newer has it",
                field.name(),
                polars.getattr("__version__")?,
            )));
        }
    }
    Ok(())
}

/// A table on its way to Python, by the Arrow C data interface.
#[pyclass(frozen)]
struct ExportedTable(RecordBatch);

#[pymethods]
impl ExportedTable {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The protocol lets a table come as it is.
        drop(requested_schema);
        let fields = self.0.schema_ref().fields().iter().map(|field| schema_of(field));
        let schema = fields
            .collect::<Result<_, _>>()
            .and_then(|fields| FFI_ArrowSchema::try_new("+s", fields, None))
            .map_err(arrow_error)?;
        let array = FFI_ArrowArray::new(&StructArray::from(self.0.clone()).to_data());
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }
}

/// A table of results. In Python it is a DataFrame of Polars.
pub struct Table(RecordBatch);

impl Table {
    /// # Errors
    /// A column that is named after a class with a NUL in it: Arrow's names end there.
    pub fn new(batch: RecordBatch) -> PyResult<Table> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            let name = field.name();
            if name.contains('\0') {
                return Err(data_error(&format!(
                    "column {name:?} of the answer is named after a class with a NUL: rename the class"
                )));
            }
            let (field, array) = as_integers(field, array);
            fields.push(field);
            arrays.push(array);
        }
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &rows);
        batch.map(Table).map_err(arrow_error)
    }
}

impl<'py> IntoPyObject<'py> for Table {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        check_known(py, self.0.schema_ref())?;
        py.import("polars")?.getattr("DataFrame")?.call1((ExportedTable(self.0),))
    }
}

/// The only column of a table. In Python it is a Series of Polars.
pub struct TableColumn(pub Table);

impl<'py> IntoPyObject<'py> for TableColumn {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.into_pyobject(py)?.call_method0("to_series")
    }
}
