//! The bin of a key, quickly.

/// Finds how many of some ascending starts are at or below a key.
///
/// A table on the top bits of a key's distance from the first start narrows the search to the few
/// starts that share them. Where many do, a table of their own narrows it further: floats of both
/// signs are a case, as their keys are far apart. The few are searched without branches, which the
/// processor could not predict.
pub(super) struct BinFinder {
    /// Padded, so that a search may look past the last one.
    starts: Vec<u64>,
    n_starts: usize,
    /// The table of all starts, then the tables of crowded entries.
    tables: Vec<Table>,
    /// The entries of all tables. An entry is the number of starts below its keys. A crowded entry of
    /// the first table is the index of its own table, with [`CROWDED`] added.
    entries: Vec<u32>,
}

/// The entries of keys that share their top bits.
#[derive(Clone, Copy)]
struct Table {
    base: u64,
    shift: u32,
    /// Its first entry and its last. One more follows, of the starts at or below all keys.
    first: u32,
    last: u32,
}

impl Table {
    #[inline]
    fn entry(&self, key: u64) -> usize {
        // A key below all starts has the first entry, whose starts are above it.
        let entry = key.saturating_sub(self.base) >> self.shift;
        (u64::from(self.first) + entry.min(u64::from(self.last - self.first))) as usize
    }
}

const ENTRIES_PER_START: usize = 4;

/// The starts that a search of three steps tells apart.
const SEARCHED: usize = 7;

const CROWDED: u32 = 1 << 31;

impl BinFinder {
    /// From starts that are keys of 64 bits.
    pub(super) fn new(starts: &[i128]) -> BinFinder {
        let starts: Vec<u64> = starts.iter().map(|&start| start as u64).collect();
        let n_starts = starts.len();
        let (base, top) = match starts[..] {
            [first, .., last] => (first, last - first),
            [only] => (only, 0),
            [] => (0, 0),
        };
        let mut finder = BinFinder { starts, n_starts, tables: Vec::new(), entries: Vec::new() };
        finder.add_table(base, top, 0, n_starts);
        let Table { shift, first, last, .. } = finder.tables[0];
        for entry in first..=last {
            // The next entry's own table is not made yet.
            let [from, to] = [entry, entry + 1].map(|entry| finder.entries[entry as usize]);
            if finder.is_crowded(from, to) {
                let base = base + (u64::from(entry - first) << shift);
                // Of the last entry not all keys need to be there.
                let top = ((1 << shift) - 1).min(u64::MAX - base);
                finder.add_table(base, top, from as usize, to as usize);
                finder.entries[entry as usize] = CROWDED | (finder.tables.len() - 1) as u32;
            }
        }
        finder.starts.resize(n_starts + SEARCHED, u64::MAX);
        finder
    }

    fn is_crowded(&self, from: u32, to: u32) -> bool {
        (to - from) as usize > SEARCHED
    }

    /// Adds the table of some starts, of the keys from `base` to `base + top`.
    fn add_table(&mut self, base: u64, top: u64, from: usize, to: usize) {
        let n = (ENTRIES_PER_START * (to - from)).next_power_of_two().max(2);
        let bits = u64::BITS - top.leading_zeros();
        let shift = bits.saturating_sub(n.ilog2());
        let n_entries = (top >> shift) as usize + 1;
        let first = self.entries.len() as u32;
        let starts = &self.starts[from..to];
        let below = |entry: usize| {
            let least = base + ((entry as u64) << shift);
            (from + starts.partition_point(|&start| start < least)) as u32
        };
        self.entries.extend((0..n_entries).map(below).chain([to as u32]));
        self.tables.push(Table { base, shift, first, last: first + n_entries as u32 - 1 });
    }

    #[inline]
    pub(super) fn bin(&self, key: u64) -> u32 {
        let mut entry = self.tables[0].entry(key);
        let mut below = self.entries[entry];
        if below & CROWDED != 0 {
            entry = self.tables[(below & !CROWDED) as usize].entry(key);
            below = self.entries[entry];
            let end = self.entries[entry + 1];
            if self.is_crowded(below, end) {
                let shared = &self.starts[below as usize..end as usize];
                return below + shared.partition_point(|&start| start <= key) as u32;
            }
        }
        let mut at = below as usize;
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

    fn check(starts: &[u64], others: Vec<u64>) -> Result<(), TestCaseError> {
        let finder = BinFinder::new(&starts.iter().map(|&s| s.into()).collect::<Vec<i128>>());
        let near = starts.iter().flat_map(|&s| [s.saturating_sub(1), s, s.saturating_add(1)]);
        for key in near.chain(others) {
            let expected = starts.iter().filter(|&&start| start <= key).count();
            prop_assert_eq!(finder.bin(key) as usize, expected, "{}", key);
        }
        Ok(())
    }

    /// The last entry of a crowded table ends at the highest key.
    #[test]
    fn crowded_starts_may_end_at_the_highest_key() -> Result<(), TestCaseError> {
        let crowd = (2001..2008).rev().map(|below| u64::MAX - below);
        let starts: Vec<u64> = [1 << 53].into_iter().chain(crowd).chain([u64::MAX]).collect();
        check(&starts, Vec::new())
    }

    fn keys() -> impl Strategy<Value = u64> {
        prop_oneof![
            0..50u64,
            any::<u64>(),
            Just(u64::MAX),
            Just(1 << 63),
            (1u64 << 63)..(1 << 63) + 99,
            (1u64 << 62)..(1 << 62) + (1 << 20),
            u64::MAX - 2000..=u64::MAX,
        ]
    }

    proptest! {
        #[test]
        fn bins_are_those_of_a_count(
            starts in prop::collection::btree_set(keys(), 0..60),
            others in prop::collection::vec(keys(), 0..60),
        ) {
            let starts: Vec<u64> = starts.into_iter().collect();
            check(&starts, others)?;
        }
    }
}
