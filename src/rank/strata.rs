//! Rows in strata: the rows of a stratum agree on what is given.

use super::bins::{BinOfRow, Binned};

/// The stratum of each row. Strata are numbered in order of the given columns' bins, and each has
/// rows.
pub(super) struct Strata {
    pub(super) of_row: Vec<u32>,
    pub(super) count: usize,
}

/// All rows in order of stratum, then row.
pub(super) struct RowsByStratum {
    pub(super) rows: Vec<u32>,
    /// Where each stratum begins, and the number of rows.
    pub(super) starts: Vec<usize>,
}

impl Strata {
    pub(super) fn one(n_rows: usize) -> Strata {
        Strata { of_row: vec![0; n_rows], count: 1.min(n_rows) }
    }

    /// Splits each stratum by the bins of one more column. Linear in the rows.
    pub(super) fn refine(&self, binned: &Binned) -> Strata {
        match &binned.of_row {
            BinOfRow::Byte(bins) => self.refine_by(binned.n_all(), |row| bins[row as usize].into()),
            BinOfRow::Long(bins) => self.refine_by(binned.n_all(), |row| bins[row as usize]),
        }
    }

    fn refine_by(&self, n_bins: usize, bin: impl Fn(u32) -> u32) -> Strata {
        let (by_bin, _) = counting_sort(0..self.of_row.len() as u32, n_bins, &bin);
        let (rows, _) = counting_sort(by_bin.iter().copied(), self.count, |row| self.of(row));
        let mut of_row = vec![0; rows.len()];
        let (mut count, mut last) = (0, None);
        for &row in &rows {
            let key = Some((self.of(row), bin(row)));
            count += usize::from(key != last);
            last = key;
            of_row[row as usize] = count as u32 - 1;
        }
        Strata { of_row, count }
    }

    pub(super) fn rows(&self) -> RowsByStratum {
        let all = 0..self.of_row.len() as u32;
        let (rows, starts) = counting_sort(all, self.count, |row| self.of(row));
        RowsByStratum { rows, starts }
    }

    fn of(&self, row: u32) -> u32 {
        self.of_row[row as usize]
    }
}

impl RowsByStratum {
    pub(super) fn each(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.rows[ends[0]..ends[1]])
    }
}

/// A stable counting sort by keys below `n`, and where each key begins.
pub(super) fn counting_sort<T: Copy + Default>(
    items: impl ExactSizeIterator<Item = T> + Clone,
    n: usize,
    key: impl Fn(T) -> u32,
) -> (Vec<T>, Vec<usize>) {
    let mut starts = vec![0; n + 1];
    items.clone().for_each(|item| starts[key(item) as usize + 1] += 1);
    for at in 0..n {
        starts[at + 1] += starts[at];
    }
    let sorted = arrange(items, &starts, key);
    (sorted, starts)
}

/// Sorts items by key, stably, where it is known already where each key begins.
pub(super) fn arrange<T: Copy + Default>(
    items: impl ExactSizeIterator<Item = T>,
    starts: &[usize],
    key: impl Fn(T) -> u32,
) -> Vec<T> {
    let mut next = starts.to_vec();
    let mut arranged = vec![T::default(); items.len()];
    for item in items {
        let slot = &mut next[key(item) as usize];
        arranged[*slot] = item;
        *slot += 1;
    }
    arranged
}
