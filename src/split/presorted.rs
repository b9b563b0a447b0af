//! Ordered columns whose entries are kept in order of level.
//!
//! A first pass over the entries compares proxies alone and keeps the contenders: cuts whose
//! proxy is within rounding of the best. The levels between two neighbouring contenders become
//! one bucket, and [`ordered`] decides among the handful of buckets. So a column of a million
//! levels costs its node one pass over the entries and memory for the contenders only.
//!
//! The pass looks at the borders of groups of [`GROUP`] blocks of [`BLOCK`] entries first, then at
//! the borders of blocks. It skips each group or block whose bound is below the best proxy so far,
//! or in which no level ends.

use std::iter::once;
use std::ops::Range;

use super::binary_splits::MissingSide;
use super::contenders::{Contenders, OfGroups, ScanBuffers};
use super::{
    BinarySplits, Candidate, CodeTest, PresortedView, RowLevels, Scratch, SplitPolicy, ordered,
    small_node,
};
use crate::stat::{BLOCK, Num, Rating, RowStats, StatVec, add, difference};

/// The most entries that are looked at one by one; bounds would not pay.
const FEW: usize = 64;

/// Blocks of a group.
const GROUP: usize = 8;

/// The best cut of an ordered column, or `x is missing`.
pub(super) fn best<S: RowStats, L: RowLevels>(
    policy: &SplitPolicy,
    rows: &S,
    total: &[S::Num],
    view: PresortedView<L>,
    scratch: &mut Scratch<S::Num>,
) -> Option<Candidate> {
    if small_node::applies(policy, view) {
        return small_node::best_cut(policy, rows, rows.rating(), total, view);
    }
    scratch.fill_contenders(policy, rows, &[rows.rating()], total, view);
    let Scratch { buckets, contenders, .. } = scratch;
    if !buckets.varies() {
        return None;
    }
    let best = ordered::best(&BinarySplits::new(policy, rows.rating(), buckets))?;
    Some(Candidate { test: contenders.on_levels(best.test, buckets, view), ..best })
}

impl<N: Num> Scratch<N> {
    /// Fills the buckets of a view with the levels between contenders merged: contenders for the
    /// best cut by any of the ratings. `total` is the stat of the view's rows. Linear in the rows.
    pub(crate) fn fill_contenders<S: RowStats<Num = N>, L: RowLevels>(
        &mut self,
        policy: &SplitPolicy,
        rows: &S,
        ratings: &[&S::Rating],
        total: &[N],
        view: PresortedView<L>,
    ) {
        let Scratch { buckets, contenders, buffers, .. } = self;
        let n_known = view.n_known();
        contenders.clear();
        buckets.clear(total.len());
        let missing = &view.entries[n_known..];
        rows.add_entries(missing, view.layout, &mut buckets.missing);
        buckets.missing_rows = missing.len() as u32;
        if n_known > 0 {
            let known = difference(total, &buckets.missing);
            buckets.push(view.code(0), n_known as u32).copy_from_slice(&known);
        }
        if n_known > 1 && !view.is_one_level(0, n_known - 1) {
            for &rating in ratings {
                let splits = &BinarySplits::new(policy, rating, buckets);
                Scan { splits, rows, view, n_known, contenders, buffers }.run();
            }
            contenders.split_bucket(view, buckets);
        }
    }

    /// A test on the buckets of contenders as a test on the view's levels.
    pub(crate) fn on_levels<L: RowLevels>(
        &self,
        test: CodeTest,
        view: PresortedView<L>,
    ) -> CodeTest {
        self.contenders.on_levels(test, &self.buckets, view)
    }
}

/// A scan for the contenders of a column whose known rows vary.
struct Scan<'a, S: RowStats, L> {
    splits: &'a BinarySplits<'a, S::Rating>,
    rows: &'a S,
    view: PresortedView<'a, L>,
    n_known: usize,
    contenders: &'a mut Contenders<S::Num>,
    buffers: &'a mut ScanBuffers<S::Num>,
}

/// Borders of some blocks, or groups of blocks, in a row.
struct Borders<'a, N> {
    /// The entry behind the first border.
    first: usize,
    /// The entries from one border to the next.
    step: usize,
    /// The stat left of each border.
    lefts: &'a [N],
    /// The spread between each border and the next.
    spreads: &'a [f64],
}

impl<S: RowStats, L: RowLevels> Scan<'_, S, L> {
    fn run(&mut self) {
        let splits = self.splits;
        let n_earlier = self.contenders.begin(splits);
        if self.n_known > FEW {
            self.by_blocks();
        } else {
            for &side in splits.missing_sides() {
                self.by_entries(0..self.n_known, side, &splits.left_of_all(side));
            }
        }
        self.contenders.end(n_earlier);
    }

    /// Looks into the blocks whose bound says that they may hold a contender.
    fn by_blocks(&mut self) {
        let Scan { splits, rows, view, n_known, .. } = *self;
        let mut buffers = std::mem::take(self.buffers);
        let ScanBuffers { borders, spreads, .. } = &mut buffers;
        borders.clear();
        borders.resize(splits.parent.len(), S::Num::default());
        spreads.clear();
        let entries = &view.entries[..n_known];
        rows.sum_blocks(entries, view.layout, &splits.parent, borders, spreads);
        for &side in splits.missing_sides() {
            if side == MissingSide::Left {
                let missing = &splits.buckets.missing;
                let borders = buffers.borders.chunks_exact_mut(missing.len());
                borders.for_each(|border| add(border, missing));
            }
            self.between_borders(side, &mut buffers);
        }
        *self.buffers = buffers;
    }

    /// Looks into the blocks for one side of missing values, which the borders count already.
    /// Groups of blocks are bounded first, then the blocks of groups that may hold a contender.
    fn between_borders(&mut self, side: MissingSide, buffers: &mut ScanBuffers<S::Num>) {
        let ScanBuffers { borders, spreads, of_groups, proxies, bounds } = buffers;
        let k = self.splits.parent.len();
        let n_blocks = borders.len() / k - 1;
        if n_blocks <= GROUP {
            return self.in_group(0..n_blocks, side, borders, spreads);
        }
        of_groups.borders.clear();
        for border in (0..n_blocks).step_by(GROUP).chain(once(n_blocks)) {
            of_groups.borders.extend_from_slice(&borders[border * k..(border + 1) * k]);
        }
        of_groups.spreads.clear();
        of_groups.spreads.extend(spreads.chunks(GROUP).map(|group| group.iter().sum::<f64>()));
        let n_groups = n_blocks.div_ceil(GROUP);
        proxies.resize(n_groups + 1, 0.0);
        bounds.resize(n_groups, 0.0);
        let OfGroups { borders: lefts, spreads: of_spreads } = of_groups;
        let groups = Borders { first: 0, step: GROUP * BLOCK, lefts, spreads: of_spreads };
        self.at_borders(groups, side, proxies, bounds);
        for (group, &bound) in bounds.iter().enumerate() {
            let blocks = group * GROUP..(group * GROUP + GROUP).min(n_blocks);
            if self.may_hold_contender(bound, blocks.start * BLOCK..blocks.end * BLOCK) {
                self.in_group(blocks, side, borders, spreads);
            }
        }
    }

    /// Looks into the blocks, of at most [`GROUP`], that may hold a contender.
    fn in_group(
        &mut self,
        blocks: Range<usize>,
        side: MissingSide,
        borders: &[S::Num],
        spreads: &[f64],
    ) {
        let k = self.splits.parent.len();
        let borders = &borders[blocks.start * k..(blocks.end + 1) * k];
        let spreads = spreads.get(blocks.clone()).unwrap_or_default();
        let (mut proxies, mut bounds) = ([0.0; GROUP + 1], [0.0; GROUP]);
        let (proxies, bounds) = (&mut proxies[..blocks.len() + 1], &mut bounds[..blocks.len()]);
        let first = blocks.start * BLOCK;
        let of_blocks = Borders { first, step: BLOCK, lefts: borders, spreads };
        self.at_borders(of_blocks, side, proxies, bounds);
        for (block, &bound) in bounds.iter().enumerate() {
            let from = first + block * BLOCK;
            let entries = from..(from + BLOCK).min(self.n_known);
            if self.may_hold_contender(bound, entries.clone()) {
                self.by_entries(entries, side, &borders[block * k..(block + 1) * k]);
            }
        }
    }

    /// Whether a cut after one of some entries may be a contender: the bound of its proxy allows it, and
    /// a level ends among them.
    fn may_hold_contender(&self, bound: f64, entries: Range<usize>) -> bool {
        let last = entries.end.min(self.n_known - 1);
        self.contenders.wants(bound) && !self.view.is_one_level(entries.start, last)
    }

    /// Offers the cuts at borders, the first and the last apart, and bounds the proxies between
    /// them.
    fn at_borders(
        &mut self,
        borders: Borders<S::Num>,
        side: MissingSide,
        proxies: &mut [f64],
        bounds: &mut [f64],
    ) {
        let Scan { splits, view, .. } = *self;
        let BinarySplits { rating, parent, .. } = splits;
        let Borders { first, step, lefts, spreads } = borders;
        let (k, last) = (parent.len(), bounds.len());
        rating.proxies_at(lefts, parent, proxies);
        rating.block_bounds(lefts, parent, proxies, spreads, bounds);
        // The highest first, so that a rising curve offers no more than its end.
        let peak = highest(&proxies[1..last]).map(|i| i + 1);
        for border in peak.into_iter().chain(1..last) {
            let at = first + border * step;
            if proxies[border] > self.contenders.best && view.is_boundary(at) {
                let left = &lefts[border * k..(border + 1) * k];
                self.contenders.offer(splits, side, at, proxies[border], left);
            }
        }
    }

    /// Looks at every cut after one of at most [`FEW`] entries.
    fn by_entries(&mut self, range: Range<usize>, side: MissingSide, left: &[S::Num]) {
        let Scan { splits, rows, view, n_known, .. } = *self;
        let entries = &view.entries[range.clone()];
        let mut proxies = [0.0; FEW];
        let proxies = &mut proxies[..entries.len()];
        let mut moved = StatVec::from_slice(left);
        let (rating, parent) = (splits.rating, &splits.parent);
        rows.proxies_along(rating, entries, view.layout, parent, &mut moved, proxies);
        // Branchless, as most blocks hold no contender.
        let floor = self.contenders.floor;
        if !proxies.iter().fold(false, |any, &proxy| any | (proxy >= floor)) {
            return;
        }
        // The highest first, as above.
        for i in highest(proxies).into_iter().chain(0..entries.len()) {
            let at = range.start + i + 1;
            if self.contenders.wants(proxies[i]) && at < n_known && view.is_boundary(at) {
                let mut left = StatVec::from_slice(left);
                rows.add_entries(&entries[..=i], view.layout, &mut left);
                self.contenders.offer(splits, side, at, proxies[i], &left);
            }
        }
    }
}

/// The index of the highest proxy, the first of equals.
fn highest(proxies: &[f64]) -> Option<usize> {
    (0..proxies.len()).reduce(|best, i| if proxies[i] > proxies[best] { i } else { best })
}
