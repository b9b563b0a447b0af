//! Keys of one width for the values of all ordered columns.

use crate::data::dtype::{DType, Value};

/// The key of a value: keys of one dtype order as its values do. `None` for NaN, which is missing,
/// and for a value of another sort than the dtype's.
///
/// Keys of up to 64 bits are widened; those of 128 bits are taken as they are.
pub fn key_of_value(dtype: &DType, value: &Value) -> Option<i128> {
    match dtype.is_wide() {
        true => dtype.wide_of_value(value),
        false => dtype.key_of_value(value).map(i128::from),
    }
}

/// The value of a key: the inverse of [`key_of_value`].
pub fn value_of_key(dtype: &DType, key: i128) -> Value {
    match dtype.is_wide() {
        true => dtype.value_of_wide(key),
        false => dtype.value_of_key(key as u64),
    }
}

/// The cut between two keys that are neighbours in a node, as a key.
pub(super) fn cut_between(dtype: &DType, lo: i128, hi: i128) -> i128 {
    match dtype.is_wide() {
        true => DType::cut_wide(lo, hi),
        false => dtype.cut_key(lo as u64, hi as u64).into(),
    }
}
