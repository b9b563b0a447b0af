//! The bins of a column: intervals of the reference, or its levels and one bin of all new ones.

use super::DriftBin;
use super::expected::expected_psi;
use super::homogeneity::Homogeneity;
use super::sorted::SortedFrames;
use crate::data::column::{Codes, Column, ColumnInfo, Levels};
use crate::data::column_data::Source;
use crate::data::dtype::{DType, Kind, Value};
use crate::data::weights::Weights;
use crate::rank::bins::{
    BinCount, FEW_LEVELS, QuantileLevel, Quantiles, interval_rule, level_rule, quantiles_of,
};
use crate::spec::Intervals;

/// The bins of a column and the rows of both frames in them; the last is of missing values.
pub(in crate::rank) struct DriftBins {
    pub(super) counts: Vec<BinCount>,
    bounds: Bounds,
    /// Levels that only the current frame has, and only the reference.
    pub(super) levels: Option<[u64; 2]>,
    /// Current rows of new levels.
    pub(super) new_rows: Option<u64>,
    /// The mean PSI without drift.
    pub(super) expected_psi: f64,
    pub(super) test: Homogeneity,
}

/// What is in the bins before the bin of missing values.
enum Bounds {
    /// The values between two cuts.
    Intervals(Vec<Value>),
    /// A level of the reference each, and in the last all others.
    Levels(Vec<u32>),
}

impl DriftBins {
    /// The bins of a column whose levels ascend; `mdl_cuts` are the cuts of the reference.
    pub(super) fn new(
        column: &Column,
        frames: FrameRows,
        intervals: Intervals,
        mdl_cuts: Vec<Value>,
    ) -> DriftBins {
        let mut by_level = count_levels(column, frames);
        let missing = by_level.pop().unwrap_or_default();
        if column.kind == Kind::Nominal {
            return DriftBins::of_levels(&by_level, missing);
        }
        let cuts_of = |n: usize, units: fn(&[u64; 2]) -> u64| {
            let levels = (0..).zip(&by_level).map(|(code, count)| (code, units(count)));
            let cut = |lo, hi| column.cut(lo, hi);
            interval_cuts(&quantiles_of(n, levels), &column.dtype, |code| column.value(code), cut)
        };
        let counts = |cuts: &[Value]| {
            let mut counts = vec![[0; 2]; cuts.len() + 1];
            for (bin, count) in column.cuts_at_or_below(cuts).into_iter().zip(&by_level) {
                add(&mut counts[bin as usize], count);
            }
            counts.push(missing);
            counts
        };
        let n = match intervals {
            Intervals::Quantiles(n) => n,
            Intervals::Mdl => FEW_LEVELS,
        };
        let of_test = counts(&cuts_of(n, |count| count[0] + count[1]));
        let cuts = match intervals {
            Intervals::Quantiles(n) => cuts_of(n, |count| count[0]),
            Intervals::Mdl => mdl_cuts,
        };
        DriftBins::of_intervals(&counts(&cuts), cuts, &of_test)
    }

    /// The bins of sorted keys, and a column for their rules.
    pub(super) fn of_sorted(
        of: &impl Source,
        n: usize,
        sorted: &SortedFrames,
    ) -> (ColumnInfo, Self) {
        let dtype = of.dtype();
        let cuts_of = |quantiles: Quantiles<u64>| {
            let cut = |lo, hi| dtype.value_of_key(dtype.cut_key(lo, hi));
            interval_cuts(&quantiles, dtype, |key| dtype.value_of_key(key), cut)
        };
        let counts = |cuts: &[Value]| {
            let keys = cuts.iter().filter_map(|cut| dtype.key_of_value(cut));
            sorted.counts(&keys.collect::<Vec<_>>())
        };
        let of_test = counts(&cuts_of(sorted.quantiles_of_both(n)));
        let cuts = cuts_of(sorted.quantiles(n));
        let column = ColumnInfo {
            name: of.name().to_string(),
            dtype: dtype.clone(),
            kind: Kind::Ordered,
            levels: Levels::Keys(Vec::new()),
        };
        (column, DriftBins::of_intervals(&counts(&cuts), cuts, &of_test))
    }

    /// The bins between the cuts of the reference; `of_test` are counts between cuts of both frames
    /// together.
    fn of_intervals(counts: &[[u64; 2]], cuts: Vec<Value>, of_test: &[[u64; 2]]) -> DriftBins {
        DriftBins {
            counts: counts.iter().map(bin_count).collect(),
            bounds: Bounds::Intervals(cuts),
            levels: None,
            new_rows: None,
            expected_psi: expected_psi(totals(counts), [], sum(counts)),
            test: Homogeneity::new(of_test),
        }
    }

    fn of_levels(by_level: &[[u64; 2]], missing: [u64; 2]) -> DriftBins {
        let (mut known, mut counts, mut new) = (Vec::new(), Vec::new(), [0; 2]);
        let [mut n_new, mut n_vanished] = [0, 0];
        for (level, count) in (0..).zip(by_level) {
            if count[0] == 0 {
                add(&mut new, count);
                n_new += 1;
            } else {
                known.push(level);
                counts.push(bin_count(count));
                n_vanished += u64::from(count[1] == 0);
            }
        }
        counts.extend([new, missing].iter().map(bin_count));
        // A bin of all that the reference lacks would make two samples of one distribution unlike.
        let of_test = [by_level, &[missing]].concat();
        DriftBins {
            counts,
            bounds: Bounds::Levels(known),
            levels: Some([n_new, n_vanished]),
            new_rows: Some(new[1]),
            expected_psi: expected_psi(totals(&[missing]), totals(by_level), sum(&of_test)),
            test: Homogeneity::new(&of_test),
        }
    }

    /// A bin as a line of the table.
    pub(super) fn bin(&self, column: &ColumnInfo, at: usize, total: &BinCount) -> DriftBin {
        let count = self.counts[at];
        let share = |frame: usize| count.units[frame] as f64 / total.units[frame] as f64;
        DriftBin {
            rule: self.rule(column, at),
            n: count.units,
            share: [share(0), share(1)],
            psi: count.evidence(total, 1.0).1,
        }
    }

    /// Where a cut lies: on the bound below a bin, or halfway in it.
    pub(super) fn position_of(&self, column: &ColumnInfo, cut: &Value) -> Option<f64> {
        let Bounds::Intervals(cuts) = &self.bounds else { return None };
        let key = |cut: &Value| match column.dtype.is_wide() {
            true => column.dtype.wide_of_value(cut),
            false => column.dtype.key_of_value(cut).map(i128::from),
        };
        let position = cuts.partition_point(|other| key(other) < key(cut));
        Some(position as f64 + if cuts.get(position) == Some(cut) { 1.0 } else { 0.5 })
    }

    fn rule(&self, column: &ColumnInfo, at: usize) -> String {
        if at + 1 == self.counts.len() {
            return format!("{} is missing", column.name);
        }
        match &self.bounds {
            Bounds::Intervals(cuts) => interval_rule(column, cuts, at),
            Bounds::Levels(levels) => match levels.get(at) {
                Some(&level) => level_rule(column, &[level]),
                None => format!("{} is new", column.name),
            },
        }
    }
}

/// The cuts of intervals at the quantiles of the reference. A value of several rows, and of more
/// than an interval's share, is an interval by itself: values between it and its neighbours in the
/// reference are new, and are counted apart.
fn interval_cuts<K: Copy + PartialEq>(
    quantiles: &Quantiles<K>,
    dtype: &DType,
    value: impl Fn(K) -> Value,
    cut: impl Fn(K, K) -> Value,
) -> Vec<Value> {
    let share = |units: u64| u128::from(units) * quantiles.n as u128;
    let is_alone = |level: &QuantileLevel<K>| {
        level.units > 1 && share(level.units) > u128::from(quantiles.units)
    };
    let mut cuts = Vec::new();
    for (at, level) in quantiles.levels.iter().enumerate() {
        if is_alone(level) {
            let value = value(level.level);
            let above = dtype.next_value(&value);
            // It may be the value right above the one before.
            if cuts.last() != Some(&value) {
                cuts.push(value);
            }
            cuts.extend(above);
            continue;
        }
        let Some(next) = level.next else { continue };
        let after = quantiles.levels.get(at + 1);
        if !after.is_some_and(|after| after.level == next && is_alone(after)) {
            cuts.push(cut(level.level, next));
        }
    }
    cuts
}

/// The rows of two frames, the reference's first.
#[derive(Clone, Copy)]
pub(super) struct FrameRows<'a> {
    pub(super) n_reference: usize,
    /// How many rows each of them stands for, if not for one.
    pub(super) weights: Option<&'a Weights>,
}

/// The rows of both frames by level; missing is the last.
fn count_levels(column: &Column, frames: FrameRows) -> Vec<[u64; 2]> {
    let n_levels = column.missing_code() as usize;
    let mut counts = vec![[0; 2]; n_levels + 1];
    let n_reference = frames.n_reference.min(column.len());
    if let Some(weights) = frames.weights {
        for (row, (code, units)) in column.codes.by_row().zip(&weights.units).enumerate() {
            counts[(code as usize).min(n_levels)][usize::from(row >= n_reference)] += units;
        }
        return counts;
    }
    match &column.codes {
        Codes::ByRow(codes) => {
            let (reference, current) = codes.split_at(n_reference);
            for (frame, codes) in [reference, current].into_iter().enumerate() {
                let mut of_codes = [0u64; 1 << u8::BITS];
                codes.iter().for_each(|&code| of_codes[usize::from(code)] += 1);
                counts.iter_mut().zip(of_codes).for_each(|(count, n)| count[frame] = n);
            }
        }
        Codes::Sorted(sorted) => {
            for (frame, rows) in [0..n_reference, n_reference..column.len()].into_iter().enumerate()
            {
                rows.for_each(|row| counts[sorted.codes.of(row as u32) as usize][frame] += 1);
            }
        }
    }
    counts
}

fn add(sum: &mut [u64; 2], count: &[u64; 2]) {
    sum[0] += count[0];
    sum[1] += count[1];
}

fn sum(counts: &[[u64; 2]]) -> [u64; 2] {
    let mut rows = [0; 2];
    counts.iter().for_each(|count| add(&mut rows, count));
    rows
}

/// The rows of both frames in each bin.
fn totals(counts: &[[u64; 2]]) -> impl Iterator<Item = u64> + '_ {
    counts.iter().map(|count| count[0] + count[1])
}

fn bin_count(units: &[u64; 2]) -> BinCount {
    BinCount { n: units[0] + units[1], units: *units }
}
