//! Fields and arrays by the Arrow C data interface, both ways, without a copy of their values.
//!
//! The interface: <https://arrow.apache.org/docs/format/CDataInterface.html>. Polars has two formats
//! that Arrow does not, of 128-bit integers (`polars-arrow/src/ffi/schema.rs`); here their bits are
//! those of a decimal, and the field says so.
#![allow(unsafe_code)]

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::types::Decimal256Type;
use arrow_array::{Array, ArrayRef, Decimal128Array, make_array, new_null_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use gaintree::INTEGER_KEY;

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
    // Polars gives an array of type Null a bitmap, which Arrow does not allow. The engine reads no
    // list or struct, so that one with such arrays in it may be made of nulls.
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
