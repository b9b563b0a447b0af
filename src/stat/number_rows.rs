//! Rows of a numeric target.

use std::borrow::Cow;

use super::number_rating::{Mean, NumberRating, Proxy, float};
use super::quantizer::Quantizer;
use super::{Rating, RowStats, Summary};
use crate::data::column::EntryLayout;
use crate::data::number_scale::NumberScale;
use crate::data::weights::Weights;
use crate::spec::LogBase;

/// The rows' distances from the target's centre, and their weights.
pub(crate) struct NumberRows<'a> {
    distances: Cow<'a, [i64]>,
    /// The numbers themselves, unless their distances stand for them exactly.
    numbers: Option<Cow<'a, [f64]>>,
    weights: Option<Cow<'a, [u64]>>,
    quantizer: Quantizer,
    rating: NumberRating,
}

impl<'a> NumberRows<'a> {
    pub(super) fn new(
        numbers: &'a [f64],
        scale: NumberScale,
        weights: Option<&'a Weights>,
        base: LogBase,
    ) -> Self {
        let is_exact = numbers.iter().all(|&y| scale.is_exact(y));
        let distances: Cow<[i64]> = numbers.iter().map(|&y| scale.distance(y)).collect();
        NumberRows {
            quantizer: Quantizer::new(&distances),
            distances,
            numbers: (!is_exact).then_some(Cow::Borrowed(numbers)),
            weights: weights.map(|w| Cow::Borrowed(&w.units[..])),
            rating: NumberRating::new(scale, weights, base),
        }
    }

    /// The variance of some rows about the mean of their stat.
    pub(crate) fn variance(&self, rows: &[u32], stat: &[i128]) -> f64 {
        if stat[0] == 0 {
            return 0.0;
        }
        let mean = Mean::of(stat);
        let squares = Squares::about(
            mean.whole,
            rows.iter().map(|&row| (self.distances[row as usize], self.row_units(row))),
        );
        let variance = squares.sum() / stat[0] as f64 - mean.fraction * mean.fraction;
        self.rating.variance(variance.max(0.0))
    }

    /// The mean of rows whose distances are all the same: their number as it was given, the
    /// lowest if several share a distance.
    fn common_number(&self, rows: &[u32], stat: &[i128]) -> f64 {
        match &self.numbers {
            Some(numbers) => {
                rows.iter().map(|&row| numbers[row as usize]).fold(f64::INFINITY, f64::min)
            }
            None => self.rating.mean(stat),
        }
    }
}

/// A sum of weight units times squared distances, exact in any order.
///
/// A square of 128 bits times a weight of 63 bits fits no integer type, so the upper and the
/// lower half of each square are summed apart; neither sum can overflow while the weight units
/// add up to less than 2^63.
#[derive(Default)]
struct Squares {
    high: u128,
    low: u128,
}

impl Squares {
    fn about(centre: i128, rows: impl Iterator<Item = (i64, u64)>) -> Squares {
        let mut squares = Squares::default();
        for (distance, units) in rows {
            let apart = (i128::from(distance) - centre).unsigned_abs();
            let (square, units) = (apart * apart, u128::from(units));
            squares.high += (square >> u64::BITS) * units;
            squares.low += u128::from(square as u64) * units;
        }
        squares
    }

    fn sum(&self) -> f64 {
        self.high as f64 * 2f64.powi(64) + self.low as f64
    }
}

/// A sum of distances, their upper and lower halves apart: 64-bit sums that cannot overflow.
#[derive(Default)]
struct Halves {
    high: i64,
    low: u64,
}

impl FromIterator<i64> for Halves {
    #[inline]
    fn from_iter<I: IntoIterator<Item = i64>>(distances: I) -> Halves {
        let mut halves = Halves::default();
        for distance in distances {
            halves.high += distance >> u32::BITS;
            halves.low += u64::from(distance as u32);
        }
        halves
    }
}

impl Halves {
    fn sum(&self) -> i128 {
        (i128::from(self.high) << u32::BITS) + i128::from(self.low)
    }
}

impl RowStats for NumberRows<'_> {
    type Num = i128;
    type Rating = NumberRating;

    fn rating(&self) -> &NumberRating {
        &self.rating
    }

    #[inline]
    fn add(&self, row: u32, stat: &mut [i128]) {
        let units = i128::from(self.row_units(row));
        stat[0] += units;
        stat[1] += units * i128::from(self.distances[row as usize]);
    }

    const TAGS_ARE_STATS: bool = false;

    /// The tag is the rounded distance; a weight has no room in an entry.
    fn tag_bits(&self) -> u32 {
        if self.weights.is_none() { self.quantizer.bits() } else { 0 }
    }

    #[inline]
    fn tag(&self, row: u32) -> u32 {
        self.quantizer.round(self.distances[row as usize])
    }

    fn highest_gain_of(&self, entries: &[u32], layout: EntryLayout, n_known: usize) -> f64 {
        match layout.has_tags() {
            true => self.rating.variance(self.quantizer.highest_gain(entries, layout, n_known)),
            false => f64::INFINITY,
        }
    }

    fn add_entries(&self, entries: &[u32], layout: EntryLayout, stat: &mut [i128]) {
        if self.weights.is_some() {
            return entries.iter().for_each(|&entry| self.add(layout.row(entry), stat));
        }
        stat[0] += entries.len() as i128;
        let distances = entries.iter().map(|&entry| self.distances[layout.row(entry) as usize]);
        stat[1] += distances.collect::<Halves>().sum();
    }

    fn sum_blocks(
        &self,
        entries: &[u32],
        layout: EntryLayout,
        block: usize,
        parent: &[i128],
        borders: &mut Vec<i128>,
        spreads: &mut Vec<f64>,
    ) {
        let mean = Mean::of(parent).whole as i64;
        for block in entries.chunks(block) {
            let last = borders.len() - 2;
            borders.extend_from_within(last..);
            let stat = &mut borders[last + 2..];
            let mut spread = 0.0;
            if self.weights.is_none() {
                // In integers, rounded up, as the processor adds these faster.
                const SHIFT: u32 = 16;
                let mut shifted = block.len() as u64;
                let distances = block.iter().map(|&entry| {
                    let distance = self.distances[layout.row(entry) as usize];
                    shifted += distance.abs_diff(mean) >> SHIFT;
                    distance
                });
                let sum = distances.collect::<Halves>().sum();
                spread = shifted as f64 * f64::from(1 << SHIFT);
                stat[0] += block.len() as i128;
                stat[1] += sum;
            } else {
                for row in block.iter().map(|&entry| layout.row(entry)) {
                    self.add(row, stat);
                    let apart = self.distances[row as usize].abs_diff(mean);
                    spread += (apart as f64 + 1.0) * self.row_units(row) as f64;
                }
            }
            spreads.push(spread);
        }
    }

    fn proxies_along(
        &self,
        _rating: &NumberRating,
        entries: &[u32],
        layout: EntryLayout,
        parent: &[i128],
        left: &mut [i128],
        out: &mut [f64],
    ) {
        let proxy = Proxy::of(parent);
        let rows = entries.iter().map(|&entry| layout.row(entry));
        let Mean { whole, fraction } = proxy.mean;
        let Some(weights) = &self.weights else {
            let [before, mut above] = proxy.above_at(left);
            for (row, out) in rows.zip(&mut *out) {
                let apart = self.distances[row as usize] - whole as i64;
                above += apart as f64 - fraction;
                *out = above;
            }
            for (i, out) in out.iter_mut().enumerate() {
                *out = proxy.at(before + f64::from(i as i32 + 1), *out);
            }
            return;
        };
        // Sums of weights of different sizes need more digits.
        let (mut weight, mut sum) = (left[0], left[1] - whole * left[0]);
        for (row, out) in rows.zip(out) {
            let units = i128::from(weights[row as usize]);
            weight += units;
            sum += units * (i128::from(self.distances[row as usize]) - whole);
            let left = float(weight);
            *out = proxy.at(left, proxy.above(left, sum));
        }
    }

    fn summarize(&self, rows: &[u32], total: &[i128], values: &mut Vec<f64>) -> Summary {
        let weight = self.rating.weight(total[0]);
        let distance = |row: &u32| self.distances[*row as usize];
        let is_pure = rows.windows(2).all(|pair| distance(&pair[0]) == distance(&pair[1]));
        let (mean, impurity) = match is_pure {
            true => (self.common_number(rows, total), 0.0),
            false => (self.rating.mean(total), self.variance(rows, total)),
        };
        values.extend([weight, mean]);
        Summary { weight, impurity, is_pure }
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
        let numbers = |of: &Cow<[f64]>| rows.iter().map(|&row| of[row as usize]).collect();
        let distances: Cow<[i64]> = rows.iter().map(|&row| self.distances[row as usize]).collect();
        NumberRows {
            quantizer: Quantizer::new(&distances),
            distances,
            numbers: self.numbers.as_ref().map(numbers),
            weights,
            rating: self.rating,
        }
    }
}
