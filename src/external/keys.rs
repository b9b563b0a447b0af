//! Cuts between keys of one width.

use crate::data::dtype::DType;

/// The cut between two keys that are neighbours in a node, as a key.
pub(super) fn cut_between(dtype: &DType, lo: i128, hi: i128) -> i128 {
    match dtype.is_wide() {
        true => DType::cut_wide(lo, hi),
        false => dtype.cut_key(lo as u64, hi as u64).into(),
    }
}
