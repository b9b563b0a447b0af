//! Levels and codes of 128-bit keys.

use super::keys::encode_keys;
use super::ranks::from_order;
use crate::data::column::Codes;

pub(super) fn encode_wide_keys(keys: &[i128], missing: Option<&[bool]>) -> (Vec<i128>, Codes) {
    let is_missing = |row: usize| missing.is_some_and(|m| m[row]);
    let known = || (0..keys.len()).filter(|&row| !is_missing(row));
    let (min, max) = known()
        .map(|row| keys[row])
        .fold((i128::MAX, i128::MIN), |(lo, hi), k| (lo.min(k), hi.max(k)));
    // Keys within 64 bits of the least one are sorted by that distance.
    if min <= max && max.wrapping_sub(min) as u128 <= u128::from(u64::MAX) {
        let distances: Vec<u64> = keys.iter().map(|k| k.wrapping_sub(min) as u64).collect();
        let (levels, codes) = encode_keys(distances, missing, false);
        return (levels.iter().map(|&k| min + i128::from(k)).collect(), codes);
    }
    let mut order: Vec<u32> = known().map(|row| row as u32).collect();
    order.sort_unstable_by_key(|&row| (keys[row as usize], row));
    let n_known = order.len();
    order.extend((0..keys.len()).filter(|&row| is_missing(row)).map(|row| row as u32));
    from_order(order, n_known, |_, row| keys[row])
}
