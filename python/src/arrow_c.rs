//! Columns by the Arrow C data interface, both ways, without a copy of their values.
//!
//! The interface: <https://arrow.apache.org/docs/format/CDataInterface.html>. Its capsules in Python:
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>. Polars has two
//! formats that Arrow does not, of 128-bit integers (`polars-arrow/src/ffi/schema.rs`); here their
//! bits are those of a decimal, and the field says so.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Decimal128Array, RecordBatch, RecordBatchOptions, StructArray,
    make_array, new_null_array,
};
use arrow::datatypes::{DataType, Decimal256Type, Field, FieldRef, Schema};
use arrow::error::ArrowError;
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow::ffi_stream::FFI_ArrowArrayStream;
use gaintree::{ColumnChunks, INTEGER_KEY};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::data_error;

/// What a capsule of a stream is called.
const STREAM: &CStr = c"arrow_array_stream";

/// The types that Polars has and Arrow does not, by their formats.
const INTEGERS: [(&str, &str); 2] = [("_pli128", "i128"), ("_plu128", "u128")];

/// The field of a schema.
pub fn field_of(schema: &FFI_ArrowSchema) -> Result<Field, ArrowError> {
    let name = schema.name().unwrap_or_default();
    let mut metadata = schema.metadata()?;
    if let Some((_, integer)) = INTEGERS.iter().find(|(format, _)| *format == schema.format()) {
        metadata.insert(INTEGER_KEY.to_string(), integer.to_string());
    }
    Ok(Field::new(name, data_type(schema)?, schema.nullable()).with_metadata(metadata))
}

/// The type of a schema. Those that hold others are looked through, as Polars' integers may stand in
/// them.
fn data_type(schema: &FFI_ArrowSchema) -> Result<DataType, ArrowError> {
    let child = |at| field_of(schema.child(at)).map(Arc::new);
    let format = schema.format();
    Ok(match format {
        _ if INTEGERS.iter().any(|(known, _)| *known == format) => DataType::Decimal128(38, 0),
        "+l" => DataType::List(child(0)?),
        "+L" => DataType::LargeList(child(0)?),
        "+s" => {
            let fields = schema.children().map(field_of);
            DataType::Struct(fields.collect::<Result<_, _>>()?)
        }
        _ => match format.strip_prefix("+w:").and_then(|length| length.parse().ok()) {
            Some(length) => DataType::FixedSizeList(child(0)?, length),
            None => DataType::try_from(schema)?,
        },
    })
}

/// The schema of a field.
pub fn schema_of(field: &Field) -> Result<FFI_ArrowSchema, ArrowError> {
    let integer = field.metadata().get(INTEGER_KEY);
    match INTEGERS.iter().find(|(_, known)| integer.is_some_and(|integer| integer == known)) {
        Some((format, _)) => {
            FFI_ArrowSchema::try_new(format, Vec::new(), None)?.with_name(field.name())
        }
        None => FFI_ArrowSchema::try_from(field),
    }
}

/// An array of a field, which owns what is behind it.
///
/// # Safety
/// The array is of the schema that the field was made of.
pub unsafe fn array_of(array: FFI_ArrowArray, field: &Field) -> Result<ArrayRef, ArrowError> {
    // Polars hands over a bitmap of nulls that are nothing else, which Arrow does not allow. Lists
    // and structs of them are of no use to the engine.
    if has_null_type(field) {
        return Ok(new_null_array(field.data_type(), array.len()));
    }
    // SAFETY: the caller's.
    let data = unsafe { from_ffi_and_data_type(array, field.data_type().clone()) }?;
    Ok(make_array(data))
}

/// Whether a field, or one within it, is of nothing but nulls.
fn has_null_type(field: &Field) -> bool {
    match field.data_type() {
        DataType::Null => true,
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            has_null_type(item)
        }
        DataType::Struct(fields) => fields.iter().any(|field| has_null_type(field)),
        _ => false,
    }
}

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

/// 128-bit integers, which are decimals of 256 bits in tables of results, by their bits.
pub fn as_integers(field: &FieldRef, array: &ArrayRef) -> (FieldRef, ArrayRef) {
    match array.as_primitive_opt::<Decimal256Type>() {
        Some(decimals) if field.metadata().contains_key(INTEGER_KEY) => {
            let bits = decimals.values().iter().map(|x| x.to_parts().0.cast_signed());
            let bits = Decimal128Array::new(bits.collect(), decimals.nulls().cloned());
            let dtype = DataType::Decimal128(38, 0);
            let field = field.as_ref().clone().with_data_type(dtype.clone());
            (Arc::new(field), Arc::new(bits.with_data_type(dtype)))
        }
        _ => (field.clone(), array.clone()),
    }
}

impl<'py> IntoPyObject<'py> for Table {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
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
