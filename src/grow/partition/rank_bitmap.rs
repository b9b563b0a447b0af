//! Ranks of rows in a set of rows.

/// The rank of each row in a set of rows: a bit a row, and a count every 32 rows. It is accessed at
/// random, and small enough to stay in the cache.
#[derive(Debug, Default)]
pub(crate) struct RankBitmap(Vec<Word>);

/// 32 neighbouring rows.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// A bit for each row of the set.
    rows: u32,
    /// Rows of the set before these.
    before: u32,
}

impl RankBitmap {
    /// Makes the set of these rows, which ascend and are below `n_rows`. Words without a row of the
    /// set keep stale counts, which are never read.
    pub(crate) fn fill(&mut self, rows: &[u32], n_rows: usize) {
        debug_assert!(rows.is_sorted());
        let RankBitmap(words) = self;
        let n_words = n_rows.div_ceil(u32::BITS as usize);
        words.resize(n_words.max(words.len()), Word { rows: 0, before: 0 });
        let mut last = None;
        for (before, &row) in (0..).zip(rows) {
            let (at, bit) = (row / u32::BITS, 1 << (row % u32::BITS));
            let word = &mut words[at as usize];
            if last != Some(at) {
                *word = Word { rows: 0, before };
                last = Some(at);
            }
            word.rows |= bit;
        }
    }

    /// The ranks of some rows of the set.
    pub(crate) fn ranks(&self, rows: impl ExactSizeIterator<Item = u32>) -> Vec<u32> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the instruction.
            #[expect(unsafe_code)]
            return unsafe { self.ranks_by_popcnt(rows) };
        }
        rows.map(|row| self.rank(row)).collect()
    }

    /// [`ranks`](Self::ranks) with the `popcnt` instruction, which not every x86-64 processor has.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn ranks_by_popcnt(&self, rows: impl ExactSizeIterator<Item = u32>) -> Vec<u32> {
        let mut ranks = Vec::with_capacity(rows.len());
        for row in rows {
            ranks.push(self.rank(row));
        }
        ranks
    }

    #[inline(always)]
    fn rank(&self, row: u32) -> u32 {
        let Word { rows, before } = self.0[(row / u32::BITS) as usize];
        before + (rows & ((1 << (row % u32::BITS)) - 1)).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::RankBitmap;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the set was before.
        #[test]
        fn ranks_rows_in_order(sets in prop::collection::vec(
            prop::collection::vec(any::<bool>(), 1..200), 1..4,
        )) {
            let mut bitmap = RankBitmap::default();
            for set in sets {
                let rows: Vec<u32> = (0..).zip(&set).filter(|r| *r.1).map(|r| r.0).collect();
                bitmap.fill(&rows, set.len());
                let numbers: Vec<u32> = (0..rows.len() as u32).collect();
                prop_assert_eq!(bitmap.ranks(rows.iter().copied()), numbers.clone());
                prop_assert!(rows.iter().map(|&row| bitmap.rank(row)).eq(numbers));
            }
        }
    }
}
