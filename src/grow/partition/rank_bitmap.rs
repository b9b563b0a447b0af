//! Rows numbered afresh.

/// Of some rows, each one's place among them. A bit a row, and a number for as many as make a
/// word: it is asked at random, and so stays in the cache, which took 5 % off the growth to depth
/// 12.
#[derive(Debug, Default)]
pub(crate) struct RankBitmap(Vec<Word>);

/// As many rows one after the other as it has bits.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// Those that are there.
    rows: u32,
    /// How many are before them.
    before: u32,
}

impl RankBitmap {
    /// Numbers some rows, which ascend, of so many. WordLayout that have none of them keep what was said
    /// of others: no one asks for it.
    pub(crate) fn number(&mut self, rows: &[u32], n_rows: usize) {
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

    /// The places of some of them.
    pub(crate) fn of_each(&self, rows: impl ExactSizeIterator<Item = u32>) -> Vec<u32> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the instruction.
            #[expect(unsafe_code)]
            return unsafe { self.of_each_by_popcnt(rows) };
        }
        rows.map(|row| self.of(row)).collect()
    }

    /// The same, bits counted by one instruction: not every processor of the kind has it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn of_each_by_popcnt(&self, rows: impl ExactSizeIterator<Item = u32>) -> Vec<u32> {
        let mut places = Vec::with_capacity(rows.len());
        for row in rows {
            places.push(self.of(row));
        }
        places
    }

    #[inline(always)]
    fn of(&self, row: u32) -> u32 {
        let Word { rows, before } = self.0[(row / u32::BITS) as usize];
        before + (rows & ((1 << (row % u32::BITS)) - 1)).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::RankBitmap;
    use proptest::prelude::*;

    proptest! {
        /// Whatever rows were numbered before.
        #[test]
        fn numbers_rows_in_order(works in prop::collection::vec(
            prop::collection::vec(any::<bool>(), 1..200), 1..4,
        )) {
            let mut places = RankBitmap::default();
            for there in works {
                let rows: Vec<u32> = (0..).zip(&there).filter(|r| *r.1).map(|r| r.0).collect();
                places.number(&rows, there.len());
                let numbers: Vec<u32> = (0..rows.len() as u32).collect();
                prop_assert_eq!(places.of_each(rows.iter().copied()), numbers.clone());
                prop_assert!(rows.iter().map(|&row| places.of(row)).eq(numbers));
            }
        }
    }
}
