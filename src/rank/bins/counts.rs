//! Rows of two classes, counted by bin.

use crate::data::column::Column;
use crate::data::weights::Weights;

/// Rows of two classes, and what they weigh.
#[derive(Clone, Copy)]
pub(in crate::rank) struct TwoClasses<'a> {
    pub(in crate::rank) codes: &'a [u16],
    /// The class that is counted second.
    pub(in crate::rank) event: u16,
    pub(in crate::rank) weights: Option<&'a Weights>,
}

/// The rows of a bin, and the weight of either class in it, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rank) struct BinCount {
    pub(in crate::rank) n: u64,
    pub(in crate::rank) units: [u64; 2],
}

impl TwoClasses<'_> {
    /// What a row weighs.
    pub(in crate::rank) fn units(&self, row: u32) -> u64 {
        self.weights.map_or(1, |weights| weights.units[row as usize])
    }

    /// The weight of one unit.
    pub(in crate::rank) fn unit(&self) -> f64 {
        self.weights.map_or(1.0, |weights| weights.unit)
    }
}

impl BinCount {
    pub(in crate::rank) fn add(&mut self, other: BinCount) {
        self.n += other.n;
        self.units[0] += other.units[0];
        self.units[1] += other.units[1];
    }

    pub(in crate::rank) fn sum<'a>(counts: impl IntoIterator<Item = &'a BinCount>) -> BinCount {
        let mut sum = BinCount::default();
        counts.into_iter().for_each(|count| sum.add(*count));
        sum
    }

    /// Compares the shares of the second class, exactly.
    pub(in crate::rank) fn cmp_share(&self, other: &BinCount) -> std::cmp::Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(self.units[1], other.units[0]).cmp(&product(other.units[1], self.units[0]))
    }

    /// The [`evidence`] of the bin, whose counts are in units.
    pub(in crate::rank) fn evidence(&self, total: &BinCount, unit: f64) -> (f64, f64) {
        evidence(self.units.map(|n| n as f64 * unit), total.units.map(|n| n as f64 * unit))
    }
}

/// What the second class's share and the first's contribute: the logarithm of their quotient, and that
/// times their difference. Half a row of each class is added to a bin that lacks one of them; a bin
/// without rows contributes nothing.
pub(in crate::rank) fn evidence(bin: [f64; 2], total: [f64; 2]) -> (f64, f64) {
    if bin == [0.0; 2] || total.contains(&0.0) {
        return (0.0, 0.0);
    }
    let added = if bin.contains(&0.0) { 0.5 } else { 0.0 };
    let share = |class: usize| (bin[class] + added) / total[class];
    let woe = (share(1) / share(0)).ln();
    (woe, (share(1) - share(0)) * woe)
}

/// The counts of bins, one for each level's `bin_of`; the last is of missing values.
pub(in crate::rank) fn count_bins(
    column: &Column,
    bin_of: &[u32],
    n_bins: usize,
    rows: TwoClasses,
) -> Vec<BinCount> {
    let mut counts = vec![BinCount::default(); n_bins + 1];
    for (row, code) in (0..).zip(column.codes.by_row()) {
        let bin = bin_of.get(code as usize).map_or(n_bins, |&bin| bin as usize);
        let class = usize::from(rows.codes[row as usize] == rows.event);
        counts[bin].n += 1;
        counts[bin].units[class] += rows.units(row);
    }
    counts
}

/// Counts a column's rows into a bin for each level.
pub(in crate::rank) fn count_levels(column: &Column, rows: TwoClasses) -> Vec<BinCount> {
    let n_levels = column.missing_code();
    count_bins(column, &(0..n_levels).collect::<Vec<_>>(), n_levels as usize, rows)
}
