//! Class counts, in rows or in weight units.

use std::borrow::Cow;

use smallvec::smallvec;

use super::component::order_by_component;
use super::proxy::{
    LogTable, Square, XLogX, gini_along, many_classes, many_classes_along, many_classes_at,
    many_classes_bounds, two_classes, two_classes_at, two_classes_bounds, x_log2_x,
};
use super::{Num, Stat, StatVec, Summary};
use crate::column::Packing;
use crate::criterion;
use crate::spec::{Criterion, LogBase};
use crate::split::Buckets;
use crate::target::Weights;

/// The number a class count is kept in: rows (`u32`) or weight units (`u64`).
pub(crate) trait Count: Num {
    /// A row, where rows have no weights.
    const ONE: Self;
    /// So many rows, where rows have no weights.
    fn of_rows(rows: u32) -> Self;
    /// So many units, of rows that have weights.
    fn of_units(units: u64) -> Self;
    fn wide(self) -> u128;
    fn float(self) -> f64;
    /// `x log2 x`, tabled where it can be.
    fn x_log_x(self, logs: &LogTable) -> f64;
}

impl Count for u32 {
    const ONE: u32 = 1;
    fn of_units(units: u64) -> u32 {
        units as u32
    }
    #[inline]
    fn of_rows(rows: u32) -> u32 {
        rows
    }
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline]
    fn float(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn x_log_x(self, logs: &LogTable) -> f64 {
        logs.at(self)
    }
}

impl Count for u64 {
    const ONE: u64 = 1;
    fn of_units(units: u64) -> u64 {
        units
    }
    #[inline]
    fn of_rows(rows: u32) -> u64 {
        rows.into()
    }
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline]
    fn float(self) -> f64 {
        self as f64
    }
    #[inline]
    fn x_log_x(self, _: &LogTable) -> f64 {
        x_log2_x(self as f64)
    }
}

/// The rows' classes and weights; a stat is one count per class.
#[derive(Clone, Debug)]
pub(crate) struct ClassStat<'a, N: Count> {
    pub(crate) classes: Cow<'a, [u16]>,
    /// `None`: every row counts one.
    pub(crate) weights: Option<Cow<'a, [N]>>,
    pub(crate) n_classes: usize,
    pub(crate) rating: Rating<'a>,
}

/// How class counts are rated, whoever counted them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rating<'a> {
    pub(crate) criterion: Criterion,
    pub(crate) base: LogBase,
    /// The weight of one count.
    unit: f64,
    /// Whether weights were rounded to units, so that a gain of zero may come out as noise.
    fractional: bool,
    logs: &'a LogTable,
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
}

/// The sum of class counts.
#[inline]
pub(super) fn total<N: Count>(stat: &[N]) -> N {
    stat.iter().fold(N::default(), |sum, &c| sum + c)
}

/// Whether at most one class is present.
pub(crate) fn is_pure<N: Num>(stat: &[N]) -> bool {
    stat.iter().filter(|&&c| c > N::default()).count() <= 1
}

impl<'a, N: Count> ClassStat<'a, N> {
    pub(crate) fn new(
        classes: &'a [u16],
        weights: Option<&'a [N]>,
        n_classes: usize,
        rating: Rating<'a>,
    ) -> Self {
        let weights = weights.map(Cow::Borrowed);
        // Of no rows there is no class; a count of none is a count all the same.
        let n_classes = n_classes.max(1);
        ClassStat { classes: Cow::Borrowed(classes), weights, n_classes, rating }
    }
}

impl<N: Count> ClassStat<'_, N> {
    /// The same rows rated by another criterion.
    pub(crate) fn by(&self, criterion: Criterion) -> ClassStat<'_, N> {
        self.rated(Rating { criterion, ..self.rating })
    }

    /// The same rows rated in another unit.
    pub(crate) fn in_base(&self, base: LogBase) -> ClassStat<'_, N> {
        self.rated(Rating { base, ..self.rating })
    }

    fn rated<'s>(&'s self, rating: Rating<'s>) -> ClassStat<'s, N> {
        ClassStat {
            classes: Cow::Borrowed(&self.classes),
            weights: self.weights.as_ref().map(|w| Cow::Borrowed(&w[..])),
            n_classes: self.n_classes,
            rating,
        }
    }

    #[inline]
    fn class(&self, row: u32) -> u32 {
        self.classes[row as usize].into()
    }

    #[inline]
    fn class_and_units(&self, row: u32) -> (usize, N) {
        let units = self.weights.as_ref().map_or(N::ONE, |w| w[row as usize]);
        (usize::from(self.classes[row as usize]), units)
    }

    /// A stat in weights, for the pure functions of [`criterion`].
    fn weights_of(&self, stat: &[N]) -> StatVec<f64> {
        let mut weights = StatVec::from_elem(0.0, stat.len());
        weights.iter_mut().zip(stat).for_each(|(weight, &c)| *weight = self.weight(c));
        weights
    }

    pub(crate) fn impurity(&self, stat: &[N]) -> f64 {
        self.rating.criterion.impurity(&self.weights_of(stat), self.rating.base)
    }

    /// A split gains nothing if and only if every branch's counts are proportional to the
    /// parent's (impurities are strictly concave).
    fn is_zero(&self, gain: f64, parent: &[N], branches: &[&[N]]) -> bool {
        let n = total(parent).wide();
        let proportional = branches.iter().all(|b| {
            let m = total(b).wide();
            b.iter().zip(parent).all(|(c, p)| c.wide() * n == p.wide() * m)
        });
        proportional || (self.rating.fractional && gain < 1e-12 * self.impurity(parent))
    }
}

impl<N: Count> Stat for ClassStat<'_, N> {
    type Num = N;

    fn width(&self) -> usize {
        self.n_classes
    }

    #[inline]
    fn add(&self, row: u32, stat: &mut [N]) {
        let (class, units) = self.class_and_units(row);
        stat[class] += units;
    }

    #[inline]
    fn add_at(&self, row: u32, places: impl Iterator<Item = usize>, table: &mut [N]) {
        let (class, units) = self.class_and_units(row);
        places.for_each(|place| table[place * self.n_classes + class] += units);
    }

    fn counts_rows(&self) -> bool {
        self.weights.is_none()
    }

    /// Its class, where that is all that counts.
    fn tag_bits(&self) -> u32 {
        let bits = usize::BITS - self.n_classes.saturating_sub(1).leading_zeros();
        if self.weights.is_none() { bits } else { 0 }
    }

    #[inline]
    fn tag(&self, row: u32) -> u32 {
        self.class(row)
    }

    fn take(&self, entries: &[u32], packing: Packing, stat: &mut [N]) {
        let tagged = packing.has_tags();
        if let (None, [zeros, ones]) = (&self.weights, &mut *stat) {
            // Two classes add up to the count of one: of tags a sum the compiler vectorises.
            let n_ones: u32 = match tagged {
                true => entries.iter().map(|&entry| packing.tag(entry)).sum(),
                false => entries.iter().map(|&entry| self.class(packing.row(entry))).sum(),
            };
            *zeros += N::of_rows(entries.len() as u32 - n_ones);
            *ones += N::of_rows(n_ones);
        } else if tagged {
            entries.iter().for_each(|&entry| stat[packing.tag(entry) as usize] += N::ONE);
        } else {
            entries.iter().for_each(|&entry| self.add(packing.row(entry), stat));
        }
    }

    fn units(&self, stat: &[N]) -> N {
        total(stat)
    }

    fn weight(&self, units: N) -> f64 {
        units.float() * self.rating.unit
    }

    fn gain(&self, parent: &[N], branches: &[&[N]]) -> f64 {
        let Rating { criterion, base, .. } = self.rating;
        let parent_w = self.weights_of(parent);
        let gain = match branches {
            // Nearly all are two, and need no memory.
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

    fn split_info(&self, branches: &[&[N]]) -> f64 {
        let weights: StatVec<f64> = branches.iter().map(|b| self.weight(total(b))).collect();
        criterion::split_info(&weights, self.rating.base)
    }

    fn proxies(&self, stats: &[N], parent: &[N], left: &mut [N], out: &mut [f64]) {
        let logs = XLogX(self.rating.logs);
        match (self.rating.criterion, parent.len()) {
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

    fn proxies_at(&self, lefts: &[N], parent: &[N], out: &mut [f64]) {
        let logs = XLogX(self.rating.logs);
        match (self.rating.criterion, parent.len()) {
            (Criterion::Entropy, 2) => two_classes_at(logs, lefts, parent, out),
            (_, 2) => two_classes_at(Square, lefts, parent, out),
            (Criterion::Entropy, _) => many_classes_at(logs, lefts, parent, out),
            _ => many_classes_at(Square, lefts, parent, out),
        }
    }

    fn proxies_along(
        &self,
        entries: &[u32],
        packing: Packing,
        parent: &[N],
        left: &mut [N],
        out: &mut [f64],
    ) {
        let class_and_units = |entry: u32| match packing.has_tags() {
            true => (packing.tag(entry) as usize, N::ONE),
            false => self.class_and_units(packing.row(entry)),
        };
        if self.rating.criterion == Criterion::Gini && parent.len() == 2 && packing.has_tags() {
            gini_along(entries.iter().map(|&entry| packing.tag(entry)), parent, left, out);
            return;
        }
        if parent.len() == 2 {
            // Counted first, so that the compiler can vectorise the proxies.
            const STEPS: usize = 32;
            let mut lefts = [N::default(); 2 * STEPS];
            for (entries, out) in entries.chunks(STEPS).zip(out.chunks_mut(STEPS)) {
                for (&entry, at) in entries.iter().zip(lefts.chunks_exact_mut(2)) {
                    let (class, units) = class_and_units(entry);
                    left[class] += units;
                    at.copy_from_slice(left);
                }
                self.proxies_at(&lefts[..2 * entries.len()], parent, out);
            }
            return;
        }
        let logs = XLogX(self.rating.logs);
        let moved = entries.iter().map(|&entry| class_and_units(entry));
        match self.rating.criterion {
            Criterion::Entropy => many_classes_along(logs, moved, parent, left, out),
            _ => many_classes_along(Square, moved, parent, left, out),
        }
    }

    fn bounds_proxies(&self) -> bool {
        true
    }

    fn proxy_bounds(&self, lefts: &[N], parent: &[N], proxies: &[f64], out: &mut [f64]) {
        let logs = XLogX(self.rating.logs);
        match (self.rating.criterion, parent.len()) {
            (Criterion::Entropy, 2) => two_classes_bounds(logs, lefts, parent, proxies, out),
            (_, 2) => two_classes_bounds(Square, lefts, parent, proxies, out),
            (Criterion::Entropy, _) => many_classes_bounds(logs, lefts, parent, proxies, out),
            _ => many_classes_bounds(Square, lefts, parent, proxies, out),
        }
    }

    fn proxy_of(&self, gain: f64, parent: &[N]) -> f64 {
        // That of a split that gains nothing, and the gain in bits (or Gini units) times counts.
        let nothing: StatVec<N> = smallvec![N::default(); parent.len()];
        let mut proxy = [0.0];
        self.proxies_at(&nothing, parent, &mut proxy);
        let in_proxies = match self.rating.criterion {
            Criterion::Entropy => gain / self.rating.base.log(2.0),
            _ => gain,
        };
        proxy[0] + in_proxies * total(parent).float()
    }

    fn proxy_floor(&self, best: f64, parent: &[N]) -> f64 {
        // Proxies are in bits (or Gini units) times counts.
        best - 1e-10 * total(parent).float()
    }

    fn orders_exactly(&self) -> bool {
        self.n_classes == 2
    }

    fn level_order(&self, buckets: &Buckets<N>) -> Vec<usize> {
        if !self.orders_exactly() {
            let counts: Vec<f64> = buckets.stats.iter().map(|c| c.float()).collect();
            return order_by_component(&counts, self.n_classes);
        }
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        // Shares compared as fractions, exactly; the sort is stable, so equals stay in level
        // order.
        order.sort_by(|&a, &b| {
            let (a, b) = (buckets.stat(a), buckets.stat(b));
            (a[1].wide() * total(b).wide()).cmp(&(b[1].wide() * total(a).wide()))
        });
        order
    }

    fn summarize(&self, rows: &[u32], values: &mut Vec<f64>) -> Summary {
        let mut stat: StatVec<N> = smallvec![N::default(); self.n_classes];
        self.take(rows, Packing::ROWS, &mut stat);
        values.extend(stat.iter().map(|&c| self.weight(c)));
        Summary {
            weight: self.weight(total(&stat)),
            impurity: self.impurity(&stat),
            pure: is_pure(&stat),
        }
    }

    fn row_units(&self, row: u32) -> u64 {
        self.weights.as_ref().map_or(1, |w| w[row as usize].wide() as u64)
    }

    fn gather(&self, rows: &[u32], units: Option<&[u64]>) -> Self {
        let weights = match units {
            Some(units) => Some(units.iter().map(|&u| N::of_units(u)).collect()),
            None => self.weights.as_ref().map(|w| rows.iter().map(|&r| w[r as usize]).collect()),
        };
        ClassStat {
            classes: rows.iter().map(|&row| self.classes[row as usize]).collect(),
            weights,
            n_classes: self.n_classes,
            rating: self.rating,
        }
    }
}
