//! Keys with many duplicates, such as prices, dates and rounded floats: a hash table gives each
//! distinct key an id, and only the distinct keys are sorted.

use hashbrown::HashMap;

use crate::encode::sort::payload_keys::{Extent, PayloadKeys, RowNumbers};

/// The least rows for a hash table: fewer are sorted within the cache.
const MIN_ROWS: usize = 1 << 14;

/// The most keys in the sample that estimates the number of levels, and the least rows for each.
const SAMPLE: usize = 1 << 12;
const ROWS_A_KEY: usize = 64;

/// The most levels, and the least rows per level: beyond these, sorting costs no more than
/// hashing.
const MAX_LEVELS: usize = 1 << 17;
const ROWS_A_LEVEL: usize = 8;

/// The levels of a column in order, and each row's code; `None` if there are more than `max_levels`, or
/// more than are worth hashing. Linear in the rows, plus `l log l` in the levels.
pub(crate) fn hash_codes(
    column: PayloadKeys<RowNumbers>,
    extent: Extent,
    max_levels: usize,
) -> Option<(Vec<u64>, Vec<u32>)> {
    let max_levels = max_levels.min(MAX_LEVELS).min(extent.n_known / ROWS_A_LEVEL);
    if extent.n_known < MIN_ROWS || extent.is_sorted || !has_at_most(max_levels, column) {
        return None;
    }
    let mut ids: HashMap<u64, u32> = HashMap::new();
    let mut levels = Vec::new();
    let mut codes = vec![u32::MAX; column.keys.len()];
    column.each_known(|key, row| {
        // Once there are too many levels, the remaining rows are skipped.
        if levels.len() <= max_levels {
            codes[row as usize] = *ids.entry(key).or_insert_with(|| {
                levels.push(key);
                levels.len() as u32 - 1
            });
        }
    });
    if levels.len() > max_levels {
        return None;
    }
    levels.sort_unstable();
    // By id; missing has the code after all levels.
    let mut code_of = vec![levels.len() as u32; levels.len() + 1];
    for (code, level) in (0..).zip(&levels) {
        code_of[ids[level] as usize] = code;
    }
    let n = levels.len() as u32;
    codes.iter_mut().for_each(|code| *code = code_of[(*code).min(n) as usize]);
    Some((levels, codes))
}

/// Estimates from evenly spaced rows whether a column has at most this many levels. Among `n` keys
/// of `l` equally frequent levels, `n^2 / 2 l` duplicates are expected; unequal frequencies give
/// more.
fn has_at_most(levels: usize, column: PayloadKeys<RowNumbers>) -> bool {
    let n = column.keys.len();
    let rows = (0..n).step_by((n / SAMPLE).max(ROWS_A_KEY)).take(SAMPLE);
    let known = rows.filter(|&row| !column.is_missing(row));
    let mut keys: Vec<u64> = known.map(|row| column.keys[row]).collect();
    let n_known = keys.len();
    keys.sort_unstable();
    keys.dedup();
    2 * levels * (n_known - keys.len()) >= n_known * n_known
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hash: neighbours lie far apart.
    fn scrambled(i: u64) -> u64 {
        i.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i.wrapping_mul(0x9E37_79B9) << 40
    }

    fn check(keys: &[u64], missing: Option<&[bool]>, is_hashed: bool) {
        let column = PayloadKeys { keys, missing, payloads: RowNumbers };
        let extent = column.extent().expect("known rows");
        let found = hash_codes(column, extent, usize::MAX);
        assert_eq!(found.is_some(), is_hashed);
        let Some((levels, codes)) = found else { return };
        let is_missing = |row: usize| missing.is_some_and(|missing| missing[row]);
        let known = (0..keys.len()).filter(|&row| !is_missing(row));
        let mut expected: Vec<u64> = known.map(|row| keys[row]).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(levels, expected);
        for (row, &code) in codes.iter().enumerate() {
            let level = levels.get(code as usize);
            assert_eq!(level, (!is_missing(row)).then_some(&keys[row]));
        }
    }

    #[test]
    fn codes_columns_of_few_levels() {
        let n = 5 * MIN_ROWS as u64;
        let of = |levels: u64| (0..n).map(|i| scrambled(scrambled(i) % levels)).collect::<Vec<_>>();
        for levels in [2, 1000, n / 16] {
            check(&of(levels), None, true);
            let missing: Vec<bool> = (0..n).map(|i| scrambled(i + 1).is_multiple_of(10)).collect();
            check(&of(levels), Some(&missing), true);
        }
        // Too many, few rows, and rows that are in order as they are.
        check(&of(u64::MAX), None, false);
        check(&of(8)[..MIN_ROWS - 1], None, false);
        let mut sorted = of(8);
        sorted.sort_unstable();
        check(&sorted, None, false);
        // The sample has few levels, all other rows are distinct: given up half-way.
        let mut keys = of(8);
        keys.iter_mut().enumerate().filter(|(i, _)| i % 64 > 0).for_each(|(i, k)| *k += i as u64);
        check(&keys, None, false);
    }
}
