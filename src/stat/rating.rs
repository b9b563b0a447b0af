//! How class counts are rated: purely, and by proxies.

use smallvec::smallvec;

use crate::data::weights::Weights;
use crate::spec::{Criterion, LogBase};
use crate::stat::StatVec;
use crate::stat::count::{Count, LogTable, total};
use crate::stat::criterion;
use crate::stat::proxy::{
    Square, XLogX, many_classes, many_classes_along, many_classes_at, many_classes_bounds,
    two_classes, two_classes_at, two_classes_bounds,
};

/// How class counts are rated, whoever counted them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rating<'a> {
    pub(crate) criterion: Criterion,
    pub(crate) base: LogBase,
    /// The weight of one count.
    pub(super) unit: f64,
    /// Whether weights were rounded to units, so that a gain of zero may come out as noise.
    pub(super) fractional: bool,
    pub(super) logs: &'a LogTable,
}

impl<'a> Rating<'a> {
    pub(crate) fn new(
        criterion: Criterion,
        base: LogBase,
        weights: Option<&Weights>,
        logs: &'a LogTable,
    ) -> Self {
        Rating {
            criterion,
            base,
            unit: weights.map_or(1.0, |w| w.unit),
            fractional: weights.is_some_and(|w| w.fractional),
            logs,
        }
    }

    pub(super) fn weight<N: Count>(&self, units: N) -> f64 {
        units.float() * self.unit
    }

    /// A stat in weights, for the pure functions of [`criterion`].
    pub(super) fn weights_of<N: Count>(&self, stat: &[N]) -> StatVec<f64> {
        let mut weights = StatVec::from_elem(0.0, stat.len());
        weights.iter_mut().zip(stat).for_each(|(weight, &c)| *weight = self.weight(c));
        weights
    }

    pub(super) fn impurity<N: Count>(&self, stat: &[N]) -> f64 {
        self.criterion.impurity(&self.weights_of(stat), self.base)
    }

    /// A split gains nothing if and only if every branch's counts are proportional to the
    /// parent's (impurities are strictly concave).
    pub(super) fn is_zero<N: Count>(&self, gain: f64, parent: &[N], branches: &[&[N]]) -> bool {
        let n = total(parent).wide();
        let proportional = branches.iter().all(|b| {
            let m = total(b).wide();
            b.iter().zip(parent).all(|(c, p)| c.wide() * n == p.wide() * m)
        });
        proportional || (self.fractional && gain < 1e-12 * self.impurity(parent))
    }

    pub(super) fn gain<N: Count>(&self, parent: &[N], branches: &[&[N]]) -> f64 {
        let Rating { criterion, base, .. } = *self;
        let parent_w = self.weights_of(parent);
        let gain = match branches {
            // RadixPass all are two, and need no memory.
            [a, b] => criterion.gain(&parent_w, &[a, b].map(|b| self.weights_of(b)), base),
            _ => {
                let branches: Vec<StatVec<f64>> =
                    branches.iter().map(|b| self.weights_of(b)).collect();
                criterion.gain(&parent_w, &branches, base)
            }
        };
        // Only a gain this small can be a zero in disguise.
        if gain < 1e-9 && self.is_zero(gain, parent, branches) { 0.0 } else { gain }
    }

    pub(super) fn split_info<N: Count>(&self, branches: &[&[N]]) -> f64 {
        let weights: StatVec<f64> = branches.iter().map(|b| self.weight(total(b))).collect();
        criterion::split_info(&weights, self.base)
    }

    pub(super) fn proxies<N: Count>(
        &self,
        stats: &[N],
        parent: &[N],
        left: &mut [N],
        out: &mut [f64],
    ) {
        let logs = XLogX(self.logs);
        match (self.criterion, parent.len()) {
            (Criterion::Entropy, 2) => two_classes(logs, stats, parent, left, out),
            (Criterion::Gini | Criterion::Variance, 2) => {
                two_classes(Square, stats, parent, left, out)
            }
            (Criterion::Entropy, _) => many_classes(logs, stats, parent, left, out),
            (Criterion::Gini | Criterion::Variance, _) => {
                many_classes(Square, stats, parent, left, out)
            }
        }
    }

    pub(super) fn proxies_at<N: Count>(&self, lefts: &[N], parent: &[N], out: &mut [f64]) {
        let logs = XLogX(self.logs);
        match (self.criterion, parent.len()) {
            (Criterion::Entropy, 2) => two_classes_at(logs, lefts, parent, out),
            (_, 2) => two_classes_at(Square, lefts, parent, out),
            (Criterion::Entropy, _) => many_classes_at(logs, lefts, parent, out),
            _ => many_classes_at(Square, lefts, parent, out),
        }
    }

    /// The same after each of some steps, which move one class each.
    pub(super) fn proxies_along<N: Count>(
        &self,
        mut steps: impl Iterator<Item = (usize, N)>,
        parent: &[N],
        left: &mut [N],
        out: &mut [f64],
    ) {
        let logs = XLogX(self.logs);
        match (self.criterion, parent.len()) {
            (_, 2) => {
                // Counted first, so that the compiler can vectorise the proxies.
                const STEPS: usize = 32;
                let mut lefts = [N::default(); 2 * STEPS];
                for out in out.chunks_mut(STEPS) {
                    let lefts = &mut lefts[..2 * out.len()];
                    for (at, (class, moved)) in lefts.chunks_exact_mut(2).zip(&mut steps) {
                        left[class] += moved;
                        at.copy_from_slice(left);
                    }
                    self.proxies_at(lefts, parent, out);
                }
            }
            (Criterion::Entropy, _) => many_classes_along(logs, steps, parent, left, out),
            _ => many_classes_along(Square, steps, parent, left, out),
        }
    }

    pub(super) fn proxy_bounds<N: Count>(
        &self,
        lefts: &[N],
        parent: &[N],
        proxies: &[f64],
        out: &mut [f64],
    ) {
        let logs = XLogX(self.logs);
        match (self.criterion, parent.len()) {
            (Criterion::Entropy, 2) => two_classes_bounds(logs, lefts, parent, proxies, out),
            (_, 2) => two_classes_bounds(Square, lefts, parent, proxies, out),
            (Criterion::Entropy, _) => many_classes_bounds(logs, lefts, parent, proxies, out),
            _ => many_classes_bounds(Square, lefts, parent, proxies, out),
        }
    }

    pub(super) fn proxy_of<N: Count>(&self, gain: f64, parent: &[N]) -> f64 {
        // That of a split that gains nothing, and the gain in bits (or Gini units) times counts.
        let nothing: StatVec<N> = smallvec![N::default(); parent.len()];
        let mut proxy = [0.0];
        self.proxies_at(&nothing, parent, &mut proxy);
        let in_proxies = match self.criterion {
            Criterion::Entropy => gain / self.base.log(2.0),
            _ => gain,
        };
        proxy[0] + in_proxies * total(parent).float()
    }
}
