//! Class counts, in rows or in weight units.

use std::borrow::Cow;

use crate::data::column::EntryLayout;
use crate::spec::{Criterion, LogBase};
use crate::split::Buckets;
use crate::stat::count::{Count, is_pure, total};
use crate::stat::principal_component::order_by_component;
use crate::stat::proxy::gini_along;
use crate::stat::rating::Rating;
use crate::stat::{Stat, Summary};

/// The rows' classes and weights; a stat is one count per class.
#[derive(Clone, Debug)]
pub(crate) struct ClassStat<'a, N: Count> {
    pub(crate) classes: Cow<'a, [u16]>,
    /// `None`: every row counts one.
    pub(crate) weights: Option<Cow<'a, [N]>>,
    pub(crate) n_classes: usize,
    pub(crate) rating: Rating<'a>,
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

    pub(crate) fn impurity(&self, stat: &[N]) -> f64 {
        self.rating.impurity(stat)
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

    fn take(&self, entries: &[u32], packing: EntryLayout, stat: &mut [N]) {
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
        self.rating.weight(units)
    }

    fn gain(&self, parent: &[N], branches: &[&[N]]) -> f64 {
        self.rating.gain(parent, branches)
    }

    /// The impurity itself, as the gain computes it: to the same float.
    fn highest_gain(&self, parent: &[N]) -> f64 {
        self.impurity(parent)
    }

    fn split_info(&self, branches: &[&[N]]) -> f64 {
        self.rating.split_info(branches)
    }

    fn proxies(&self, stats: &[N], parent: &[N], left: &mut [N], out: &mut [f64]) {
        self.rating.proxies(stats, parent, left, out);
    }

    fn proxies_at(&self, lefts: &[N], parent: &[N], out: &mut [f64]) {
        self.rating.proxies_at(lefts, parent, out);
    }

    fn proxies_along(
        &self,
        entries: &[u32],
        packing: EntryLayout,
        parent: &[N],
        left: &mut [N],
        out: &mut [f64],
    ) {
        if parent.len() == 2 && packing.has_tags() && self.rating.criterion == Criterion::Gini {
            gini_along(entries.iter().map(|&entry| packing.tag(entry)), parent, left, out);
            return;
        }
        let steps = entries.iter().map(|&entry| match packing.has_tags() {
            true => (packing.tag(entry) as usize, N::ONE),
            false => self.class_and_units(packing.row(entry)),
        });
        self.rating.proxies_along(steps, parent, left, out);
    }

    fn bounds_proxies(&self) -> bool {
        true
    }

    fn proxy_bounds(&self, lefts: &[N], parent: &[N], proxies: &[f64], out: &mut [f64]) {
        self.rating.proxy_bounds(lefts, parent, proxies, out);
    }

    fn proxy_of(&self, gain: f64, parent: &[N]) -> f64 {
        self.rating.proxy_of(gain, parent)
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
        narrow_order(buckets).unwrap_or_else(|| wide_order(buckets))
    }

    fn summarize(&self, _rows: &[u32], stat: &[N], values: &mut Vec<f64>) -> Summary {
        values.extend(stat.iter().map(|&c| self.weight(c)));
        Summary {
            weight: self.weight(total(stat)),
            impurity: self.impurity(stat),
            pure: is_pure(stat),
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

/// The levels in order of the last of two classes' share, equals as they are; `None` where words
/// of 64 bits do not tell.
///
/// A word is a share in fixed point, and the level below it. Unlike fractions of numbers up to t
/// are at least 1 / t² apart: two bits more than that takes tell them apart, rounded as they are,
/// and equal ones are rounded alike.
fn narrow_order<N: Count>(buckets: &Buckets<N>) -> Option<Vec<usize>> {
    let bits = |x: u128| u128::BITS - x.leading_zeros();
    let totals = buckets.iter().map(|stat| total(stat).wide());
    let (least, most) = totals.fold((u128::MAX, 0), |(lo, hi), t| (lo.min(t), hi.max(t)));
    let level_bits = bits(buckets.len() as u128);
    let share_bits = u64::BITS - level_bits;
    // A float tells fractions of numbers up to 2^26 apart.
    if least == 0 || most >= 1 << 26 || 2 * bits(most) + 2 > share_bits {
        return None;
    }
    let one = 2f64.powi(share_bits as i32 - 1);
    let word = |(level, stat): (usize, &[N])| {
        let share = stat[1].float() / total(stat).float();
        ((share * one) as u64) << level_bits | level as u64
    };
    let mut words: Vec<u64> = buckets.iter().enumerate().map(word).collect();
    words.sort_unstable();
    Some(words.into_iter().map(|word| (word & ((1 << level_bits) - 1)) as usize).collect())
}

/// The same of any totals: shares compared as fractions, exactly.
fn wide_order<N: Count>(buckets: &Buckets<N>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    // The sort is stable, so equals stay in level order.
    order.sort_by(|&a, &b| {
        let (a, b) = (buckets.stat(a), buckets.stat(b));
        (a[1].wide() * total(b).wide()).cmp(&(b[1].wide() * total(a).wide()))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(stats: &[[u32; 2]]) -> bool {
        let buckets = Buckets {
            width: 2,
            codes: (0..stats.len() as u32).collect(),
            stats: stats.concat(),
            ..Buckets::default()
        };
        let narrow = narrow_order(&buckets);
        if let Some(narrow) = &narrow {
            assert_eq!(*narrow, wide_order(&buckets), "{stats:?}");
        }
        narrow.is_some()
    }

    /// Neighbours in a Farey sequence are as near to each other as fractions of such totals are;
    /// whole multiples of them are equal.
    #[test]
    fn near_shares_are_told_apart() {
        for most in [3u32, 1000, 1 << 12, 1 << 20, (1 << 24) - 2, 1 << 25] {
            let near = |k: u32| [[most - k - 1, k + 1], [most - k, k + 1], [most - k, k]];
            let mut stats: Vec<[u32; 2]> = [0, most / 3, most / 2].map(near).concat();
            stats.extend([[1, 0], [0, 1], [most, 0], [0, most], [most / 2, most / 2], [1, 1]]);
            stats.reverse();
            assert!(check(&stats), "{most}");
        }
        assert!(!check(&[[1 << 26, 0], [1, 1]]));
        assert!(!check(&[[0, 0], [1, 1]]));
    }

    proptest! {
        #[test]
        fn words_order_shares_as_fractions_do(
            stats in prop::collection::vec(prop_oneof![
                (0u32..5, 1u32..5),
                (0u32..1 << 12, 1u32..1 << 12),
                (0u32..1 << 24, 1u32..1 << 24),
            ], 0..200),
        ) {
            check(&stats.iter().map(|&(a, b)| [a, b]).collect::<Vec<_>>());
        }
    }
}
