//! The bin of a key, quickly.

/// Finds how many of some ascending starts are at or below a key.
///
/// A table on the top bits of a key's distance from the first start narrows the search to the few
/// starts that share them.
pub(super) struct BinFinder {
    starts: Vec<u64>,
    base: u64,
    shift: u32,
    /// For each value of the top bits, the starts below it.
    table: Vec<u32>,
}

/// Entries of the table per start.
const ENTRIES_PER_START: usize = 4;

impl BinFinder {
    /// From starts that are keys of 64 bits.
    pub(super) fn new(starts: &[i128]) -> BinFinder {
        let starts: Vec<u64> = starts.iter().map(|&start| start as u64).collect();
        let (base, top) = match starts[..] {
            [first, .., last] => (first, last - first),
            [only] => (only, 0),
            [] => (0, 0),
        };
        let n = (ENTRIES_PER_START * starts.len()).next_power_of_two().max(2);
        let bits = u64::BITS - top.leading_zeros();
        let shift = bits.saturating_sub(n.ilog2());
        let n_entries = (top >> shift) as usize + 2;
        let below = |entry: usize| {
            let least =
                (entry as u64).checked_shl(shift).filter(|least| least >> shift == entry as u64);
            match least.and_then(|least| least.checked_add(base)) {
                Some(least) => starts.partition_point(|&start| start < least) as u32,
                None => starts.len() as u32,
            }
        };
        let table = (0..=n_entries).map(below).collect();
        BinFinder { starts, base, shift, table }
    }

    #[inline]
    pub(super) fn bin(&self, key: u64) -> u32 {
        if key < self.base || self.starts.is_empty() {
            return 0;
        }
        let entry = ((key - self.base) >> self.shift) as usize;
        let entry = entry.min(self.table.len() - 2);
        let (first, end) = (self.table[entry] as usize, self.table[entry + 1] as usize);
        let end = if entry + 2 == self.table.len() { self.starts.len() } else { end };
        (first + self.starts[first..end].partition_point(|&start| start <= key)) as u32
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
