//! Rows of a target of classes.

use std::borrow::Cow;

use super::class_rating::ClassRating;
use super::count::{Count, total};
use super::proxy::gini_along;
use super::{Rating, RowStats, Summary, is_pure};
use crate::data::column::EntryLayout;
use crate::spec::Criterion;

/// The rows' classes and weights. A stat is one count per class, in rows or weight units.
pub(crate) struct ClassRows<'a, N: Count> {
    pub(crate) classes: Cow<'a, [u16]>,
    /// `None`: every row counts one.
    weights: Option<Cow<'a, [N]>>,
    rating: ClassRating<'a, N>,
}

impl<'a, N: Count> ClassRows<'a, N> {
    pub(crate) fn new(
        classes: &'a [u16],
        weights: Option<&'a [N]>,
        rating: ClassRating<'a, N>,
    ) -> Self {
        let weights = weights.map(Cow::Borrowed);
        ClassRows { classes: Cow::Borrowed(classes), weights, rating }
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
}

impl<'a, N: Count> RowStats for ClassRows<'a, N> {
    type Num = N;
    type Rating = ClassRating<'a, N>;

    fn rating(&self) -> &ClassRating<'a, N> {
        &self.rating
    }

    #[inline]
    fn add(&self, row: u32, stat: &mut [N]) {
        let (class, units) = self.class_and_units(row);
        stat[class] += units;
    }

    #[inline]
    fn add_at(&self, row: u32, indices: impl Iterator<Item = usize>, table: &mut [N]) {
        let (class, units) = self.class_and_units(row);
        let n_classes = self.rating.width();
        indices.for_each(|index| table[index * n_classes + class] += units);
    }

    const TAGS_ARE_STATS: bool = true;

    /// The tag is the class; a weight has no room in an entry.
    fn tag_bits(&self) -> u32 {
        let bits = usize::BITS - self.rating.width().saturating_sub(1).leading_zeros();
        if self.weights.is_none() { bits } else { 0 }
    }

    #[inline]
    fn tag(&self, row: u32) -> u32 {
        self.class(row)
    }

    fn add_entries(&self, entries: &[u32], layout: EntryLayout, stat: &mut [N]) {
        let tagged = layout.has_tags();
        if let (None, [zeros, ones]) = (&self.weights, &mut *stat) {
            // A sum of the tags counts the second class; the compiler vectorizes it.
            let n_ones: u32 = match tagged {
                true => entries.iter().map(|&entry| layout.tag(entry)).sum(),
                false => entries.iter().map(|&entry| self.class(layout.row(entry))).sum(),
            };
            *zeros += N::of_rows(entries.len() as u32 - n_ones);
            *ones += N::of_rows(n_ones);
        } else if tagged {
            entries.iter().for_each(|&entry| stat[layout.tag(entry) as usize] += N::ONE);
        } else {
            entries.iter().for_each(|&entry| self.add(layout.row(entry), stat));
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
        if parent.len() == 2 && layout.has_tags() && rating.criterion() == Criterion::Gini {
            gini_along(entries.iter().map(|&entry| layout.tag(entry)), parent, left, out);
            return;
        }
        let steps = entries.iter().map(|&entry| match layout.has_tags() {
            true => (layout.tag(entry) as usize, N::ONE),
            false => self.class_and_units(layout.row(entry)),
        });
        rating.proxies_along(steps, parent, left, out);
    }

    fn summarize(&self, _rows: &[u32], stat: &[N], values: &mut Vec<f64>) -> Summary {
        values.extend(stat.iter().map(|&c| self.rating.weight(c)));
        Summary {
            weight: self.rating.weight(total(stat)),
            impurity: self.rating.impurity(stat),
            is_pure: is_pure(stat),
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
        let classes = rows.iter().map(|&row| self.classes[row as usize]).collect();
        ClassRows { classes, weights, rating: self.rating }
    }
}
