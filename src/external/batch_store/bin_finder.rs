//! The bin of a key, quickly.

/// Finds how many of some ascending starts are at or below a key.
///
/// A table on the top bits of a key's distance from the first start narrows the search to the few
/// starts that share them. These are searched without a branch, which could not be foreseen.
pub(super) struct BinFinder {
    /// Padded, so that a search may look past the last one.
    starts: Vec<u64>,
    n_starts: usize,
    base: u64,
    shift: u32,
    /// For each value of the top bits, the starts below it, and at the end all; [`CROWDED`] is added
    /// where more than [`SEARCHED`] starts share them.
    table: Vec<u32>,
}

/// Entries of the table per start.
const ENTRIES_PER_START: usize = 4;

/// The starts that a search of three steps tells apart.
const SEARCHED: usize = 7;

const CROWDED: u32 = 1 << 31;

impl BinFinder {
    /// From starts that are keys of 64 bits.
    pub(super) fn new(starts: &[i128]) -> BinFinder {
        let mut starts: Vec<u64> = starts.iter().map(|&start| start as u64).collect();
        let n_starts = starts.len();
        let (base, top) = match starts[..] {
            [first, .., last] => (first, last - first),
            [only] => (only, 0),
            [] => (0, 0),
        };
        let n = (ENTRIES_PER_START * n_starts).next_power_of_two().max(2);
        let bits = u64::BITS - top.leading_zeros();
        let shift = bits.saturating_sub(n.ilog2());
        let n_entries = (top >> shift) as usize + 1;
        let below = |entry: usize| {
            let least = base + ((entry as u64) << shift);
            starts.partition_point(|&start| start < least) as u32
        };
        let mut table: Vec<u32> = (0..n_entries).map(below).chain([n_starts as u32]).collect();
        for entry in 0..n_entries {
            if table[entry + 1] - table[entry] > SEARCHED as u32 {
                table[entry] |= CROWDED;
            }
        }
        starts.resize(n_starts + SEARCHED, u64::MAX);
        BinFinder { starts, n_starts, base, shift, table }
    }

    #[inline]
    pub(super) fn bin(&self, key: u64) -> u32 {
        // A key below all starts has the first entry, whose starts are above it.
        let entry = (key.saturating_sub(self.base) >> self.shift) as usize;
        let entry = entry.min(self.table.len() - 2);
        let first = self.table[entry];
        if first & CROWDED != 0 {
            let (first, end) = (first & !CROWDED, self.table[entry + 1] & !CROWDED);
            let shared = &self.starts[first as usize..end as usize];
            return first + shared.partition_point(|&start| start <= key) as u32;
        }
        let mut at = first as usize;
        at += 4 * usize::from(self.starts[at + 3] <= key);
        at += 2 * usize::from(self.starts[at + 1] <= key);
        at += usize::from(self.starts[at] <= key);
        // The padding is no start, though the highest key is not below it.
        at.min(self.n_starts) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::BinFinder;
    use proptest::prelude::*;

    fn keys() -> impl Strategy<Value = u64> {
        prop_oneof![
            0..50u64,
            any::<u64>(),
            Just(u64::MAX),
            Just(1 << 63),
            (1u64 << 63)..(1 << 63) + 99
        ]
    }

    proptest! {
        #[test]
        fn bins_are_those_of_a_count(
            starts in prop::collection::btree_set(keys(), 0..60),
            others in prop::collection::vec(keys(), 0..60),
        ) {
            let starts: Vec<u64> = starts.into_iter().collect();
            let finder = BinFinder::new(&starts.iter().map(|&s| s.into()).collect::<Vec<i128>>());
            let near = starts.iter().flat_map(|&s| [s.saturating_sub(1), s, s.saturating_add(1)]);
            for key in near.chain(others) {
                let expected = starts.iter().filter(|&&start| start <= key).count();
                prop_assert_eq!(finder.bin(key) as usize, expected, "{}", key);
            }
        }
    }
}
