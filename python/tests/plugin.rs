//! The boundary to Polars, with the other side played: what crosses comes out as it went in, all of it is
//! freed once, and no error or panic is more than a text.

#[path = "../src/c_data.rs"]
mod c_data;
#[path = "../src/plugin.rs"]
mod plugin;

use std::ffi::{CStr, c_char, c_void};
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use arrow_array::builder::*;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::types::{Int8Type, Int64Type};
use arrow_array::*;
use arrow_buffer::{Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef};
use gaintree::{ColumnChunks, INTEGER_KEY};
use plugin::plugins;

plugins! {
    last_chunk: first_field, |inputs, _| match inputs {
        [.., (field, chunks)] => match chunks.last() {
            Some(chunk) => Ok((field.clone(), chunk.clone())),
            None => Err(format!("no chunk of \0 {}", field.name())),
        },
        [] => Err("no column".to_string()),
    };
    length: first_field, |_, args| {
        let lengths: ArrayRef = Arc::new(Int64Array::from(vec![args.len() as i64]));
        Ok((Arc::new(Field::new("length", DataType::Int64, true)), lengths))
    };
    panics: |_, _| panic!("of the field"), |_, _| panic!("of the call");
}

fn first_field(fields: &[Field], _: &[u8]) -> plugin::Answer<Field> {
    fields.first().cloned().ok_or_else(|| "no field".to_string())
}

/// What `SeriesExport` is to Polars.
#[repr(C)]
struct Export {
    field: *mut FFI_ArrowSchema,
    arrays: *mut *mut FFI_ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut Export)>,
    private_data: *mut c_void,
}

const EMPTY: Export = Export {
    field: ptr::null_mut(),
    arrays: ptr::null_mut(),
    len: 0,
    release: None,
    private_data: ptr::null_mut(),
};

type Call = unsafe extern "C" fn(*mut Export, usize, *const u8, usize, *mut Export, *const u64);
type FieldCall =
    unsafe extern "C" fn(*const FFI_ArrowSchema, usize, *mut FFI_ArrowSchema, *const u8, usize);

macro_rules! exported_functions {
    (calls: $($call:ident),*; fields: $($field:ident),*;) => {
        unsafe extern "C" {
            $(fn $call(
                inputs: *mut Export,
                n_inputs: usize,
                kwargs: *const u8,
                n_kwargs: usize,
                result: *mut Export,
                context: *const u64,
            );)*
            $(fn $field(
                fields: *const FFI_ArrowSchema,
                n_fields: usize,
                result: *mut FFI_ArrowSchema,
                kwargs: *const u8,
                n_kwargs: usize,
            );)*
        }
    };
}

exported_functions! {
    calls: _polars_plugin_last_chunk, _polars_plugin_length, _polars_plugin_panics;
    fields: _polars_plugin_field_last_chunk, _polars_plugin_field_panics;
}

struct Private {
    schema: Box<FFI_ArrowSchema>,
    arrays: Box<[*mut FFI_ArrowArray]>,
}

/// As Polars releases what it has exported.
unsafe extern "C" fn release(export: *mut Export) {
    unsafe {
        let private = Box::from_raw((*export).private_data.cast::<Private>());
        for &array in &private.arrays {
            drop(Box::from_raw(array.cast::<ManuallyDrop<FFI_ArrowArray>>()));
        }
        assert_eq!((*export).field.cast_const(), &raw const *private.schema);
        (*export).release = None;
    }
}

/// As Polars exports a Series.
fn export(schema: FFI_ArrowSchema, chunks: &[ArrayRef]) -> Export {
    let array = |chunk: &ArrayRef| Box::into_raw(Box::new(FFI_ArrowArray::new(&chunk.to_data())));
    let arrays = chunks.iter().map(array).collect();
    let private = Box::into_raw(Box::new(Private { schema: Box::new(schema), arrays }));
    let (field, arrays) = unsafe { (&raw mut *(*private).schema, (*private).arrays.as_mut_ptr()) };
    Export {
        field,
        arrays,
        len: chunks.len(),
        release: Some(release),
        private_data: private.cast(),
    }
}

fn exported((field, chunks): &ColumnChunks) -> Export {
    export(c_data::schema_of(field).expect("a schema"), chunks)
}

/// As Polars calls an expression.
fn called(call: Call, inputs: Vec<Export>, kwargs: &[u8]) -> Result<(FieldRef, ArrayRef), String> {
    let mut inputs: Vec<_> = inputs.into_iter().map(ManuallyDrop::new).collect();
    let (first, n, mut result) = (inputs.as_mut_ptr().cast(), inputs.len(), EMPTY);
    unsafe { call(first, n, kwargs.as_ptr(), kwargs.len(), &mut result, &0) };
    if result.private_data.is_null() {
        return Err(last_error());
    }
    let (field, array) = unsafe {
        assert_eq!(result.len, 1);
        let field = c_data::field_of(&*result.field).expect("a field");
        let array = ptr::read(*result.arrays);
        result.release.expect("a release")(&mut result);
        let data = from_ffi_and_data_type(array, field.data_type().clone());
        (field, data.expect("an array"))
    };
    assert!(result.release.is_none() && result.private_data.is_null());
    Ok((Arc::new(field), make_array(array)))
}

fn last_error() -> String {
    let message = plugin::_polars_plugin_get_last_error_message();
    unsafe { CStr::from_ptr(message) }.to_str().expect("text").to_string()
}

/// As Polars asks for the field of an expression.
fn field_of(call: FieldCall, fields: &[FFI_ArrowSchema]) -> Result<Field, String> {
    let mut result = FFI_ArrowSchema::empty();
    unsafe { call(fields.as_ptr(), fields.len(), &mut result, ptr::null(), 0) };
    // The format is a schema's first member.
    match unsafe { (&raw const result).cast::<*const c_char>().read() }.is_null() {
        true => Err(last_error()),
        false => Ok(c_data::field_of(&result).expect("a field")),
    }
}

fn named(name: &str, array: &ArrayRef) -> FieldRef {
    Arc::new(Field::new(name, array.data_type().clone(), true))
}

#[test]
fn columns_come_out_as_they_went_in() {
    let numbers = Int64Array::from(vec![Some(7), None, Some(-1), Some(i64::MAX), None]);
    let texts = [Some("a"), None, Some("a text of more than twelve bytes"), Some("")];
    let categories: DictionaryArray<Int8Type> = texts.into_iter().collect();
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value(texts);
    lists.append_null();
    let list: ArrayRef = Arc::new(lists.finish());
    let nulls = NullBuffer::from(vec![true, false]);
    let fields = vec![named("list", &list)].into();
    let structs = StructArray::new(fields, vec![list.clone()], Some(nulls));
    for array in [
        Arc::new(numbers.slice(1, 3)) as ArrayRef,
        Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]).slice(1, 2)),
        Arc::new(StringViewArray::from_iter(texts)),
        Arc::new(LargeStringArray::from_iter(texts)),
        Arc::new(categories),
        list,
        Arc::new(structs),
        Arc::new(NullArray::new(3)),
        Arc::new(Float64Array::from(Vec::<f64>::new())),
    ] {
        let column = (named("x, ü", &array), vec![array.slice(0, 0), array.clone()]);
        let inputs = vec![exported(&column), exported(&column)];
        let (field, found) = called(_polars_plugin_last_chunk, inputs, &[]).expect("an answer");
        assert_eq!((&field, &found), (&column.0, &array));
        let schema = [c_data::schema_of(&field).expect("a schema")];
        assert_eq!(field_of(_polars_plugin_field_last_chunk, &schema).as_ref(), Ok(&*field));
    }
}

/// Polars has a format for 128-bit integers. Their bits are not looked at.
#[test]
fn integers_of_128_bits_cross_by_their_bits() {
    for (format, name, bits) in
        [("_pli128", "i128", [i128::MIN, i128::MAX]), ("_plu128", "u128", [-1, 0])]
    {
        let schema = || FFI_ArrowSchema::try_new(format, vec![], None).expect("a schema");
        let integers = Decimal128Array::new(ScalarBuffer::from(bits.to_vec()), None);
        let chunks: [ArrayRef; 1] = [Arc::new(integers)];
        let input = export(schema().with_name("x").expect("a name"), &chunks);
        let (field, found) =
            called(_polars_plugin_last_chunk, vec![input], &[]).expect("an answer");
        assert_eq!((field.name().as_str(), &field.metadata()[INTEGER_KEY][..]), ("x", name));
        let found = found.as_primitive::<arrow_array::types::Decimal128Type>();
        assert_eq!(found.values(), &bits[..]);
        // Within a list, too.
        let item = schema().with_name("item").expect("a name");
        let list = FFI_ArrowSchema::try_new("+L", vec![item], None).expect("a schema");
        let field = field_of(_polars_plugin_field_last_chunk, &[list]);
        assert!(matches!(field.expect("a field").data_type(), DataType::LargeList(_)));
    }
}

/// What is behind an array is freed once both sides have let go of it, whatever happens.
#[test]
fn all_is_freed() {
    let values: Arc<Vec<i64>> = Arc::new((0..100).collect());
    let array = || -> ArrayRef {
        let first = ptr::NonNull::new(values.as_ptr().cast_mut().cast()).expect("values");
        // SAFETY: the vector lives as long as the buffer that owns it.
        let buffer = unsafe { Buffer::from_custom_allocation(first, 800, values.clone()) };
        Arc::new(PrimitiveArray::<Int64Type>::new(ScalarBuffer::new(buffer, 0, 100), None))
    };
    let column = || {
        let array = array();
        (named("x", &array), vec![array.slice(3, 5), array])
    };
    for call in [_polars_plugin_last_chunk as Call, _polars_plugin_length, _polars_plugin_panics] {
        let answer = called(call, vec![exported(&column()), exported(&column())], &[]);
        drop(answer);
        assert_eq!(Arc::strong_count(&values), 1);
    }
}

#[test]
fn errors_and_panics_are_texts() {
    let column = (Arc::new(Field::new("x", DataType::Int64, true)), Vec::new());
    let no_chunk = called(_polars_plugin_last_chunk, vec![exported(&column)], &[]);
    assert_eq!(no_chunk.expect_err("no chunk"), "no chunk of \\0 x");
    let none = called(_polars_plugin_last_chunk, Vec::new(), &[]);
    assert_eq!(none.expect_err("no column"), "no column");
    let (_, found) = called(_polars_plugin_length, Vec::new(), b"abc").expect("an answer");
    assert_eq!(found.as_primitive::<Int64Type>().values(), &[3]);
    let panicked = "internal error, please report it: an expression panicked";
    let call = called(_polars_plugin_panics, vec![exported(&column)], &[]);
    assert_eq!(call.expect_err("a panic"), panicked);
    assert_eq!(field_of(_polars_plugin_field_panics, &[]), Err(panicked.to_string()));
    assert_eq!(field_of(_polars_plugin_field_last_chunk, &[]), Err("no field".to_string()));
    let unknown = FFI_ArrowSchema::try_new("_unknown", vec![], None).expect("a schema");
    let error = field_of(_polars_plugin_field_last_chunk, &[unknown]).expect_err("no type");
    assert!(error.contains("_unknown"), "{error}");
}

#[test]
fn the_version_is_0_1() {
    assert_eq!(plugin::_polars_plugin_get_version(), 1);
}
