//! Bins of a column, and the rows of two classes in them: what weights of evidence, drift and gains
//! beside other columns are computed from.

mod binned;
mod counts;
mod cuts;
mod merge;
mod rules;

pub(super) use binned::{Bin, BinOfRow, Binned};
pub(super) use counts::{BinCount, TwoClasses, count_bins, count_levels};
pub(super) use cuts::{check_intervals, cuts_of, mdl_bounds, quantile, quantile_cuts};
pub(super) use merge::{MergeLimits, merge};
pub(super) use rules::{interval_rule, level_rule};
