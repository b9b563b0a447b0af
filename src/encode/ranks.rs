//! From sorted rows or from levels' ranks to codes.

use crate::data::column::{Codes, RowCodes, Sorted};

/// Columns of at most this many levels are counted into histograms: with missing, a code fits a
/// byte.
pub(super) const MAX_BYTE_LEVELS: usize = u8::MAX as usize;

/// Codes from each row's rank, which missing has after the `n_levels` of the levels. `order` is the
/// rows in order of rank, then row, where it is known already.
pub(super) fn from_ranks(
    ranks: impl Iterator<Item = u32>,
    n_levels: usize,
    order: Option<Vec<u32>>,
) -> Codes {
    if n_levels <= MAX_BYTE_LEVELS {
        return Codes::ByRow(ranks.map(|rank| rank as u8).collect());
    }
    let codes: Vec<u32> = ranks.collect();
    let order = order.unwrap_or_else(|| order_by_counting(&codes, n_levels + 1));
    Codes::Sorted(Sorted { codes: RowCodes::Stored(codes), order })
}

/// The rows in order of code, then row, by a counting sort; codes are below `n_codes`.
pub(crate) fn order_by_counting(codes: &[u32], n_codes: usize) -> Vec<u32> {
    let mut next = vec![0u32; n_codes + 1];
    codes.iter().for_each(|&code| next[code as usize + 1] += 1);
    for i in 1..next.len() {
        next[i] += next[i - 1];
    }
    let mut order = vec![0; codes.len()];
    for (row, &code) in codes.iter().enumerate() {
        let slot = &mut next[code as usize];
        order[*slot as usize] = row as u32;
        *slot += 1;
    }
    order
}

/// Levels and codes from rows in order of key. The first `n_known` rows have a key. `key_at` takes
/// an index into `order` and the row there.
pub(super) fn from_order<K: PartialEq>(
    order: Vec<u32>,
    n_known: usize,
    key_at: impl Fn(usize, usize) -> K,
) -> (Vec<K>, Codes) {
    let mut levels: Vec<K> = Vec::with_capacity(n_known);
    let mut codes = vec![0; order.len()];
    for (index, &row) in order[..n_known].iter().enumerate() {
        let key = key_at(index, row as usize);
        if levels.last() != Some(&key) {
            levels.push(key);
        }
        codes[row as usize] = levels.len() as u32 - 1;
    }
    levels.shrink_to_fit();
    order[n_known..].iter().for_each(|&row| codes[row as usize] = levels.len() as u32);
    let codes = from_ranks(codes.into_iter(), levels.len(), Some(order));
    (levels, codes)
}
