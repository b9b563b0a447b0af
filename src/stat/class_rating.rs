//! How class counts are rated: exactly, and by proxies.

use std::marker::PhantomData;

use super::Rating;
use super::bound::{many_classes_bounds, two_classes_bounds};
use super::class_order::{order_by_principal_component, order_by_share, orders_by_class};
use super::count::{Count, LogTable, total};
use super::criterion::{ClassCounts, entropy_of};
use super::proxy::{
    Square, XLogX, many_classes, many_classes_along, many_classes_at, two_classes, two_classes_at,
    undivided,
};
use crate::data::weights::Weights;
use crate::spec::{Criterion, LogBase};

/// How class counts are rated, whoever counted them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassRating<'a, N> {
    criterion: Criterion,
    base: LogBase,
    n_classes: usize,
    is_weighted: bool,
    /// The weight of one count.
    unit: f64,
    /// Whether some weight was no whole number, so that a gain of zero may come out as noise.
    is_fractional: bool,
    logs: &'a LogTable,
    count: PhantomData<N>,
}

/// The function whose class sums make the proxy of a criterion.
macro_rules! by_curve {
    ($rating:expr, $function:ident($($argument:expr),*)) => {
        match $rating.criterion {
            Criterion::Entropy => $function(XLogX($rating.logs), $($argument),*),
            Criterion::Gini | Criterion::Variance => $function(Square, $($argument),*),
        }
    };
}

impl<'a, N: Count> ClassRating<'a, N> {
    pub(crate) fn new(
        criterion: Criterion,
        base: LogBase,
        n_classes: usize,
        weights: Option<&Weights>,
        logs: &'a LogTable,
    ) -> Self {
        ClassRating {
            criterion,
            base,
            // A table without rows has no class, but a stat has at least one number.
            n_classes: n_classes.max(1),
            is_weighted: weights.is_some(),
            unit: weights.map_or(1.0, |w| w.unit),
            is_fractional: weights.is_some_and(|w| w.fractional),
            logs,
            count: PhantomData,
        }
    }

    pub(crate) fn criterion(&self) -> Criterion {
        self.criterion
    }

    pub(crate) fn by(self, criterion: Criterion) -> Self {
        ClassRating { criterion, ..self }
    }

    pub(crate) fn in_base(self, base: LogBase) -> Self {
        ClassRating { base, ..self }
    }

    /// This rating, for stats that leave out classes whose counts are 0.
    pub(crate) fn narrowed(self, n_classes: usize) -> Self {
        ClassRating { n_classes, ..self }
    }

    pub(crate) fn impurity(&self, stat: &[N]) -> f64 {
        self.criterion.impurity_of(floats(stat), self.base)
    }

    /// Whether a split gains nothing: if and only if every branch's counts are proportional to
    /// the parent's, as impurities are strictly concave.
    fn is_zero(&self, gain: f64, parent: &[N], branches: &[&[N]]) -> bool {
        let n = total(parent).wide();
        let proportional = branches.iter().all(|b| {
            let m = total(b).wide();
            b.iter().zip(parent).all(|(c, p)| c.wide() * n == p.wide() * m)
        });
        proportional || (self.is_fractional && gain < 1e-12 * self.impurity(parent))
    }

    /// [`Rating::proxies`] after steps that move one class each.
    pub(super) fn proxies_along(
        &self,
        mut steps: impl Iterator<Item = (usize, N)>,
        parent: &[N],
        left: &mut [N],
        out: &mut [f64],
    ) {
        if parent.len() != 2 {
            return by_curve!(self, many_classes_along(steps, parent, left, out));
        }
        // Counted first, so that the compiler can vectorize the proxies.
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
}

/// A stat as the functions of [`criterion`] take it: in units, so that the weight of one decides no tie.
#[inline]
fn floats<N: Count>(stat: &[N]) -> impl ClassCounts {
    stat.iter().map(|&c| c.float())
}

impl<N: Count> Rating for ClassRating<'_, N> {
    type Num = N;

    fn width(&self) -> usize {
        self.n_classes
    }

    fn counts_rows(&self) -> bool {
        !self.is_weighted
    }

    fn units(&self, stat: &[N]) -> N {
        total(stat)
    }

    fn weight(&self, units: N) -> f64 {
        units.float() * self.unit
    }

    /// Zero is decided exactly.
    fn gain(&self, parent: &[N], branches: &[&[N]]) -> f64 {
        let of_branches = branches.iter().map(|b| floats(b));
        let gain = self.criterion.gain_of(floats(parent), of_branches, self.base);
        // A larger gain cannot be a zero that came out as noise.
        if gain < 1e-9 && self.is_zero(gain, parent, branches) { 0.0 } else { gain }
    }

    /// The impurity, computed as [`gain`](Rating::gain) computes it: to the same float.
    fn impurity_bound(&self, parent: &[N]) -> f64 {
        self.impurity(parent)
    }

    /// Two classes can be told apart.
    fn reaches_impurity_bound(&self, parent: &[N]) -> bool {
        parent.iter().filter(|&&c| c > N::default()).count() <= 2
    }

    fn split_info(&self, branches: &[&[N]]) -> f64 {
        entropy_of(branches.iter().map(|b| total(b).float()), self.base)
    }

    fn proxies(&self, stats: &[N], parent: &[N], left: &mut [N], out: &mut [f64]) {
        match parent.len() {
            2 => by_curve!(self, two_classes(stats, parent, left, out)),
            _ => by_curve!(self, many_classes(stats, parent, left, out)),
        }
    }

    fn proxies_at(&self, lefts: &[N], parent: &[N], out: &mut [f64]) {
        match parent.len() {
            2 => by_curve!(self, two_classes_at(lefts, parent, out)),
            _ => by_curve!(self, many_classes_at(lefts, parent, out)),
        }
    }

    fn block_bounds(
        &self,
        lefts: &[N],
        parent: &[N],
        proxies: &[f64],
        _spreads: &[f64],
        out: &mut [f64],
    ) {
        match parent.len() {
            2 => by_curve!(self, two_classes_bounds(lefts, parent, proxies, out)),
            _ => by_curve!(self, many_classes_bounds(lefts, parent, proxies, out)),
        }
    }

    fn proxy_of(&self, gain: f64, parent: &[N]) -> f64 {
        // The proxy of no split, plus the gain in bits (or Gini units) times counts.
        let nothing = by_curve!(self, undivided(parent));
        let in_proxies = match self.criterion {
            Criterion::Entropy => gain / self.base.log(2.0),
            Criterion::Gini | Criterion::Variance => gain,
        };
        nothing + in_proxies * total(parent).float()
    }

    fn proxy_floor(&self, best: f64, parent: &[N]) -> f64 {
        // Proxies are in bits (or Gini units) times counts.
        best - 1e-10 * total(parent).float()
    }

    fn orders_exactly(&self) -> bool {
        self.n_classes == 2
    }

    fn level_order(&self, stats: &[N]) -> Vec<usize> {
        if self.orders_exactly() {
            return order_by_share(stats);
        }
        let counts: Vec<f64> = stats.iter().map(|c| c.float()).collect();
        order_by_principal_component(&counts, self.n_classes)
    }

    /// By the share of each of the heaviest classes.
    fn orders_by_class(&self, stats: &[N]) -> Vec<Vec<usize>> {
        if self.orders_exactly() {
            return Vec::new();
        }
        orders_by_class(stats, self.n_classes)
    }
}
