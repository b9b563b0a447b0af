//! How Polars calls a function of this library: its plugins, version 0.1.
//!
//! A plugin is a library with four kinds of functions, which Polars finds by their names:
//! `_polars_plugin_get_version`, `_polars_plugin_get_last_error_message`, and for each expression
//! `_polars_plugin_field_NAME`, which tells its field, and `_polars_plugin_NAME`, which does the work.
//! Columns cross by the Arrow C data interface. What is written here is what Polars expects: see
//! `polars-ffi/src/version_0.rs` (columns), `polars-plan/src/plans/aexpr/function_expr/plugin.rs` (who
//! calls) and `pyo3-polars-derive/src/lib.rs` (who is called) of Polars 0.55.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, Field, FieldRef};

use gaintree::ColumnChunks;

use crate::c_data::{array_of, as_integers, field_of, schema_of};

/// What an expression answers, or the text of its error.
pub type Answer<T> = Result<T, String>;

/// The field of an expression, given those of its inputs and the pickled arguments.
pub type FieldOf = fn(&[Field], &[u8]) -> Answer<Field>;

/// What an expression does to its inputs, given the pickled arguments.
pub type Call = fn(&[ColumnChunks], &[u8]) -> Answer<(FieldRef, ArrayRef)>;

/// Version 0.1: fields depend on arguments.
#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_version() -> u32 {
    1
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// The text of the last error of this thread. Polars copies it at once.
#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    LAST_ERROR.with_borrow(|message| message.as_ptr())
}

fn set_last_error(message: String) {
    let message = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
    LAST_ERROR.set(message);
}

/// What some work gives; an error is kept for Polars to ask for, and so is a panic, which must not
/// leave this library.
fn caught<T>(work: impl FnOnce() -> Answer<T>) -> Option<T> {
    let panicked = |_: Box<dyn Any + Send>| {
        Err("internal error, please report it: an expression panicked".to_string())
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked).map_err(set_last_error).ok()
}

/// A column on its way. Polars' name for it is the same.
#[repr(C)]
pub struct SeriesExport {
    field: *mut FFI_ArrowSchema,
    /// Who takes the column takes the arrays out of their boxes; `release` frees the boxes alone.
    arrays: *mut *mut FFI_ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    /// Null where there is no column.
    private_data: *mut c_void,
}

impl Drop for SeriesExport {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: who made the column set it, for this one call.
            unsafe { release(self) }
        }
    }
}

impl SeriesExport {
    /// The column, whose arrays are taken out.
    ///
    /// # Safety
    /// All is as its maker left it: a field, and `len` arrays of its type.
    unsafe fn column(self) -> Result<ColumnChunks, ArrowError> {
        // SAFETY: the caller's.
        let (field, arrays) = unsafe {
            let arrays = match self.len {
                0 => &[],
                len => slice::from_raw_parts(self.arrays, len),
            };
            (field_of(&*self.field)?, arrays)
        };
        let taken = arrays.iter().map(|&array| {
            // SAFETY: the caller's. Each array is read once, and is not dropped with its box.
            unsafe { array_of(ptr::read(array), &field) }
        });
        let chunks = taken.collect::<Result<_, _>>()?;
        Ok((Arc::new(field), chunks))
    }

    fn of_array(field: &FieldRef, array: &ArrayRef) -> Result<SeriesExport, ArrowError> {
        let (field, array) = as_integers(field, array);
        let schema = Box::new(schema_of(&field)?);
        let array = FFI_ArrowArray::new(&array.to_data());
        let arrays = Box::new([Box::into_raw(Box::new(ManuallyDrop::new(array)))]);
        let mut owned = Box::new(Owned { schema, arrays });
        Ok(SeriesExport {
            field: &mut *owned.schema,
            arrays: owned.arrays.as_mut_ptr().cast(),
            len: owned.arrays.len(),
            release: Some(release_owned),
            private_data: Box::into_raw(owned).cast(),
        })
    }
}

/// What is behind a column that goes to Polars.
struct Owned {
    schema: Box<FFI_ArrowSchema>,
    arrays: Box<[*mut ManuallyDrop<FFI_ArrowArray>; 1]>,
}

/// Frees the field and the boxes of the arrays.
unsafe extern "C" fn release_owned(export: *mut SeriesExport) {
    // SAFETY: this is called for what `of_array` made, and once, as it then says that it was.
    unsafe {
        let owned: Box<Owned> = Box::from_raw((*export).private_data.cast());
        (*export).release = None;
        (*export).private_data = ptr::null_mut();
        for array in *owned.arrays {
            drop(Box::from_raw(array));
        }
    }
}

/// Tells the field of an expression.
///
/// # Safety
/// As Polars calls `_polars_plugin_field_NAME`: `fields` are `n_fields` schemas, which stay its own,
/// `result` is an empty schema, and `kwargs` are `n_kwargs` bytes.
pub unsafe fn tell_field(
    field_of_call: FieldOf,
    (fields, n_fields): (*const FFI_ArrowSchema, usize),
    result: *mut FFI_ArrowSchema,
    (kwargs, n_kwargs): (*const u8, usize),
) {
    let told = caught(|| {
        // SAFETY: the caller's.
        let (fields, kwargs) = unsafe { (parts(fields, n_fields), parts(kwargs, n_kwargs)) };
        let fields = fields.iter().map(field_of).collect::<Result<Vec<_>, _>>();
        let field = field_of_call(&fields.map_err(text)?, kwargs)?;
        schema_of(&field).map_err(text)
    });
    if let Some(schema) = told {
        // SAFETY: the caller's. What stands there owns nothing.
        unsafe { ptr::write(result, schema) }
    }
}

/// Does what an expression does.
///
/// # Safety
/// As Polars calls `_polars_plugin_NAME`: `inputs` are `n_inputs` columns, which are taken, `result` is
/// an empty column, and `kwargs` are `n_kwargs` bytes.
pub unsafe fn answer(
    call: Call,
    (inputs, n_inputs): (*mut SeriesExport, usize),
    (kwargs, n_kwargs): (*const u8, usize),
    result: *mut SeriesExport,
) {
    let answered = caught(|| {
        let column = |at| {
            // SAFETY: the caller's. Each column is read once; Polars forgets it.
            unsafe { ptr::read(inputs.add(at)).column() }
        };
        let inputs = (0..n_inputs).map(column).collect::<Result<Vec<_>, _>>().map_err(text)?;
        // SAFETY: the caller's.
        let (field, array) = call(&inputs, unsafe { parts(kwargs, n_kwargs) })?;
        SeriesExport::of_array(&field, &array).map_err(text)
    });
    if let Some(export) = answered {
        // SAFETY: the caller's. What stands there owns nothing.
        unsafe { ptr::write(result, export) }
    }
}

/// `n` values; the pointer may be anything where there are none.
///
/// # Safety
/// There are as many, and they outlive the call.
unsafe fn parts<'a, T>(first: *const T, n: usize) -> &'a [T] {
    match n {
        0 => &[],
        // SAFETY: the caller's.
        n => unsafe { slice::from_raw_parts(first, n) },
    }
}

fn text(error: ArrowError) -> String {
    error.to_string()
}

/// Lets Polars find expressions by their names.
macro_rules! plugins {
    ($($name:ident: $field:expr, $call:expr;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!("_polars_plugin_field_", stringify!($name)))]
            unsafe extern "C" fn field(
                fields: *const ::arrow_array::ffi::FFI_ArrowSchema,
                n_fields: usize,
                result: *mut ::arrow_array::ffi::FFI_ArrowSchema,
                kwargs: *const u8,
                n_kwargs: usize,
            ) {
                // SAFETY: Polars calls this.
                unsafe { $crate::plugin::tell_field($field, (fields, n_fields), result, (kwargs, n_kwargs)) }
            }

            #[unsafe(export_name = concat!("_polars_plugin_", stringify!($name)))]
            unsafe extern "C" fn call(
                inputs: *mut $crate::plugin::SeriesExport,
                n_inputs: usize,
                kwargs: *const u8,
                n_kwargs: usize,
                result: *mut $crate::plugin::SeriesExport,
                _context: *const u64,
            ) {
                // SAFETY: Polars calls this.
                unsafe { $crate::plugin::answer($call, (inputs, n_inputs), (kwargs, n_kwargs), result) }
            }
        };
    )*};
}

pub(crate) use plugins;
