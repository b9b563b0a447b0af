//! The input: dtypes, values and their text, columns, targets and weights.

pub(crate) mod class_weights;
pub(crate) mod column;
pub(crate) mod column_data;
pub(crate) mod common_unit;
pub mod dtype;
pub(crate) mod number_scale;
pub(crate) mod number_text;
pub(crate) mod other_dtype;
pub(crate) mod plain_text;
pub(crate) mod target;
mod text;
pub(crate) mod weights;
