//! An array with its field: its name, and what Arrow's type does not say of its dtype.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{Field, FieldRef};

use super::dtypes::metadata_of;
use crate::data::dtype::DType;

/// An array and its field.
#[derive(Clone, Debug)]
pub struct NamedArray {
    pub(crate) field: FieldRef,
    pub(crate) array: ArrayRef,
}

impl NamedArray {
    /// An array whose type says all.
    pub(crate) fn new(name: &str, array: ArrayRef) -> NamedArray {
        let field = Field::new(name, array.data_type().clone(), true);
        NamedArray { field: Arc::new(field), array }
    }

    /// An array of values of a dtype.
    pub(crate) fn of_dtype(name: &str, dtype: &DType, array: ArrayRef) -> NamedArray {
        let field = Field::new(name, array.data_type().clone(), true);
        NamedArray { field: Arc::new(field.with_metadata(metadata_of(dtype))), array }
    }
}
