//! [Tiny rows](super::tiny_rows) of a numeric target.

use super::exact_sums::sum_of;
use super::number_rating::NumberRating;
use super::proxy::{Mean, Proxy, float};
use super::tiny_rows::{PerTinyRow, TINY, TinyRows};

#[derive(Default)]
pub(crate) struct TinyNumbers {
    distances: PerTinyRow<i64>,
    units: PerTinyRow<u64>,
    is_weighted: bool,
    /// How far each row of the node is above its mean, where rows have no weights.
    above: PerTinyRow<f64>,
    /// The squared sum of the first `i + 1` rows times `factors[i]` is the proxy after them.
    factors: PerTinyRow<f64>,
}

impl TinyNumbers {
    /// Takes rows over: the distance and the weight units of each.
    pub(super) fn fill(&mut self, rows: impl Iterator<Item = (i64, u64)>, is_weighted: bool) {
        self.is_weighted = is_weighted;
        for ((distance, units), at) in rows.zip(0..) {
            (self.distances[at], self.units[at]) = (distance, units);
        }
    }
}

impl TinyRows<NumberRating> for TinyNumbers {
    const MAX_ROWS: usize = TINY;

    fn begin_node(&mut self, rows: &[u8], total: &[i128]) {
        if self.is_weighted {
            return;
        }
        let Mean { whole, fraction } = Mean::of(total);
        for &row in rows {
            self.above[row] = (self.distances[row] - whole as i64) as f64 - fraction;
        }
        let n = rows.len() as f64;
        for (at, factor) in self.factors.as_mut_slice()[..rows.len() - 1].iter_mut().enumerate() {
            let left = f64::from(at as i32 + 1);
            *factor = 1.0 / (left * (n - left));
        }
    }

    fn parent<'p>(&'p self, total: &'p [i128]) -> &'p [i128] {
        total
    }

    #[inline]
    fn add(&self, rows: &[u8], stat: &mut [i128]) {
        if !self.is_weighted {
            stat[0] += rows.len() as i128;
            stat[1] += sum_of(rows.iter().map(|&row| self.distances[row]));
            return;
        }
        for &row in rows {
            let units = i128::from(self.units[row]);
            stat[0] += units;
            stat[1] += units * i128::from(self.distances[row]);
        }
    }

    #[inline]
    fn proxies_along(&self, _rating: &NumberRating, rows: &[u8], parent: &[i128], out: &mut [f64]) {
        if !self.is_weighted {
            let mut above = 0.0;
            let factors = self.factors.as_slice();
            for ((&row, factor), out) in rows.iter().zip(factors).zip(out) {
                above += self.above[row];
                *out = above * above * factor;
            }
            return;
        }
        // Sums of weights of different sizes need more digits.
        let proxy = Proxy::of(parent);
        let (mut weight, mut sum) = (0, 0);
        for (&row, out) in rows.iter().zip(out) {
            let units = i128::from(self.units[row]);
            weight += units;
            sum += units * (i128::from(self.distances[row]) - proxy.mean.whole);
            let left = float(weight);
            *out = proxy.at(left, proxy.above(left, sum));
        }
    }
}
