//! Levels and codes of 64-bit keys.

use super::ranks::{MAX_BYTE_LEVELS, from_order, from_ranks};
use super::small_range::{byte_range, is_small_range, small_range};
use super::sort::argsort::{Argsort, argsort};
use super::sort::hashed_keys::hash_codes;
use super::sort::payload_keys::{PayloadKeys, RowNumbers};
use crate::data::column::{Codes, MissingRows, RowCodes, Sorted};

/// Levels and codes of a column. With `may_keep_rows` the keys of a column without duplicates
/// stay in row order as its levels ([`RowCodes::Identity`]).
pub(super) fn encode_keys(
    keys: Vec<u64>,
    missing: Option<&[bool]>,
    may_keep_rows: bool,
) -> (Vec<u64>, Codes) {
    let column = PayloadKeys { keys: &keys, missing, payloads: RowNumbers };
    let Some(extent) = column.extent() else {
        return (Vec::new(), Codes::ByRow(vec![0; keys.len()]));
    };
    let span = extent.max - extent.min;
    // All 256 values of a byte may be levels if no code is needed for missing.
    let few = MAX_BYTE_LEVELS + usize::from(missing.is_none());
    if span < few as u64 {
        return byte_range(column, extent);
    }
    if is_small_range(span, keys.len()) {
        return small_range(column, extent);
    }
    if let Some((levels, codes)) = hash_codes(column, extent, usize::MAX) {
        let codes = from_ranks(codes.into_iter(), levels.len(), None);
        return (levels, codes);
    }
    let Argsort { rows: order, keys: sorted, is_distinct } = argsort(column, extent);
    if may_keep_rows && is_distinct && extent.n_known > MAX_BYTE_LEVELS {
        let missing = order[extent.n_known..].iter().copied();
        let missing = MissingRows::new(missing, keys.len(), keys.len() as u32);
        return (keys, Codes::Sorted(Sorted { codes: RowCodes::Identity(missing), order }));
    }
    match sorted {
        Some(sorted) => from_order(order, extent.n_known, |index, _| sorted[index]),
        None => from_order(order, extent.n_known, |_, row| keys[row]),
    }
}
