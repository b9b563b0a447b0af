//! The inputs of a graph: for its columns, and for callers that feed it.

use crate::data::dtype::DType;
use crate::tree::Feature;

/// The input of a column.
pub(crate) struct OnnxInput<'t> {
    pub(crate) feature: &'t Feature,
    /// The dtype of what is put in: numbers, booleans or texts.
    pub(crate) dtype: DType,
    /// The name of the Boolean input that says which values are missing; none where NaN says so.
    pub(crate) missing: Option<String>,
}

impl<'t> OnnxInput<'t> {
    pub(super) fn of(feature: &'t Feature) -> OnnxInput<'t> {
        let Feature { name, dtype, .. } = feature;
        let missing = (!dtype.is_float()).then(|| format!("{name}__missing"));
        OnnxInput { feature, dtype: input_dtype(dtype), missing }
    }
}

/// The dtype of a column's input: the physical dtype that Polars has for it, of at most 64 bits, and texts
/// as they are.
fn input_dtype(dtype: &DType) -> DType {
    match dtype {
        DType::Date => DType::I32,
        DType::Categorical | DType::Enum { .. } => DType::String,
        DType::Decimal { .. } | DType::Datetime { .. } | DType::Duration { .. } | DType::Time => {
            DType::I64
        }
        own => own.clone(),
    }
}
