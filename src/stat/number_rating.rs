//! How stats of a numeric target are rated.
//!
//! A stat is `(w, s)`: the weight in units, and the sum of weight units times distances from the
//! target's centre ([`NumberScale`]). The variance that a split takes away is
//! `Σ wi/w (mi - m)²`, which needs weights and means alone. A mean `s / w` is kept as a whole
//! number and a fraction below 1, so that differences of means do not cancel: the whole parts are
//! subtracted as integers.

use super::Rating;
use super::bound::number_bounds;
use super::criterion::entropy_of;
use super::proxy::{Mean, Proxy, float};
use crate::data::number_scale::NumberScale;
use crate::data::weights::Weights;
use crate::spec::LogBase;

#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRating {
    pub(super) scale: NumberScale,
    /// The size of a distance unit.
    unit: f64,
    weight_unit: f64,
    base: LogBase,
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
        float(units) * self.weight_unit
    }

    fn gain(&self, parent: &[i128], branches: &[&[i128]]) -> f64 {
        let (weight, mean) = (float(parent[0]), Mean::of(parent));
        let gain = branches.iter().filter(|b| b[0] > 0).map(|b| {
            let apart = Mean::of(b).minus(mean) * self.unit;
            float(b[0]) / weight * apart * apart
        });
        gain.sum()
    }

    fn zero_below(&self, impurity: f64) -> f64 {
        1e-12 * impurity
    }

    fn split_info(&self, branches: &[&[i128]]) -> f64 {
        entropy_of(branches.iter().map(|b| self.weight(b[0])), self.base)
    }

    fn proxies(&self, stats: &[i128], parent: &[i128], left: &mut [i128], out: &mut [f64]) {
        let proxy = Proxy::of(parent);
        for (stat, out) in stats.chunks_exact(2).zip(out) {
            left[0] += stat[0];
            left[1] += stat[1];
            let [weight, above] = proxy.above_at(left);
            *out = proxy.at(weight, above);
        }
    }

    fn proxies_at(&self, lefts: &[i128], parent: &[i128], out: &mut [f64]) {
        let proxy = Proxy::of(parent);
        for (left, out) in lefts.chunks_exact(2).zip(out) {
            let [weight, above] = proxy.above_at(left);
            *out = proxy.at(weight, above);
        }
    }

    fn block_bounds(
        &self,
        lefts: &[i128],
        parent: &[i128],
        _proxies: &[f64],
        spreads: &[f64],
        out: &mut [f64],
    ) {
        number_bounds(lefts, parent, spreads, out);
    }

    fn proxy_of(&self, gain: f64, _parent: &[i128]) -> f64 {
        gain / self.unit / self.unit
    }

    fn proxy_floor(&self, best: f64, _parent: &[i128]) -> f64 {
        // Proxies of single entries add up floats. Where a gain is no rounding, below 1e-12 of the
        // variance, that moves its proxy by less than 1e-8 of it.
        best - 1e-7 * best.abs()
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
