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

/// The MDL cuts of a column of the table, ascending. If there are more than allowed, the ones that
/// save most.
pub(in crate::rank) fn mdl_bounds(table: &Table, column: &Column) -> Result<Vec<Value>> {
    let cuts = mdl_cuts_of_column(table, column, LogBase::Two)?;
    let saved = |at: usize| cuts[at].n as f64 * cuts[at].info_gain;
    let mut kept: Vec<usize> = (0..cuts.len()).collect();
    kept.sort_by(|&a, &b| saved(b).total_cmp(&saved(a)));
    kept.truncate(MAX_BINS - 1);
    kept.sort_unstable();
    Ok(kept.into_iter().map(|at| cuts[at].cut.clone()).collect())
}

/// The cuts at the quantiles of the rows that `units` weighs. For each quantile, the last level of
/// its interval is the one at which that share of the weight is reached.
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
            let code = |row: &u32| sorted.codes.of(*row);
            let levels = known.chunk_by(|a, b| code(a) == code(b));
            let units = |rows: &[u32]| rows.iter().map(|&row| units(row)).sum();
            cuts_of(column, n, levels.map(|rows| (code(&rows[0]), units(rows))))
        }
    }
}

fn cuts_of(
    column: &Column,
    n: usize,
    levels: impl Iterator<Item = (u32, u64)> + Clone,
) -> Vec<Value> {
    let quantiles = quantiles_of(n, levels);
    quantiles.levels.iter().filter_map(|end| Some(column.cut(end.level, end.next?))).collect()
}

/// The quantiles of levels of type `K` that end `n` intervals of about equal weight.
#[derive(Clone, Debug)]
pub(in crate::rank) struct Quantiles<K> {
    pub(in crate::rank) n: usize,
    /// The weight of all levels.
    pub(in crate::rank) units: u64,
    /// The levels at which a quantile is reached, in order.
    pub(in crate::rank) levels: Vec<QuantileLevel<K>>,
}

/// A level at which a quantile is reached.
#[derive(Clone, Copy, Debug)]
pub(in crate::rank) struct QuantileLevel<K> {
    pub(in crate::rank) level: K,
    /// What it weighs.
    pub(in crate::rank) units: u64,
    /// The next level that has weight.
    pub(in crate::rank) next: Option<K>,
}

/// The quantiles of levels that come in order with their weights.
pub(in crate::rank) fn quantiles_of(
    n: usize,
    levels: impl Iterator<Item = (u32, u64)> + Clone,
) -> Quantiles<u32> {
    let levels = levels.filter(|&(_, units)| units > 0);
    let total: u64 = levels.clone().map(|(_, units)| units).sum();
    let (mut found, mut below, mut at) = (Vec::<QuantileLevel<u32>>::new(), 0, 1);
    for (level, units) in levels {
        if let Some(QuantileLevel { next: next @ None, .. }) = found.last_mut() {
            *next = Some(level);
        }
        below += units;
        if at < n && below >= quantile(total, at, n) {
            found.push(QuantileLevel { level, units, next: None });
            while at < n && below >= quantile(total, at, n) {
                at += 1;
            }
        }
    }
    Quantiles { n, units: total, levels: found }
}

/// The weight at which the `at`-th of `n` intervals ends.
pub(in crate::rank) fn quantile(total: u64, at: usize, n: usize) -> u64 {
    (u128::from(total) * at as u128).div_ceil(n as u128) as u64
}
