//! Moments of a numeric target: weight and sum about the node's mean.
//!
//! The variance a split takes away is `Σ wi/W (mi - m)²`: it needs weights and means alone. A
//! number's distance from the node's mean is kept as a whole multiple of a power of two fine
//! enough to lose nothing that matters (62 bits to the farthest number), so sums are exact in
//! any order; a target of 1e9 and small noise splits as the noise alone would.

use std::borrow::Cow;

use crate::data::weights::{Weights, exponent, scale};
use crate::spec::LogBase;
use crate::split::Buckets;
use crate::stat::criterion;
use crate::stat::{Stat, StatVec, Summary};

/// The rows' numbers and weights; a stat is (weight units, sum of distances times units).
#[derive(Clone, Debug)]
pub(crate) struct NumberStat<'a> {
    numbers: Cow<'a, [f64]>,
    weights: Option<Cow<'a, [u64]>>,
    /// The weight of one unit.
    weight_unit: f64,
    base: LogBase,
    /// Each row's distance from the mean of the node in focus, in distance units.
    distances: Vec<i64>,
    /// The distance of one unit.
    distance_unit: f64,
    /// The mean of the node in focus.
    center: f64,
    /// The variance of the node in focus.
    variance: f64,
}

/// Bits of the farthest distance. Times 62 bits of weight, a sum stays within an `i128`.
const DISTANCE_BITS: i32 = 61;

impl<'a> NumberStat<'a> {
    pub(crate) fn new(numbers: &'a [f64], weights: Option<&'a Weights>, base: LogBase) -> Self {
        NumberStat {
            numbers: Cow::Borrowed(numbers),
            weights: weights.map(|w| Cow::Borrowed(&w.units[..])),
            weight_unit: weights.map_or(1.0, |w| w.unit),
            base,
            distances: vec![0; numbers.len()],
            distance_unit: 1.0,
            center: 0.0,
            variance: 0.0,
        }
    }

    /// Weight and mean of some rows, the mean in two passes: the second adds what the rounding
    /// of the first left over.
    fn weight_and_mean(&self, rows: &[u32]) -> (f64, f64) {
        let units: u64 = rows.iter().map(|&row| self.row_units(row)).sum();
        let weight = units as f64;
        let share = |row: u32| self.row_units(row) as f64 / weight;
        let number = |row: u32| self.numbers[row as usize];
        let first: f64 = rows.iter().map(|&row| share(row) * number(row)).sum();
        let rest: f64 = rows.iter().map(|&row| share(row) * (number(row) - first)).sum();
        (weight * self.weight_unit, first + rest)
    }

    /// The variance of a stat's rows needs their squares, which a stat does not hold: this is
    /// of rows.
    pub(crate) fn variance_of(&self, rows: &[u32]) -> f64 {
        let (weight, mean) = self.weight_and_mean(rows);
        let square = |row: u32| {
            let distance = self.numbers[row as usize] - mean;
            self.row_units(row) as f64 * self.weight_unit / weight * distance * distance
        };
        rows.iter().map(|&row| square(row)).sum()
    }

    /// A stat's mean.
    pub(crate) fn mean_of(&self, stat: &[i128]) -> f64 {
        self.center + self.mean(stat)
    }

    /// A stat's mean about the focus.
    fn mean(&self, stat: &[i128]) -> f64 {
        stat[1] as f64 / stat[0] as f64 * self.distance_unit
    }
}

/// The variance a split takes away, in squares of the distance unit.
#[inline]
fn proxy(left: &[i128], parent: &[i128]) -> f64 {
    let (weight, sum) = (parent[0] as f64, parent[1] as f64);
    let (l, r) = (left[0] as f64, (parent[0] - left[0]) as f64);
    // The sum the left side is above its share.
    let above = left[1] as f64 - sum * (l / weight);
    above / l * (above / r)
}

impl Stat for NumberStat<'_> {
    type Num = i128;

    fn width(&self) -> usize {
        2
    }

    #[inline]
    fn add(&self, row: u32, stat: &mut [i128]) {
        let units = i128::from(self.row_units(row));
        stat[0] += units;
        stat[1] += units * i128::from(self.distances[row as usize]);
    }

    /// Sums are about the mean of the node in focus.
    fn is_the_same_everywhere(&self) -> bool {
        false
    }

    fn units(&self, stat: &[i128]) -> i128 {
        stat[0]
    }

    fn weight(&self, units: i128) -> f64 {
        units as f64 * self.weight_unit
    }

    fn gain(&self, parent: &[i128], branches: &[&[i128]]) -> f64 {
        let mean = self.mean(parent);
        let gain: f64 = branches
            .iter()
            .filter(|b| b[0] > 0)
            .map(|b| {
                let apart = self.mean(b) - mean;
                b[0] as f64 / parent[0] as f64 * apart * apart
            })
            .sum();
        // Below this a gain of numbers is rounding.
        if gain < 1e-12 * self.variance { 0.0 } else { gain }
    }

    fn split_info(&self, branches: &[&[i128]]) -> f64 {
        let weights: StatVec<f64> = branches.iter().map(|b| self.weight(b[0])).collect();
        criterion::split_info(&weights, self.base)
    }

    fn proxies(&self, stats: &[i128], parent: &[i128], left: &mut [i128], out: &mut [f64]) {
        for (stat, out) in stats.chunks_exact(2).zip(out) {
            left[0] += stat[0];
            left[1] += stat[1];
            *out = proxy(left, parent);
        }
    }

    fn proxies_at(&self, lefts: &[i128], parent: &[i128], out: &mut [f64]) {
        lefts.chunks_exact(2).zip(out).for_each(|(left, out)| *out = proxy(left, parent));
    }

    fn proxy_of(&self, gain: f64, _parent: &[i128]) -> f64 {
        gain / self.distance_unit / self.distance_unit
    }

    fn proxy_floor(&self, best: f64, _parent: &[i128]) -> f64 {
        best - 1e-9 * best.abs()
    }

    fn orders_exactly(&self) -> bool {
        true
    }

    /// By mean: exact (Fisher 1958; Breiman et al. 1984, section 8.8).
    fn level_order(&self, buckets: &Buckets<i128>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        let mean = |bucket: usize| self.mean(buckets.stat(bucket));
        order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
        order
    }

    fn focus(&mut self, rows: &[u32]) {
        let (_, mean) = self.weight_and_mean(rows);
        let distance = |row: u32| self.numbers[row as usize] - mean;
        let farthest = rows.iter().map(|&row| distance(row).abs()).fold(0.0, f64::max);
        let shift = if farthest > 0.0 { DISTANCE_BITS - 1 - exponent(farthest) } else { 0 };
        for &row in rows {
            self.distances[row as usize] =
                scale(self.numbers[row as usize] - mean, shift).round() as i64;
        }
        self.distance_unit = scale(1.0, -shift);
        self.center = mean;
        self.variance = self.variance_of(rows);
    }

    fn summarize(&self, rows: &[u32], _: &[i128], values: &mut Vec<f64>) -> Summary {
        let (weight, mean) = self.weight_and_mean(rows);
        values.extend([weight, mean]);
        let number = |row: &u32| self.numbers[*row as usize];
        let pure = rows.windows(2).all(|w| number(&w[0]) == number(&w[1]));
        Summary { weight, impurity: if pure { 0.0 } else { self.variance_of(rows) }, pure }
    }

    #[inline]
    fn row_units(&self, row: u32) -> u64 {
        self.weights.as_ref().map_or(1, |w| w[row as usize])
    }

    fn gather(&self, rows: &[u32], units: Option<&[u64]>) -> Self {
        let weights = match units {
            Some(units) => Some(units.iter().copied().collect()),
            None => self.weights.as_ref().map(|w| rows.iter().map(|&r| w[r as usize]).collect()),
        };
        NumberStat {
            numbers: rows.iter().map(|&row| self.numbers[row as usize]).collect(),
            weights,
            weight_unit: self.weight_unit,
            base: self.base,
            distances: vec![0; rows.len()],
            distance_unit: 1.0,
            center: 0.0,
            variance: 0.0,
        }
    }
}
