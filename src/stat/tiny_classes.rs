//! [Tiny rows](super::tiny_rows) of classes.

use super::StatVec;
use super::class_rating::ClassRating;
use super::count::Count;
use super::proxy::gini_along;
use super::tiny_rows::{PerTinyRow, TinyRows};
use crate::spec::Criterion;

#[derive(Default)]
pub(crate) struct TinyClasses<N: Count> {
    classes: PerTinyRow<u16>,
    units: PerTinyRow<N>,
    is_weighted: bool,
    /// The class of each row, as its place in `parent`; for the node's rows only.
    present: PerTinyRow<u8>,
    /// The counts of the classes that the node's rows are of, of at least two.
    parent: StatVec<N>,
    /// The place in `parent` of each class that is there.
    place: Vec<u8>,
}

impl<N: Count> TinyClasses<N> {
    /// Takes rows over: the class and the weight units of each.
    pub(super) fn fill(&mut self, rows: impl Iterator<Item = (usize, N)>, is_weighted: bool) {
        self.is_weighted = is_weighted;
        for ((class, units), at) in rows.zip(0..) {
            (self.classes[at], self.units[at]) = (class as u16, units);
        }
    }
}

impl<'a, N: Count> TinyRows<ClassRating<'a, N>> for TinyClasses<N> {
    /// More rows are faster to scan with their classes beside them.
    const MAX_ROWS: usize = 64;

    fn begin_node(&mut self, rows: &[u8], total: &[N]) {
        self.parent.clear();
        if total.len() <= 2 {
            self.parent.extend_from_slice(total);
            rows.iter().for_each(|&row| self.present[row] = self.classes[row] as u8);
            return;
        }
        // A place that another node left is the place of another class, or of none.
        self.place.resize(total.len().max(self.place.len()), 0);
        let mut of_place = PerTinyRow::<u16>::default();
        for &row in rows {
            let class = self.classes[row];
            let place = &mut self.place[usize::from(class)];
            if usize::from(*place) >= self.parent.len() || of_place[*place] != class {
                *place = self.parent.len() as u8;
                of_place[*place] = class;
                self.parent.push(total[usize::from(class)]);
            }
            self.present[row] = *place;
        }
        if self.parent.len() < 2 {
            self.parent.push(N::default());
        }
    }

    fn parent<'p>(&'p self, _total: &'p [N]) -> &'p [N] {
        &self.parent
    }

    #[inline]
    fn add(&self, rows: &[u8], stat: &mut [N]) {
        rows.iter().for_each(|&row| stat[usize::from(self.classes[row])] += self.units[row]);
    }

    #[inline]
    fn proxies_along(
        &self,
        rating: &ClassRating<'a, N>,
        rows: &[u8],
        parent: &[N],
        out: &mut [f64],
    ) {
        let mut left: StatVec<N> = StatVec::from_elem(N::default(), parent.len());
        if !self.is_weighted && parent.len() == 2 && rating.criterion() == Criterion::Gini {
            let ones = rows.iter().map(|&row| self.present[row].into());
            return gini_along(ones, parent, &mut left, out);
        }
        let steps = rows.iter().map(|&row| (usize::from(self.present[row]), self.units[row]));
        rating.proxies_along(steps, parent, &mut left, out);
    }
}
