//! Rows of a numeric target.

use std::borrow::Cow;
use std::sync::Arc;

use super::bound::{BLOCK, RoundedNumbers};
use super::exact_sums::{Squares, sum_of};
use super::number_rating::NumberRating;
use super::proxy::{Mean, Proxy, float};
use super::tiny_numbers::TinyNumbers;
use super::{BoundCuts, CountRows, Rating, RowPayloads, ShareRows, Summary, add};
use crate::data::column::EntryLayout;
use crate::data::number_scale::NumberScale;
use crate::data::weights::Weights;
use crate::spec::LogBase;

/// The rows' distances from the target's centre, and their weights.
pub(crate) struct NumberRows<'a> {
    distances: Arc<[i64]>,
    /// The numbers themselves, unless their distances stand for them exactly.
    numbers: Option<Arc<[f64]>>,
    weights: Option<Cow<'a, [u64]>>,
    rounded: RoundedNumbers,
    rating: NumberRating,
}

impl<'a> NumberRows<'a> {
    pub(super) fn new(
        numbers: &[f64],
        distances: Option<&[i64]>,
        scale: NumberScale,
        weights: Option<&'a Weights>,
        base: LogBase,
    ) -> Self {
        let is_exact = distances.is_some() || numbers.iter().all(|&y| scale.is_exact(y));
        let distances: Arc<[i64]> = match distances {
            Some(distances) => distances.into(),
            None => numbers.iter().map(|&y| scale.distance(y)).collect(),
        };
        NumberRows {
            rounded: RoundedNumbers::new(&distances),
            distances,
            numbers: (!is_exact).then(|| numbers.into()),
            weights: weights.map(|w| Cow::Borrowed(&w.units[..])),
            rating: NumberRating::new(scale, weights, base),
        }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.distances.len()
    }

    /// The variance of some rows about the mean of their stat.
    pub(crate) fn variance(&self, rows: &[u32], stat: &[i128]) -> f64 {
        if stat[0] == 0 {
            return 0.0;
        }
        let centre = NumberRows::centre(stat) as i64;
        let distances = rows.iter().map(|&row| self.distances[row as usize]);
        let squares = match &self.weights {
            None => Squares::about(centre, distances.map(|distance| (distance, 1))),
            Some(weights) => {
                let units = rows.iter().map(|&row| weights[row as usize]);
                Squares::about(centre, distances.zip(units))
            }
        };
        self.variance_from(&squares, stat)
    }

    /// The variance from the squares about the [`centre`](Self::centre).
    fn variance_from(&self, squares: &Squares, stat: &[i128]) -> f64 {
        let fraction = Mean::of(stat).fraction;
        let variance = squares.sum() / float(stat[0]) - fraction * fraction;
        self.rating.variance(variance.max(0.0))
    }

    /// The whole part of the mean of a stat, about which squares are summed.
    pub(crate) fn centre(stat: &[i128]) -> i128 {
        Mean::of(stat).whole
    }

    /// [`CountRows::summarize`] of rows that somebody else counted: the squares of their distances
    /// from the [`centre`](Self::centre), and their number if all are the same.
    pub(crate) fn summarize_squares(
        &self,
        total: &[i128],
        (high, low): (u128, u128),
        common_number: Option<f64>,
        values: &mut Vec<f64>,
    ) -> Summary {
        let variance = || self.variance_from(&Squares::of_halves(high, low), total);
        self.summary(total, common_number, variance, values)
    }

    /// The summary of a node, from the number of its rows if all have the same.
    fn summary(
        &self,
        total: &[i128],
        common_number: Option<f64>,
        variance: impl Fn() -> f64,
        values: &mut Vec<f64>,
    ) -> Summary {
        let weight = self.rating.weight(total[0]);
        let (mean, impurity) = match common_number {
            Some(number) => (number, 0.0),
            None => (self.rating.mean(total), variance()),
        };
        values.extend([weight, mean]);
        Summary { weight, impurity, is_pure: common_number.is_some() }
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

impl CountRows for NumberRows<'_> {
    type Num = i128;
    type Rating = NumberRating;
    type Increment = [i128; 2];

    fn rating(&self) -> &NumberRating {
        &self.rating
    }

    #[inline]
    fn increment(&self, row: u32) -> [i128; 2] {
        let units = i128::from(self.row_units(row));
        [units, units * i128::from(self.distances[row as usize])]
    }

    #[inline]
    fn add_at(increment: [i128; 2], start: usize, table: &mut [i128]) {
        add(&mut table[start..start + 2], &increment);
    }

    fn add_entries(&self, entries: &[u32], layout: EntryLayout, stat: &mut [i128]) {
        if self.weights.is_some() {
            return entries.iter().for_each(|&entry| self.add(layout.row(entry), stat));
        }
        stat[0] += entries.len() as i128;
        let distances = entries.iter().map(|&entry| self.distances[layout.row(entry) as usize]);
        stat[1] += sum_of(distances);
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
        let distance = |row: &u32| self.distances[*row as usize];
        let is_pure = rows.windows(2).all(|pair| distance(&pair[0]) == distance(&pair[1]));
        let common_number = is_pure.then(|| self.common_number(rows, total));
        self.summary(total, common_number, || self.variance(rows, total), values)
    }
}

impl RowPayloads for NumberRows<'_> {
    const PAYLOADS_ARE_KEPT: bool = false;

    fn payloads_are_stats(&self) -> bool {
        false
    }

    /// The payload is the rounded distance; a weight has no room in an entry.
    fn payload_bits(&self) -> u32 {
        if self.weights.is_none() { self.rounded.bits } else { 0 }
    }

    #[inline]
    fn payload(&self, row: u32) -> u32 {
        self.rounded.round(self.distances[row as usize])
    }
}

impl BoundCuts for NumberRows<'_> {
    fn sum_blocks(
        &self,
        entries: &[u32],
        layout: EntryLayout,
        parent: &[i128],
        borders: &mut Vec<i128>,
        spreads: &mut Vec<f64>,
    ) {
        let mean = Mean::of(parent).whole as i64;
        for block in entries.chunks(BLOCK) {
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
                stat[0] += block.len() as i128;
                stat[1] += sum_of(distances);
                spread = shifted as f64 * f64::from(1 << SHIFT);
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

    fn payload_bound(&self, entries: &[u32], layout: EntryLayout, n_known: usize) -> f64 {
        match layout.has_payloads() {
            true => self.rating.variance(self.rounded.variance_bound(entries, layout, n_known)),
            false => f64::INFINITY,
        }
    }
}

impl ShareRows for NumberRows<'_> {
    type Tiny = TinyNumbers;

    #[inline]
    fn row_units(&self, row: u32) -> u64 {
        self.weights.as_ref().map_or(1, |w| w[row as usize])
    }

    fn gather(&self, rows: &[u32]) -> Self {
        let numbers = |of: &Arc<[f64]>| rows.iter().map(|&row| of[row as usize]).collect();
        let distances: Arc<[i64]> = rows.iter().map(|&row| self.distances[row as usize]).collect();
        NumberRows {
            rounded: RoundedNumbers::new(&distances),
            distances,
            numbers: self.numbers.as_ref().map(numbers),
            weights: self.weights.as_ref().map(|w| rows.iter().map(|&r| w[r as usize]).collect()),
            rating: self.rating,
        }
    }

    fn copy_tiny(&self, rows: &[u32], to: &mut TinyNumbers) {
        let row = |&row: &u32| (self.distances[row as usize], self.row_units(row));
        to.fill(rows.iter().map(row), self.weights.is_some());
    }

    fn shared(&self, rows: &[u32], units: &[u64]) -> Self {
        let mut weights = vec![0; self.distances.len()];
        rows.iter().zip(units).for_each(|(&row, &units)| weights[row as usize] = units);
        NumberRows {
            weights: Some(Cow::Owned(weights)),
            distances: Arc::clone(&self.distances),
            numbers: self.numbers.clone(),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stat::bound::tests::no_cut_gains_more;
    use crate::stat::difference;
    use proptest::prelude::*;

    /// Numbers of all sizes, with ties, in a random order.
    fn numbers(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
        let number = prop_oneof![
            -1.0..1.0f64,
            (0..3i32).prop_map(f64::from),
            (-1.0..1.0f64, -12..6i32).prop_map(|(m, e)| m * 10f64.powi(e)),
        ];
        prop::collection::vec(number, n)
    }

    fn rows<'a>(numbers: &'a [f64], weights: Option<&'a Weights>) -> NumberRows<'a> {
        NumberRows::new(numbers, None, NumberScale::new(numbers), weights, LogBase::Two)
    }

    proptest! {
        /// No cut's proxy is above its block's bound, first and last cuts included.
        #[test]
        fn blocks_bound_their_cuts(numbers in numbers(2..200), heavy in any::<bool>()) {
            let weights: Vec<f64> = (0..numbers.len()).map(|row| (row * 7 % 5 + 1) as f64).collect();
            let weights = heavy.then(|| Weights::new(&weights).expect("finite"));
            let rows = rows(&numbers, weights.as_ref());
            let entries: Vec<u32> = (0..numbers.len() as u32).collect();
            let total = rows.total(&entries, EntryLayout::ROWS);
            let (mut borders, mut spreads) = (vec![0, 0], Vec::new());
            rows.sum_blocks(&entries, EntryLayout::ROWS, &total, &mut borders, &mut spreads);
            prop_assert_eq!(&borders[borders.len() - 2..], &total[..]);
            let mut proxies = vec![0.0; borders.len() / 2];
            rows.rating.proxies_at(&borders, &total, &mut proxies);
            let mut bounds = vec![0.0; spreads.len()];
            rows.rating.block_bounds(&borders, &total, &proxies, &spreads, &mut bounds);
            for at in 1..entries.len() {
                let left = rows.total(&entries[..at], EntryLayout::ROWS);
                let mut exact = [0.0];
                rows.rating.proxies_at(&left, &total, &mut exact);
                let bound = bounds[(at - 1) / BLOCK];
                prop_assert!(exact[0] <= bound * (1.0 + 1e-9), "{exact:?} {bound} at {at}");
            }
        }

        /// Proxies of single entries equal the proxies of their sums, up to the margin of
        /// `proxy_floor`.
        #[test]
        fn proxies_along_entries_are_those_of_their_sums(numbers in numbers(2..64)) {
            let rows = rows(&numbers, None);
            let entries: Vec<u32> = (0..numbers.len() as u32).collect();
            let total = rows.total(&entries, EntryLayout::ROWS);
            let variance = rows.variance(&entries, &total);
            let mut proxies = vec![0.0; entries.len() - 1];
            let entries = &entries[..proxies.len()];
            let (rating, layout) = (rows.rating(), EntryLayout::ROWS);
            rows.proxies_along(rating, entries, layout, &total, &mut [0, 0], &mut proxies);
            for (at, proxy) in proxies.into_iter().enumerate() {
                let left = rows.total(&entries[..=at], EntryLayout::ROWS);
                let gain = rating.gain(&total, &[&left, &difference(&total, &left)]);
                let exact = rating.proxy_of(gain, &total);
                let noise = rating.proxy_of(rating.zero_below(variance), &total);
                prop_assert!((proxy - exact).abs() <= 1e-8 * exact + noise, "{proxy} {exact}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// No cut gains more than payloads say, wherever missing values are.
        #[test]
        fn payloads_bound_all_cuts(numbers in numbers(5_000..6_000), share in 0.0..1.0f64) {
            let rows = rows(&numbers, None);
            no_cut_gains_more(&rows, numbers.len(), share)?;
        }
    }
}
