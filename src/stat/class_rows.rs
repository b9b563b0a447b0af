//! Rows of a target of classes.

use std::borrow::Cow;
use std::sync::Arc;

use super::bound::RoundedWeights;
use super::class_rating::ClassRating;
use super::count::{Count, total};
use super::pair_coder::{PairCoder, PairRecoder};
use super::proxy::gini_along;
use super::tiny_classes::TinyClasses;
use super::{BoundCuts, CountRows, Rating, RowPayloads, ShareRows, Summary, is_pure};
use crate::data::column::EntryLayout;
use crate::spec::Criterion;

/// The rows' classes and weights. A stat is one count per class, in rows or weight units.
pub(crate) struct ClassRows<'a, N: Count> {
    /// What a row's payload is: its class or, where weights are few, its pair of class and weight,
    /// or its class and rounded weight.
    codes: Cow<'a, [u16]>,
    weights: RowWeights<'a, N>,
    rating: ClassRating<'a, N>,
}

struct Pairs<N> {
    pairs: Vec<(u16, N)>,
    /// Where there are two classes, what a row of each pair adds to a stat.
    stats: Vec<[N; 2]>,
}

impl<N: Count> Pairs<N> {
    fn new(pairs: Vec<(u16, N)>, n_classes: usize) -> Arc<Self> {
        let stat = |&(class, units): &(u16, N)| match class {
            0 => [units, N::default()],
            _ => [N::default(), units],
        };
        let of_two = if n_classes == 2 { &pairs[..] } else { &[] };
        let stats = of_two.iter().map(stat).collect();
        Arc::new(Pairs { pairs, stats })
    }

    #[inline(always)]
    fn class_and_units(&self, pair: usize) -> (usize, N) {
        let (class, units) = self.pairs[pair];
        (class.into(), units)
    }
}

enum RowWeights<'a, N: Count> {
    /// Every row counts one.
    None,
    /// Few pairs of class and weight units, as of class weights and copies. A code is a pair's index.
    Pairs(Arc<Pairs<N>>),
    Each(Cow<'a, [N]>),
    /// The units of each row, where codes tell the weights roughly.
    Rounded(Cow<'a, [N]>, RoundedWeights),
}

/// The most pairs: they lie in the cache.
const MAX_PAIRS: usize = 256;

/// The most pairs of rows that are shared out. Most entries are whole, and of few pairs.
const MAX_SHARED_PAIRS: usize = 1 << 12;

impl<'a, N: Count> ClassRows<'a, N> {
    pub(crate) fn new(
        classes: &'a [u16],
        weights: Option<&'a [N]>,
        rating: ClassRating<'a, N>,
    ) -> Self {
        let codes = Cow::Borrowed(classes);
        let Some(weights) = weights else {
            return ClassRows { codes, weights: RowWeights::None, rating };
        };
        match pairs(classes, weights) {
            Some((codes, coder)) => {
                let weights = RowWeights::Pairs(Pairs::new(coder.pairs, rating.width()));
                ClassRows { codes: Cow::Owned(codes), weights, rating }
            }
            None => ClassRows::of_each(codes, Cow::Borrowed(weights), rating),
        }
    }

    fn of_each(classes: Cow<'a, [u16]>, units: Cow<'a, [N]>, rating: ClassRating<'a, N>) -> Self {
        match RoundedWeights::new(&classes, &units, &rating) {
            Some((rounded, codes)) => {
                let weights = RowWeights::Rounded(units, rounded);
                ClassRows { codes: Cow::Owned(codes), weights, rating }
            }
            None => ClassRows { codes: classes, weights: RowWeights::Each(units), rating },
        }
    }

    /// The [payloads](RowPayloads::payload) of all rows.
    pub(crate) fn payloads(&self) -> &[u16] {
        &self.codes
    }

    #[inline(always)]
    fn class_and_units(&self, row: u32) -> (usize, N) {
        let code = self.codes[row as usize];
        match &self.weights {
            RowWeights::None => (code.into(), N::ONE),
            RowWeights::Pairs(pairs) => pairs.class_and_units(code.into()),
            RowWeights::Each(units) => (code.into(), units[row as usize]),
            RowWeights::Rounded(units, rounded) => (rounded.class(code), units[row as usize]),
        }
    }
}

/// Adds rows of two classes, in registers: a stat in memory waits for each row before.
#[inline(always)]
fn add_two<N: Count>(rows: impl Iterator<Item = (usize, N)>, zeros: &mut N, ones: &mut N) {
    let (mut all, mut of_ones) = (N::default(), N::default());
    for (class, units) in rows {
        all += units;
        of_ones += if class == 1 { units } else { N::default() };
    }
    *zeros += all - of_ones;
    *ones += of_ones;
}

/// Adds stats of two classes, in registers too.
#[inline(always)]
fn add_stats<N: Count>(stats: impl Iterator<Item = [N; 2]>, zeros: &mut N, ones: &mut N) {
    let (mut of_zeros, mut of_ones) = (N::default(), N::default());
    for [zeros, ones] in stats {
        of_zeros += zeros;
        of_ones += ones;
    }
    *zeros += of_zeros;
    *ones += of_ones;
}

/// The pair of class and weight of each row, and the coder of the pairs, if they are few.
fn pairs<N: Count>(classes: &[u16], weights: &[N]) -> Option<(Vec<u16>, PairCoder<N>)> {
    let mut coder = PairCoder::new(MAX_PAIRS);
    let rows = classes.iter().copied().zip(weights.iter().copied());
    let codes = rows.map(|pair| coder.code(pair)).collect::<Option<_>>()?;
    Some((codes, coder))
}

impl<'a, N: Count> CountRows for ClassRows<'a, N> {
    type Num = N;
    type Rating = ClassRating<'a, N>;
    type Increment = (usize, N);

    fn rating(&self) -> &ClassRating<'a, N> {
        &self.rating
    }

    #[inline]
    fn increment(&self, row: u32) -> (usize, N) {
        self.class_and_units(row)
    }

    #[inline]
    fn add_at((class, units): (usize, N), start: usize, table: &mut [N]) {
        table[start + class] += units;
    }

    fn add_entries(&self, entries: &[u32], layout: EntryLayout, stat: &mut [N]) {
        let payloads = entries.iter().map(|&entry| layout.payload(entry));
        match (&self.weights, &mut *stat) {
            (RowWeights::None, [zeros, ones]) => {
                // A sum of the payloads counts the second class; the compiler vectorizes it.
                let n_ones: u32 = match layout.has_payloads() {
                    true => payloads.sum(),
                    false => entries.iter().map(|&entry| self.payload(layout.row(entry))).sum(),
                };
                *zeros += N::of_rows(entries.len() as u32 - n_ones);
                *ones += N::of_rows(n_ones);
            }
            (RowWeights::None, stat) if layout.has_payloads() => {
                payloads.for_each(|payload| stat[payload as usize] += N::ONE);
            }
            (RowWeights::Pairs(pairs), [zeros, ones]) if layout.has_payloads() => {
                add_stats(payloads.map(|payload| pairs.stats[payload as usize]), zeros, ones);
            }
            (RowWeights::Pairs(pairs), stat) if layout.has_payloads() => {
                let rows = payloads.map(|payload| pairs.class_and_units(payload as usize));
                rows.for_each(|(class, units)| stat[class] += units);
            }
            (RowWeights::Rounded(units, rounded), [zeros, ones]) if layout.has_payloads() => {
                let row = |&entry| rounded.class_and_units(entry, layout, units);
                add_two(entries.iter().map(row), zeros, ones);
            }
            (_, [zeros, ones]) => {
                let rows = entries.iter().map(|&entry| self.class_and_units(layout.row(entry)));
                add_two(rows, zeros, ones);
            }
            (_, stat) => entries.iter().for_each(|&entry| self.add(layout.row(entry), stat)),
        }
    }

    fn proxies_along(
        &self,
        rating: &ClassRating<'a, N>,
        entries: &[u32],
        layout: EntryLayout,
        parent: &[N],
        left: &mut [N],
        out: &mut [f64],
    ) {
        let payloads = entries.iter().map(|&entry| layout.payload(entry));
        match &self.weights {
            RowWeights::Rounded(units, rounded) if layout.has_payloads() => {
                let step = |&entry| rounded.class_and_units(entry, layout, units);
                rating.proxies_along(entries.iter().map(step), parent, left, out);
            }
            RowWeights::None if layout.has_payloads() => {
                if parent.len() == 2 && rating.criterion() == Criterion::Gini {
                    return gini_along(payloads, parent, left, out);
                }
                let steps = payloads.map(|payload| (payload as usize, N::ONE));
                rating.proxies_along(steps, parent, left, out);
            }
            RowWeights::Pairs(pairs) if layout.has_payloads() => {
                let steps = payloads.map(|payload| pairs.class_and_units(payload as usize));
                rating.proxies_along(steps, parent, left, out);
            }
            _ => {
                let steps = entries.iter().map(|&entry| self.class_and_units(layout.row(entry)));
                rating.proxies_along(steps, parent, left, out);
            }
        }
    }

    fn summarize(&self, _rows: &[u32], stat: &[N], values: &mut Vec<f64>) -> Summary {
        values.extend(stat.iter().map(|&c| self.rating.weight(c)));
        Summary {
            weight: self.rating.weight(total(stat)),
            impurity: self.rating.impurity(stat),
            is_pure: is_pure(stat),
        }
    }
}

impl<N: Count> RowPayloads for ClassRows<'_, N> {
    const PAYLOADS_ARE_KEPT: bool = true;

    fn payloads_are_stats(&self) -> bool {
        !matches!(self.weights, RowWeights::Rounded(..))
    }

    fn payload_bits(&self) -> u32 {
        let n_payloads = match &self.weights {
            RowWeights::None => self.rating.width(),
            RowWeights::Pairs(pairs) => pairs.pairs.len(),
            RowWeights::Rounded(_, rounded) => return rounded.payload_bits(),
            RowWeights::Each(_) => return 0,
        };
        usize::BITS - n_payloads.saturating_sub(1).leading_zeros()
    }

    #[inline]
    fn payload(&self, row: u32) -> u32 {
        self.codes[row as usize].into()
    }
}

impl<N: Count> BoundCuts for ClassRows<'_, N> {
    fn payload_bound(&self, entries: &[u32], layout: EntryLayout, n_known: usize) -> f64 {
        match &self.weights {
            RowWeights::Rounded(_, rounded) if layout.has_payloads() => {
                rounded.gini_bound(&self.rating, entries, layout, n_known)
            }
            _ => f64::INFINITY,
        }
    }
}

impl<N: Count> ShareRows for ClassRows<'_, N> {
    type Tiny = TinyClasses<N>;

    fn row_units(&self, row: u32) -> u64 {
        self.class_and_units(row).1.wide() as u64
    }

    fn gather(&self, rows: &[u32]) -> Self {
        let gathered = |units: &[N]| rows.iter().map(|&row| units[row as usize]).collect();
        let weights = match &self.weights {
            RowWeights::None => RowWeights::None,
            RowWeights::Pairs(pairs) => RowWeights::Pairs(Arc::clone(pairs)),
            RowWeights::Each(units) => RowWeights::Each(gathered(units)),
            RowWeights::Rounded(units, rounded) => RowWeights::Rounded(gathered(units), *rounded),
        };
        let codes = rows.iter().map(|&row| self.codes[row as usize]).collect();
        ClassRows { codes, weights, rating: self.rating }
    }

    fn copy_tiny(&self, rows: &[u32], to: &mut TinyClasses<N>) {
        let rows = rows.iter().map(|&row| self.class_and_units(row));
        to.fill(rows, !self.rating.counts_rows());
    }

    fn shared(&self, rows: &[u32], units: &[u64]) -> Self {
        let shares = || rows.iter().zip(units).map(|(&row, &units)| (row, N::of_units(units)));
        let mut codes = vec![0; self.codes.len()];
        let pairs = match &self.weights {
            RowWeights::None | RowWeights::Each(_) | RowWeights::Rounded(..) => None,
            RowWeights::Pairs(pairs) => {
                let mut recoder = PairRecoder::new(&pairs.pairs, MAX_SHARED_PAIRS);
                let recode = |(row, units)| {
                    codes[row as usize] = recoder.code(self.codes[row as usize], units)?;
                    Some(())
                };
                shares().try_for_each(recode).map(|()| recoder.coder.pairs)
            }
        };
        if let Some(pairs) = pairs {
            let weights = RowWeights::Pairs(Pairs::new(pairs, self.rating.width()));
            return ClassRows { codes: Cow::Owned(codes), weights, rating: self.rating };
        }
        let mut weights = vec![N::default(); codes.len()];
        for (row, units) in shares() {
            codes[row as usize] = self.class_and_units(row).0 as u16;
            weights[row as usize] = units;
        }
        ClassRows::of_each(Cow::Owned(codes), Cow::Owned(weights), self.rating)
    }
}
