//! Keys in order, each with its row's payload: all that a ranking needs of a column. Dropping the row
//! numbers avoids random access, and neither order nor codes are stored.

use std::ops::Range;

use super::msd_partition::MsdPartition;
use super::payload_keys::{Extent, PayloadKeys, WordLayout};
use super::radix_pass::RadixPass;
use crate::data::column::EntryLayout;

/// The sorted keys of a column, in memory that is reused for the next one.
#[derive(Debug, Default)]
pub(crate) struct SortedKeys {
    /// The known keys, ascending.
    pub(crate) keys: Vec<u64>,
    /// The payloads of the keys, then of missing values, as entries whose row is the index here.
    pub(crate) entries: Vec<u32>,
    /// The number of distinct keys.
    pub(crate) n_levels: usize,
    radix_pass: RadixPass,
}

impl SortedKeys {
    /// Sorts a column, and frees its `keys` before it allocates the entries. `payload_bits` hold every
    /// payload, and are at most [`MAX_PAYLOAD_BITS`](super::msd_partition::MAX_PAYLOAD_BITS); `layout` has
    /// as many payload bits and holds every row. Linear in the rows, except for runs of keys that one
    /// pass does not distinguish (`r log r` for a run of r).
    pub(crate) fn fill(
        &mut self,
        keys: Vec<u64>,
        missing: Option<&[bool]>,
        payloads: &[u16],
        extent: Extent,
        payload_bits: u32,
        layout: EntryLayout,
    ) {
        let column = PayloadKeys { keys: &keys, missing, payloads };
        self.keys.resize(extent.n_known, 0);
        self.n_levels = 0;
        if extent.is_sorted {
            self.entries.resize(extent.n_known, 0);
            self.copy_sorted(column, layout);
        } else {
            let words = WordLayout { payload_bits, dropped: 0 };
            let partition = MsdPartition::new(column, extent, words);
            let ends = partition.scatter(column, words, &mut self.keys);
            drop(keys);
            self.entries.resize(extent.n_known, 0);
            for (bucket, high) in partition.buckets(ends, words).filter(|(b, _)| !b.is_empty()) {
                let keys = &mut self.keys[bucket.clone()];
                self.radix_pass.sort_by_digit(keys, words, |word| words.key(word));
                self.insertion_sort(bucket, extent.min + high, words, layout);
            }
        }
        let indices = extent.n_known as u32..;
        let of_missing = PayloadKeys { keys: &[], missing, payloads };
        let missing = indices.zip(of_missing.missing_payloads());
        self.entries.extend(missing.map(|(index, payload)| layout.entry(index, payload)));
    }

    /// Copies keys that are already in order.
    fn copy_sorted(&mut self, column: PayloadKeys<&[u16]>, layout: EntryLayout) {
        let mut at = 0;
        column.each_known(|key, payload| {
            self.n_levels += usize::from(at == 0 || self.keys[at - 1] != key);
            self.keys[at] = key;
            self.entries[at] = layout.entry(at as u32, payload);
            at += 1;
        });
    }

    /// Turns a nearly sorted bucket's words into sorted keys and entries. `base` holds the bits of
    /// its keys that the words do not, and the least key.
    #[inline(never)]
    fn insertion_sort(
        &mut self,
        bucket: Range<usize>,
        base: u64,
        words: WordLayout,
        layout: EntryLayout,
    ) {
        let first = bucket.start as u32;
        let entries = &mut self.entries[bucket.clone()];
        let keys = &mut self.keys[bucket];
        let (mut n_levels, mut highest) = (0, None);
        for at in 0..keys.len().min(entries.len()) {
            let key = base + words.key(keys[at]);
            let payload = words.payload(keys[at]);
            let mut to = at;
            if highest.is_none_or(|highest| highest < key) {
                highest = Some(key);
                n_levels += 1;
            } else {
                while to > 0 && keys[to - 1] > key {
                    keys[to] = keys[to - 1];
                    entries[to] = entries[to - 1] + 1; // the row is the index
                    to -= 1;
                }
                n_levels += usize::from(to == 0 || keys[to - 1] != key);
            }
            keys[to] = key;
            entries[to] = layout.entry(first + to as u32, payload);
        }
        self.n_levels += n_levels;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Spread, clustered, duplicate and extreme keys.
    fn key() -> impl Strategy<Value = u64> {
        prop_oneof![
            any::<u64>(),
            0u64..50,
            (0u64..3, 0u64..1 << 20).prop_map(|(cluster, low)| cluster << 52 | low),
            any::<f64>().prop_map(|x| crate::data::dtype::key_of_f64(x).unwrap_or(0)),
            Just(0),
            Just(u64::MAX),
            Just(1 << 40),
        ]
    }

    fn check(keys: &[u64], missing: Option<&[bool]>, payloads: &[u16], payload_bits: u32) {
        let column = PayloadKeys { keys, missing, payloads };
        let Some(extent) = column.extent() else { return };
        let layout = EntryLayout::new(keys.len(), payload_bits);
        // Memory of another column must not matter.
        let mut sorted =
            SortedKeys { keys: vec![7; 3], entries: vec![7; 900], ..SortedKeys::default() };
        sorted.fill(keys.to_vec(), missing, payloads, extent, payload_bits, layout);

        let is_known = |row: &usize| missing.is_none_or(|missing| !missing[*row]);
        let rows = || (0..keys.len()).filter(is_known);
        let mut expected: Vec<(u64, u16)> = rows().map(|row| (keys[row], payloads[row])).collect();
        expected.sort_unstable();
        let mut found: Vec<(u64, u16)> = sorted
            .keys
            .iter()
            .zip(&sorted.entries)
            .map(|(&key, &entry)| (key, layout.payload(entry) as u16))
            .collect();
        assert!(found.is_sorted_by_key(|&(key, _)| key));
        found.sort_unstable();
        assert_eq!(found, expected);
        expected.dedup_by_key(|&mut (key, _)| key);
        assert_eq!(sorted.n_levels, expected.len());
        assert_eq!(sorted.entries.len(), keys.len());
        for (index, &entry) in sorted.entries.iter().enumerate() {
            assert_eq!(layout.row(entry) as usize, index);
        }
        let of_missing = sorted.entries[sorted.keys.len()..].iter();
        assert!(of_missing.map(|&e| layout.payload(e)).eq(column.missing_payloads()));
    }

    /// Many rows: crowded prefixes, and runs and buckets too long for the insertion sort.
    #[test]
    fn sorts_large_columns() {
        let scrambled = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let n = 150_000;
        let keys: [fn(u64) -> u64; 5] = [
            |i| i,
            |i| i >> 1,
            |i| if i.is_multiple_of(3) { i } else { 1 << 50 },
            |i| (i % 2500) << 30,
            |i| crate::data::dtype::key_of_f64((i as f64 / 1e18 - 5.0).powi(3)).unwrap_or(0),
        ];
        let payloads: Vec<u16> = (0..n).map(|i| (scrambled(i + 7) >> 60) as u16).collect();
        for key in keys {
            let keys: Vec<u64> = (0..n).map(|i| key(scrambled(i))).collect();
            check(&keys, None, &payloads, 4);
        }
    }

    proptest! {
        #[test]
        fn sorts_as_the_library_does(
            rows in prop::collection::vec((key(), any::<bool>(), 0u16..1 << 10), 1..800),
            payload_bits in 1u32..=10,
            has_missing: bool,
            in_order: bool,
        ) {
            let mut keys: Vec<u64> = rows.iter().map(|row| row.0).collect();
            if in_order {
                keys.sort_unstable();
            }
            let missing: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let payloads: Vec<u16> = rows.iter().map(|row| row.2 & ((1 << payload_bits) - 1)).collect();
            check(&keys, has_missing.then_some(&missing), &payloads, payload_bits);
        }
    }
}
