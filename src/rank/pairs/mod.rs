//! How much columns tell about each other, pair by pair.

mod joint;
mod redundant;

use std::borrow::Borrow;

pub use redundant::{RedundantColumn, redundant_columns};

use crate::data::column::Column;
use crate::rank::bins::Binned;
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
    let [of_a, of_b, of_both] = joint::counts(a, b);
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
