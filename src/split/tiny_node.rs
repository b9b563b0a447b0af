//! One column of a tiny node: its best candidate.

use super::small_node::{RowsInOrder, best_cut_of};
use super::{Buckets, Candidate, SplitPolicy, best_of_buckets};
use crate::data::dtype::Kind;
use crate::stat::{PerTinyRow, RowStats, TinyRows};

/// The rows of a tiny node by a column: rows without a value last.
pub(crate) struct TinyView<'a, S: RowStats> {
    pub(crate) rows: &'a S::Tiny,
    /// In order of level.
    pub(crate) order: &'a [u8],
    /// The level of each row, counted from 0 in the order of levels.
    pub(crate) levels: &'a PerTinyRow<u8>,
    /// The level of a missing value; above all others.
    pub(crate) missing: u8,
    /// The code of each level.
    pub(crate) codes: &'a PerTinyRow<u32>,
}

impl<S: RowStats> Clone for TinyView<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: RowStats> Copy for TinyView<'_, S> {}

/// Memory of a search, with a proxy for each row.
#[derive(Default)]
pub(crate) struct TinyScratch<N> {
    proxies: PerTinyRow<f64>,
    left: Vec<N>,
    right: Vec<N>,
    buckets: Buckets<N>,
}

impl<S: RowStats> TinyView<'_, S> {
    /// The best candidate, as of [`best_of_presorted`](super::best_of_presorted).
    pub(crate) fn best(
        self,
        policy: &SplitPolicy,
        rating: &S::Rating,
        kind: Kind,
        total: &[S::Num],
        scratch: &mut TinyScratch<S::Num>,
    ) -> Option<Candidate> {
        let is_known = self.level(self.order.len() - 1) != self.missing;
        if kind == Kind::Ordered && is_known && policy.limits.rows_alone().is_some() {
            let TinyScratch { proxies, left, right, .. } = scratch;
            left.resize(total.len(), S::Num::default());
            right.resize(total.len(), S::Num::default());
            let proxies = proxies.as_mut_slice();
            return best_cut_of(policy, rating, total, &self, proxies, [left, right]);
        }
        self.fill(total.len(), &mut scratch.buckets);
        best_of_buckets(policy, rating, kind, &scratch.buckets)
    }

    /// Fills buckets, one a level.
    fn fill(self, width: usize, buckets: &mut Buckets<S::Num>) {
        buckets.clear(width);
        let n_known = self.order.partition_point(|&row| self.levels[row] != self.missing);
        let (known, missing) = self.order.split_at(n_known);
        for of_level in known.chunk_by(|&a, &b| self.levels[a] == self.levels[b]) {
            let stat = buckets.push(self.codes[self.levels[of_level[0]]], of_level.len() as u32);
            self.rows.add(of_level, stat);
        }
        self.rows.add(missing, &mut buckets.missing);
        buckets.missing_rows = missing.len() as u32;
    }

    #[inline(always)]
    fn level(self, at: usize) -> u8 {
        self.levels[self.order[at]]
    }
}

impl<S: RowStats> RowsInOrder<S::Rating> for TinyView<'_, S> {
    fn n_rows(&self) -> usize {
        self.order.len()
    }

    #[inline]
    fn parent<'p>(&'p self, total: &'p [S::Num]) -> &'p [S::Num] {
        self.rows.parent(total)
    }

    #[inline]
    fn proxies(&self, rating: &S::Rating, parent: &[S::Num], out: &mut [f64]) {
        self.rows.proxies_along(rating, &self.order[..out.len()], parent, out);
    }

    #[inline]
    fn add_first(&self, n_rows: usize, stat: &mut [S::Num]) {
        self.rows.add(&self.order[..n_rows], stat);
    }

    #[inline]
    fn is_boundary(&self, at: usize) -> bool {
        self.level(at - 1) != self.level(at)
    }

    #[inline]
    fn code(&self, at: usize) -> u32 {
        self.codes[self.level(at)]
    }
}
