//! The cuts between the bins of a column that is taken as ordered.

use crate::data::column::{Codes, Column};
use crate::data::dtype::Value;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::rank::mdl_cuts::mdl_cuts_of_column;
use crate::spec::{Intervals, LogBase};

/// The most bins of a column. More say nothing that can be read, and merging them is cubic.
pub(in crate::rank) const MAX_BINS: usize = 100;

pub(in crate::rank) fn check_intervals(intervals: Intervals) -> Result<()> {
    match intervals {
        Intervals::Quantiles(n) if !(2..=MAX_BINS).contains(&n) => Err(Error::spec(format!(
            "intervals = quantiles of {n}: choose 2 to {MAX_BINS} intervals"
        ))),
        Intervals::Quantiles(_) | Intervals::Mdl => Ok(()),
    }
}

/// The MDL cuts of a column of the table, ascending; of more than there may be, those that save
/// most.
pub(in crate::rank) fn mdl_bounds(table: &Table, column: &Column) -> Result<Vec<Value>> {
    let cuts = mdl_cuts_of_column(table, column, LogBase::Two)?;
    let saved = |at: usize| cuts[at].n as f64 * cuts[at].info_gain;
    let mut kept: Vec<usize> = (0..cuts.len()).collect();
    kept.sort_by(|&a, &b| saved(b).total_cmp(&saved(a)));
    kept.truncate(MAX_BINS - 1);
    kept.sort_unstable();
    Ok(kept.into_iter().map(|at| cuts[at].cut.clone()).collect())
}

/// The cuts at the quantiles of the rows that `units` weighs: for each of them, the level at which
/// so much of the weight is reached is the last of its interval.
pub(in crate::rank) fn quantile_cuts(
    column: &Column,
    n: usize,
    units: impl Fn(u32) -> u64,
) -> Vec<Value> {
    match &column.codes {
        Codes::ByRow(codes) => {
            let mut sums = [0; 1 << u8::BITS];
            (0..).zip(codes).for_each(|(row, &code)| sums[usize::from(code)] += units(row));
            cuts_of(column, n, (0..column.missing_code()).map(|code| (code, sums[code as usize])))
        }
        Codes::Sorted(sorted) => {
            let known = &sorted.order[..sorted.n_known(column.missing_code())];
            cuts_of(column, n, known.iter().map(|&row| (sorted.codes.of(row), units(row))))
        }
    }
}

/// The cuts between levels that come in order with their weights.
pub(in crate::rank) fn cuts_of(
    column: &Column,
    n: usize,
    levels: impl Iterator<Item = (u32, u64)> + Clone,
) -> Vec<Value> {
    let levels = levels.filter(|&(_, units)| units > 0);
    let total: u64 = levels.clone().map(|(_, units)| units).sum();
    let (mut cuts, mut below, mut at) = (Vec::new(), 0, 1);
    let mut last: Option<u32> = None;
    for (code, units) in levels {
        if let Some(lo) = last.filter(|&lo| lo != code) {
            cuts.push(column.cut(lo, code));
            last = None;
        }
        below += units;
        if at < n && below >= quantile(total, at, n) {
            last = Some(code);
            while at < n && below >= quantile(total, at, n) {
                at += 1;
            }
        }
    }
    cuts
}

/// The weight at which the `at`-th of `n` intervals ends.
pub(in crate::rank) fn quantile(total: u64, at: usize, n: usize) -> u64 {
    (u128::from(total) * at as u128).div_ceil(n as u128) as u64
}
