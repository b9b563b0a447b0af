//! Bins of a column, and the rows of two classes in them: what weights of evidence, drift and gains
//! beside other columns are computed from.

mod binned;
mod counts;
mod cuts;
mod merge;
mod rules;

/// An ordered column of at most this many levels is taken by its levels, and a numeric target or a
/// given column by this many intervals.
pub(super) const FEW_LEVELS: usize = 10;

pub(super) use binned::{Bin, BinOfRow, Binned};
pub(super) use counts::{BinCount, TwoClasses, count_bins, count_levels, evidence};
pub(super) use cuts::{
    QuantileLevel, Quantiles, check_intervals, mdl_bounds, quantile, quantile_cuts, quantiles_of,
};
pub(super) use merge::{MergeLimits, merge};
pub(super) use rules::{interval_rule, level_rule};
