//! A column as the bins that a screen counts.
//!
//! A nominal column is taken by its levels. An ordered one of many levels is taken by intervals of
//! about as many rows: a level's place is the middle of its rows among all rows in order. Intervals
//! by this place are the same under every strictly monotone map, and mirrored by one that turns the
//! order around.

use crate::data::column::{Codes, Column, RowCodes, Sorted};
use crate::data::column_data::MISSING;
use crate::data::dtype::Kind;
use crate::rank::bins::{BinOfRow, Binned};

/// The most bins that pairs of columns are compared by, and the most that the target is compared
/// with. Both are odd, so that the middle place lies within an interval.
const FINE: usize = 255;
const COARSE: usize = 21;

/// With more intervals, pairs of columns of `n` rows would have hardly two rows a pair of bins.
fn most_fine(n: usize) -> usize {
    (2 * n).isqrt().clamp(COARSE, FINE) | 1
}

/// The bins of a column; missing values come after the others.
pub(super) struct ScreenBins {
    /// Levels, or as many intervals as the rows allow.
    pub(super) fine: Binned,
    /// The coarse bin of each fine one: of an ordered column at most 21.
    pub(super) coarse_of: Vec<u32>,
    pub(super) n_coarse: usize,
}

impl ScreenBins {
    /// Linear in the rows.
    pub(super) fn of(column: &Column) -> ScreenBins {
        let fine = match column.kind {
            Kind::Nominal => Binned::by_levels(column),
            Kind::Ordered => by_places(column, most_fine(column.len())),
        };
        let (coarse_of, n_coarse) = match column.kind {
            Kind::Nominal => ((0..fine.n_bins as u32).collect(), fine.n_bins),
            Kind::Ordered => fine.merging(COARSE),
        };
        ScreenBins { fine, coarse_of, n_coarse }
    }

    /// The bins of some of the rows.
    pub(super) fn of_rows(&self, rows: &[u32]) -> ScreenBins {
        let n_bins = self.fine.n_bins;
        let of_row = match &self.fine.of_row {
            BinOfRow::Byte(of) => BinOfRow::Byte(rows.iter().map(|&r| of[r as usize]).collect()),
            BinOfRow::Long(of) => BinOfRow::Long(rows.iter().map(|&r| of[r as usize]).collect()),
        };
        let (coarse_of, n_coarse) = (self.coarse_of.clone(), self.n_coarse);
        ScreenBins { fine: Binned { of_row, n_bins }, coarse_of, n_coarse }
    }

    /// The coarse bins of the rows.
    pub(super) fn coarse(&self) -> Binned {
        self.fine.renumbered(&self.coarse_of, self.n_coarse)
    }
}

/// An ordered column by its levels, or by intervals if it has more than `most` levels.
fn by_places(column: &Column, most: usize) -> Binned {
    if column.n_levels() > most {
        return by_intervals(column, most);
    }
    match &column.codes {
        Codes::ByRow(_) => Binned::by_levels(column),
        // Its codes may be in order of row.
        Codes::Sorted(sorted) => {
            of_sorted(column, sorted, &(0..column.n_levels() as u32).collect::<Vec<_>>())
        }
    }
}

fn by_intervals(column: &Column, n: usize) -> Binned {
    match &column.codes {
        Codes::ByRow(codes) => {
            let mut counts = vec![0; 1 << u8::BITS];
            codes.iter().for_each(|&code| counts[usize::from(code)] += 1);
            let missing = column.missing_code() as usize;
            let bins = bins_of(&counts[..missing.min(counts.len())], n);
            let bin = |&code: &u8| bins.get(usize::from(code)).copied().unwrap_or(n as u32);
            Binned { of_row: BinOfRow::new(codes.iter().map(bin), n + 1), n_bins: n }
        }
        Codes::Sorted(sorted) => {
            let levels = levels_of(column, sorted).map(|rows| rows.len() as u64);
            of_sorted(column, sorted, &bins_of(&levels.collect::<Vec<_>>(), n))
        }
    }
}

/// The bins of a sorted column, by the bin of each level in order.
fn of_sorted(column: &Column, sorted: &Sorted, bins: &[u32]) -> Binned {
    let n = bins.last().map_or(0, |&last| last as usize + 1);
    let mut of_row = vec![n as u32; column.len()];
    for (rows, &bin) in levels_of(column, sorted).zip(bins) {
        rows.iter().for_each(|&row| of_row[row as usize] = bin);
    }
    Binned { of_row: BinOfRow::new(of_row.into_iter(), n + 1), n_bins: n }
}

/// The place of each row's level among all levels in order, or [`MISSING`].
pub(super) fn places_of(column: &Column, rows: &[u32]) -> Vec<u32> {
    let missing = column.missing_code();
    let place = |code: u32| if code < missing { code } else { MISSING };
    match &column.codes {
        Codes::Sorted(Sorted { codes: RowCodes::Identity(_), order }) => {
            let mut places = vec![MISSING; column.len()];
            let known = order[..column.n_levels()].iter();
            known.zip(0..).for_each(|(&row, at)| places[row as usize] = at);
            rows.iter().map(|&row| places[row as usize]).collect()
        }
        codes => rows.iter().map(|&row| place(codes.of(row))).collect(),
    }
}

/// The rows of each level, in order.
pub(super) fn levels_of<'a>(
    column: &Column,
    sorted: &'a Sorted,
) -> impl DoubleEndedIterator<Item = &'a [u32]> {
    let known = &sorted.order[..sorted.n_known(column.missing_code())];
    known.chunk_by(|&a, &b| sorted.codes.of(a) == sorted.codes.of(b))
}

impl Binned {
    /// Each bin's number among at most `n` that have about as many rows, and how many these are.
    fn merging(&self, n: usize) -> (Vec<u32>, usize) {
        if self.n_bins <= n {
            return ((0..self.n_bins as u32).collect(), self.n_bins);
        }
        let mut counts = vec![0; self.n_all()];
        match &self.of_row {
            BinOfRow::Byte(of) => of.iter().for_each(|&bin| counts[usize::from(bin)] += 1),
            BinOfRow::Long(of) => of.iter().for_each(|&bin| counts[bin as usize] += 1),
        }
        (bins_of(&counts[..self.n_bins], n), n)
    }

    /// At most `n` bins of about as many rows.
    pub(super) fn merged(&self, n: usize) -> Binned {
        let (to, n_bins) = self.merging(n);
        self.renumbered(&to, n_bins)
    }

    /// The bins under other numbers.
    fn renumbered(&self, to: &[u32], n_bins: usize) -> Binned {
        let number = |bin: usize| to.get(bin).copied().unwrap_or(n_bins as u32);
        let of_row = match &self.of_row {
            BinOfRow::Byte(of) => {
                BinOfRow::new(of.iter().map(|&bin| number(bin.into())), n_bins + 1)
            }
            BinOfRow::Long(of) => {
                BinOfRow::new(of.iter().map(|&bin| number(bin as usize)), n_bins + 1)
            }
        };
        Binned { of_row, n_bins }
    }
}

/// The interval of each level, of `n` that have about as many rows; `counts` are the rows of the
/// levels in order. Counted in half rows, a level whose middle is as far from the end as another's
/// from the start lies in the mirrored interval.
pub(super) fn bins_of(counts: &[u64], n: usize) -> Vec<u32> {
    let total = u128::from(counts.iter().sum::<u64>());
    let below = |middle: u128| (middle * n as u128 / (2 * total).max(1)) as u32;
    let mut seen = 0;
    let bin = |&count: &u64| {
        let middle = 2 * seen + u128::from(count);
        seen += u128::from(count);
        match middle <= total {
            true => below(middle),
            false => n as u32 - 1 - below(2 * total - middle),
        }
    };
    counts.iter().map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_turned_order_has_mirrored_intervals(
            counts in prop::collection::vec(1u64..40, 1..60),
            half in 1usize..20,
        ) {
            let n = 2 * half + 1;
            let bins = bins_of(&counts, n);
            prop_assert!(bins.is_sorted() && bins.iter().all(|&bin| (bin as usize) < n));
            let turned: Vec<u64> = counts.iter().rev().copied().collect();
            let mirrored = bins_of(&turned, n).into_iter().rev().map(|bin| n as u32 - 1 - bin);
            prop_assert_eq!(bins, mirrored.collect::<Vec<_>>());
        }
    }
}
