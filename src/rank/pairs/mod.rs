//! How much columns tell about each other, pair by pair.

mod redundant;

use std::borrow::Borrow;

pub use redundant::{RedundantColumn, redundant_columns};

use crate::data::column::Column;
use crate::rank::bins::{Bin, BinOfRow, Binned};
use crate::spec::{LogBase, Monitor};
use crate::stat::criterion::{entropy, symmetric_uncertainty};
use crate::util::monitoring::{advance, begin_stage};
use crate::util::parallel;

/// What two columns tell about each other, over the rows where both have a value; see the table
/// `gain_matrix`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct PairGain {
    /// The columns' indices; the first is below the second.
    pub columns: [usize; 2],
    pub n: u64,
    pub entropies: [f64; 2],
    pub info_gain: f64,
    pub symmetric_uncertainty: f64,
}

/// A gain below this share of the entropies is rounding, and counts as 0.
const ROUNDING: f64 = 1e-12;

/// A table of counts is made for at most this many cells a row; longer ones would be nearly empty.
const MAX_CELLS_PER_ROW: usize = 4;

/// All pairs of columns of one table, in order. An ordered column of more than `bins` levels is
/// taken by `bins` intervals of about as many rows. Linear in the rows a pair, and `n log n` for
/// two nominal columns of many levels. Where the work is interrupted, pairs are left out.
pub fn pair_gains<C: Borrow<Column> + Sync>(
    columns: &[C],
    bins: u32,
    base: LogBase,
    monitor: Option<&Monitor>,
) -> Vec<PairGain> {
    let binned =
        parallel::map(columns, |column| Binned::by_quantiles(column.borrow(), bins as usize));
    let pairs: Vec<[usize; 2]> = (0..columns.len())
        .flat_map(|first| (first + 1..columns.len()).map(move |second| [first, second]))
        .collect();
    begin_stage(monitor, "comparing columns", pairs.len());
    let gain = |&[a, b]: &[usize; 2]| {
        let stopped = monitor.is_some_and(Monitor::is_interrupted);
        let gain = (!stopped).then(|| pair_gain([a, b], &binned[a], &binned[b], base));
        advance(monitor, 1);
        gain
    };
    parallel::map(&pairs, gain).into_iter().flatten().collect()
}

/// Two columns of one table by all their levels, whatever their kind. `n log n` in the rows.
pub fn pair_gain_of_levels(a: &Column, b: &Column, base: LogBase) -> PairGain {
    let [a, b] = [a, b].map(Binned::by_levels);
    pair_gain([0, 1], &a, &b, base)
}

fn pair_gain(columns: [usize; 2], a: &Binned, b: &Binned, base: LogBase) -> PairGain {
    let [of_a, of_b, of_both] = joint_counts(a, b);
    let [first, second, both] = [&of_a, &of_b, &of_both].map(|counts| entropy(counts, base));
    let gain = first + second - both;
    let info_gain = if gain > ROUNDING * (first + second) { gain } else { 0.0 };
    PairGain {
        columns,
        n: of_a.iter().sum::<f64>() as u64,
        entropies: [first, second],
        info_gain,
        symmetric_uncertainty: symmetric_uncertainty(info_gain, first, second).min(1.0),
    }
}

/// The counts of the first column's bins, of the second's, and of both together, over the rows where
/// both have a value. The last may leave out counts of 0.
pub(in crate::rank) fn joint_counts(a: &Binned, b: &Binned) -> [Vec<f64>; 3] {
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
