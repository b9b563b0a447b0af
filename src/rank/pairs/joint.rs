//! The counts of two columns' bins, over the rows where both have a value.

use crate::rank::bins::{Bin, BinOfRow, Binned};

/// A table of counts is made for at most this many cells a row; longer ones would be nearly empty.
const MAX_CELLS_PER_ROW: usize = 4;

/// The counts of the first column's bins, of the second's, and of both together. The last may leave
/// out counts of 0.
pub(super) fn counts(a: &Binned, b: &Binned) -> [Vec<f64>; 3] {
    let n_bins = [a.n_bins, b.n_bins];
    match (&a.of_row, &b.of_row) {
        (BinOfRow::Byte(a), BinOfRow::Byte(b)) => count(a, b, n_bins),
        (BinOfRow::Byte(a), BinOfRow::Long(b)) => count(a, b, n_bins),
        (BinOfRow::Long(a), BinOfRow::Byte(b)) => count(a, b, n_bins),
        (BinOfRow::Long(a), BinOfRow::Long(b)) => count(a, b, n_bins),
    }
}

fn count<A: Bin, B: Bin>(a: &[A], b: &[B], [n_a, n_b]: [usize; 2]) -> [Vec<f64>; 3] {
    let width = n_b + 1;
    let cells = (n_a + 1).saturating_mul(width);
    let rows = a.iter().zip(b).map(|(a, b)| (a.index(), b.index()));
    let (mut of_a, mut of_b) = (vec![0.0; n_a], vec![0.0; n_b]);
    let mut of_both = Vec::new();
    let mut add = |[i, j]: [usize; 2], n: u32| {
        if i < of_a.len() && j < of_b.len() {
            of_a[i] += f64::from(n);
            of_b[j] += f64::from(n);
            of_both.push(f64::from(n));
        }
    };
    if cells <= MAX_CELLS_PER_ROW * a.len() {
        let mut table = vec![0u32; cells];
        rows.for_each(|(i, j)| table[i * width + j] += 1);
        let counted = table.iter().enumerate().filter(|&(_, &n)| n > 0);
        counted.for_each(|(at, &n)| add([at / width, at % width], n));
    } else {
        let mut pairs: Vec<[usize; 2]> = rows.map(|(i, j)| [i, j]).collect();
        pairs.sort_unstable();
        for same in pairs.chunk_by(|x, y| x == y) {
            add(same[0], same.len() as u32);
        }
    }
    [of_a, of_b, of_both]
}
