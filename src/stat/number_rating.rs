//! How stats of a numeric target are rated.
//!
//! A stat is `(w, s)`: the weight in units, and the sum of weight units times distances from the
//! target's centre ([`NumberScale`]). The variance that a split takes away is
//! `Σ wi/w (mi - m)²`, which needs weights and means alone. A mean `s / w` is kept as a whole
//! number and a fraction below 1, so that differences of means do not cancel: the whole parts are
//! subtracted as integers.

use super::{Rating, StatVec, criterion};
use crate::data::number_scale::NumberScale;
use crate::data::weights::Weights;
use crate::spec::LogBase;

#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRating {
    pub(super) scale: NumberScale,
    /// The size of a distance unit.
    unit: f64,
    /// The weight of one weight unit.
    weight_unit: f64,
    base: LogBase,
}

/// The mean distance of some rows, in units.
#[derive(Clone, Copy)]
pub(super) struct Mean {
    /// Rounded down.
    pub(super) whole: i128,
    /// From 0 to 1.
    pub(super) fraction: f64,
}

impl Mean {
    /// The mean of a stat with rows.
    #[inline]
    pub(super) fn of(stat: &[i128]) -> Mean {
        // A stat without rows has no mean; any number does.
        let (weight, sum) = (stat[0].max(1), stat[1]);
        let fraction = sum.rem_euclid(weight) as f64 / weight as f64;
        Mean { whole: sum.div_euclid(weight), fraction }
    }

    fn minus(self, other: Mean) -> f64 {
        (self.whole - other.whole) as f64 + (self.fraction - other.fraction)
    }
}

/// Proxies of one parent: the variance a split takes away, in squared units. Sums are taken about
/// the whole part of the parent's mean, which is exact, so that they do not cancel.
struct Proxy {
    weight: i128,
    mean: Mean,
}

impl Proxy {
    fn of(parent: &[i128]) -> Proxy {
        Proxy { weight: parent[0], mean: Mean::of(parent) }
    }

    #[inline]
    fn at(&self, left: &[i128]) -> f64 {
        let (l, r) = (left[0] as f64, (self.weight - left[0]) as f64);
        // How far the left side's sum is above its share of the parent's.
        let above = (left[1] - self.mean.whole * left[0]) as f64 - self.mean.fraction * l;
        above / l * (above / r)
    }
}

impl NumberRating {
    pub(super) fn new(scale: NumberScale, weights: Option<&Weights>, base: LogBase) -> Self {
        let weight_unit = weights.map_or(1.0, |w| w.unit);
        NumberRating { scale, unit: scale.unit(), weight_unit, base }
    }

    /// The mean of a stat with rows, in the target's own unit.
    pub(crate) fn mean(&self, stat: &[i128]) -> f64 {
        let Mean { whole, fraction } = Mean::of(stat);
        self.scale.number(whole, fraction)
    }

    /// A variance in squared distance units in the target's own unit, squared.
    pub(super) fn variance(&self, squared_units: f64) -> f64 {
        squared_units * self.unit * self.unit
    }
}

impl Rating for NumberRating {
    type Num = i128;

    fn width(&self) -> usize {
        2
    }

    fn units(&self, stat: &[i128]) -> i128 {
        stat[0]
    }

    fn weight(&self, units: i128) -> f64 {
        units as f64 * self.weight_unit
    }

    fn gain(&self, parent: &[i128], branches: &[&[i128]]) -> f64 {
        let (weight, mean) = (parent[0] as f64, Mean::of(parent));
        let gain = branches.iter().filter(|b| b[0] > 0).map(|b| {
            let apart = Mean::of(b).minus(mean) * self.unit;
            b[0] as f64 / weight * apart * apart
        });
        gain.sum()
    }

    fn zero_below(&self, impurity: f64) -> f64 {
        1e-12 * impurity
    }

    fn split_info(&self, branches: &[&[i128]]) -> f64 {
        let weights: StatVec<f64> = branches.iter().map(|b| self.weight(b[0])).collect();
        criterion::split_info(&weights, self.base)
    }

    fn proxies(&self, stats: &[i128], parent: &[i128], left: &mut [i128], out: &mut [f64]) {
        let proxy = Proxy::of(parent);
        for (stat, out) in stats.chunks_exact(2).zip(out) {
            left[0] += stat[0];
            left[1] += stat[1];
            *out = proxy.at(left);
        }
    }

    fn proxies_at(&self, lefts: &[i128], parent: &[i128], out: &mut [f64]) {
        let proxy = Proxy::of(parent);
        lefts.chunks_exact(2).zip(out).for_each(|(left, out)| *out = proxy.at(left));
    }

    fn proxy_of(&self, gain: f64, _parent: &[i128]) -> f64 {
        gain / self.unit / self.unit
    }

    fn proxy_floor(&self, best: f64, _parent: &[i128]) -> f64 {
        best - 1e-9 * best.abs()
    }

    fn orders_exactly(&self) -> bool {
        true
    }

    /// By mean: exact (Fisher 1958; Breiman et al. 1984, section 8.8).
    fn level_order(&self, stats: &[i128]) -> Vec<usize> {
        // Whole parts and remainders compare as fractions do.
        let parts: Vec<(i128, i128, i128)> = stats
            .chunks_exact(2)
            .map(|s| (s[1].div_euclid(s[0]), s[1].rem_euclid(s[0]), s[0]))
            .collect();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by(|&a, &b| {
            let ((whole_a, rest_a, weight_a), (whole_b, rest_b, weight_b)) = (parts[a], parts[b]);
            whole_a.cmp(&whole_b).then_with(|| (rest_a * weight_b).cmp(&(rest_b * weight_a)))
        });
        order
    }
}
