//! How columns are binned, the naive way.

use std::cmp::Ordering;

use gaintree::engine::dtype::{Kind, Value};

use crate::frames::Column;
use crate::oracle;

/// The level of each of some rows, by its rank among their values; `None` is missing.
pub fn levels(column: &Column, rows: &[usize]) -> Vec<Option<usize>> {
    let levels = oracle::levels(column, rows);
    let level = |&row: &usize| {
        let value = column.known(row)?;
        let same = |level: &&Value| oracle::order(column, level, value) == Ordering::Equal;
        levels.iter().position(same)
    };
    rows.iter().map(level).collect()
}

/// The bin of each of some rows: its level, or of an ordered column of more than `n` levels the
/// interval of about as many rows. The level at which an n-th of the rows is reached ends one.
pub fn bins(column: &Column, rows: &[usize], n: usize) -> Vec<Option<usize>> {
    let of_rows = levels(column, rows);
    let mut known: Vec<usize> = of_rows.iter().copied().flatten().collect();
    known.sort_unstable();
    let n_levels = known.last().map_or(0, |last| last + 1);
    if column.kind == Kind::Nominal || n_levels <= n {
        return of_rows;
    }
    let mut ends: Vec<usize> =
        (1..n).map(|at| known[(at * known.len()).div_ceil(n).max(1) - 1]).collect();
    ends.dedup();
    ends.retain(|&end| end < n_levels - 1);
    let bin = |level: usize| ends.iter().filter(|&&end| end < level).count();
    of_rows.into_iter().map(|level| level.map(bin)).collect()
}
