//! The rows of a column in order of key.

use super::msd_partition::MsdPartition;
use super::payload_keys::{Extent, PayloadKeys, RowNumbers, WordLayout, bits};
use super::radix_pass::RadixPass;

/// The rows of a column in order of key, then row; rows without a key come last.
pub(in crate::encode) struct Argsort {
    pub(in crate::encode) rows: Vec<u32>,
    /// The known keys in that order, if words hold all their bits: it saves random access by row.
    pub(in crate::encode) keys: Option<Vec<u64>>,
    /// Whether no two known rows share a key.
    pub(in crate::encode) is_distinct: bool,
}

/// A run of this many equal words is sorted by key as a column of its own.
const LONG_RUN: usize = 256;

/// The order of a column, whose extent is `extent`. Linear in the rows, except for short runs of
/// keys that differ only in the low bits that words do not hold (`r log r` for a run of r).
pub(in crate::encode) fn argsort(column: PayloadKeys<RowNumbers>, extent: Extent) -> Argsort {
    let keys = column.keys;
    if extent.is_sorted {
        let mut rows = Vec::with_capacity(keys.len());
        column.each_known(|_, row| rows.push(row));
        let shares = |pair: &[u32]| keys[pair[0] as usize] == keys[pair[1] as usize];
        let is_distinct = !rows.windows(2).any(shares);
        rows.extend(column.missing_payloads());
        return Argsort { rows, keys: None, is_distinct };
    }
    let row_bits = bits(keys.len() as u64 - 1);
    let dropped = (bits(extent.max - extent.min) + row_bits).saturating_sub(u64::BITS);
    let words = WordLayout { payload_bits: row_bits, dropped };
    let mut sorted = vec![0; extent.n_known];
    let partition = MsdPartition::new(column, extent, words);
    let ends = partition.scatter(column, words, &mut sorted);
    let mut radix_pass = RadixPass::default();
    let mut rows = Vec::with_capacity(keys.len());
    let mut n_shared = 0;
    for (bucket, _) in partition.buckets(ends, words) {
        let bucket = &mut sorted[bucket];
        radix_pass.sort_by_digit(bucket, words, |word| word);
        n_shared += insertion_sort(bucket, words);
        rows.extend(bucket.iter().map(|&word| words.payload(word)));
    }
    rows.extend(column.missing_payloads());
    if dropped == 0 {
        sorted.iter_mut().for_each(|word| *word = extent.min + words.key(*word));
        return Argsort { rows, is_distinct: n_shared == 0, keys: Some(sorted) };
    }
    if n_shared == 0 {
        return Argsort { rows, is_distinct: true, keys: None };
    }
    let mut is_distinct = true;
    let mut start = 0;
    for run in sorted.chunk_by(|&a, &b| words.key(a) == words.key(b)) {
        if run.len() > 1 {
            is_distinct &= sort_run(&mut rows[start..start + run.len()], keys);
        }
        start += run.len();
    }
    Argsort { rows, is_distinct, keys: None }
}

/// Sorts a bucket that is nearly sorted, and returns how many words hold the same key bits as the
/// word before.
#[inline(never)]
fn insertion_sort(bucket: &mut [u64], words: WordLayout) -> usize {
    for at in 1..bucket.len() {
        let word = bucket[at];
        let mut to = at;
        while to > 0 && bucket[to - 1] > word {
            bucket[to] = bucket[to - 1];
            to -= 1;
        }
        bucket[to] = word;
    }
    bucket.windows(2).filter(|pair| words.key(pair[0]) == words.key(pair[1])).count()
}

/// Sorts ascending rows by key, and returns whether their keys are distinct.
fn sort_run(run: &mut [u32], keys: &[u64]) -> bool {
    let key_of = |row: u32| keys[row as usize];
    if run.len() < LONG_RUN {
        run.sort_unstable_by_key(|&row| (key_of(row), row));
        return !run.windows(2).any(|pair| key_of(pair[0]) == key_of(pair[1]));
    }
    // The keys share their high bits, so now words hold all others: this recurses only once.
    let (rows, keys): (Vec<u32>, Vec<u64>) = run.iter().map(|&row| (row, key_of(row))).unzip();
    let column = PayloadKeys { keys: &keys, missing: None, payloads: RowNumbers };
    let Some(extent) = column.extent() else { return true };
    let order = argsort(column, extent);
    run.iter_mut().zip(order.rows).for_each(|(to, at)| *to = rows[at as usize]);
    order.is_distinct
}

#[cfg(test)]
mod tests {
    use super::{PayloadKeys, RowNumbers, argsort};
    use proptest::prelude::*;

    fn check(keys: &[u64], missing: Option<&[bool]>) {
        let column = PayloadKeys { keys, missing, payloads: RowNumbers };
        let Some(extent) = column.extent() else { return };
        let is_known = |row: &u32| missing.is_none_or(|missing| !missing[*row as usize]);
        let mut expected: Vec<u32> = (0..keys.len() as u32).filter(is_known).collect();
        expected.sort_by_key(|&row| keys[row as usize]);
        let order = argsort(column, extent);
        let shares = |pair: &[u32]| keys[pair[0] as usize] == keys[pair[1] as usize];
        assert_eq!(order.is_distinct, !expected.windows(2).any(shares));
        if let Some(sorted) = order.keys {
            assert!(sorted.into_iter().eq(expected.iter().map(|&row| keys[row as usize])));
        }
        expected.extend((0..keys.len() as u32).filter(|row| !is_known(row)));
        assert_eq!(order.rows, expected);
    }

    /// Short and long runs of equal words, of keys that differ in their low bits.
    #[test]
    fn sorts_runs_of_equal_words() {
        let low = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        for (n, mask) in [(3, u64::MAX), (100, u64::MAX), (5000, u64::MAX), (5000, 0xFF)] {
            let mut keys: Vec<u64> = (0..n).map(|i| (i % 3) << 50 | low(i) & mask).collect();
            keys.push(u64::MAX);
            check(&keys, None);
            keys.dedup();
            keys.sort_unstable_by_key(|key| key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            check(&keys, None);
        }
    }

    /// Many rows: crowded prefixes, and runs and buckets too long for the insertion sort.
    #[test]
    fn sorts_large_columns() {
        let scrambled = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let keys: [fn(u64) -> u64; 5] = [
            |i| i,
            |i| i >> 1,
            |i| if i.is_multiple_of(3) { i } else { 1 << 50 },
            |i| (i % 2500) << 30,
            |i| crate::data::dtype::key_of_f64((i as f64 / 1e18 - 5.0).powi(3)).unwrap_or(0),
        ];
        for key in keys {
            check(&(0..150_000).map(|i| key(scrambled(i))).collect::<Vec<_>>(), None);
        }
    }

    proptest! {
        #[test]
        fn sorts_as_the_library_does(
            rows in prop::collection::vec(
                (prop_oneof![any::<u64>(), 0u64..5, Just(u64::MAX)], any::<bool>()),
                1..300,
            ),
            in_order: bool,
        ) {
            let (mut keys, missing): (Vec<u64>, Vec<bool>) = rows.into_iter().unzip();
            if in_order {
                keys.sort_unstable();
            }
            check(&keys, None);
            check(&keys, Some(&missing));
        }
    }
}
