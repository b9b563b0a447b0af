//! Ordered columns that are kept in order: a cut is first looked for by proxies alone.
//!
//! The levels between two neighbouring contenders, cuts whose proxy is within rounding of the
//! best, are taken together into one bucket. What is left is a handful of buckets for the scan
//! that decides ([`ordered`]). So a column of a million levels costs its node a pass over the
//! entries, and no memory but for the contenders; and one that another column of the node
//! outdoes has none.

use std::ops::Range;

use smallvec::smallvec;

use crate::split::binary_splits::{BinarySplits, MissingSide};
use crate::split::contenders::Contenders;
use crate::split::scratch::{Memory, Scratch};
use crate::split::small_node;
use crate::split::{Candidate, CodeTest, RowLevels, Search, SortedView};
use crate::split::{add, difference, ordered};
use crate::stat::{Num, Stat, StatVec};

/// So few entries are looked at one by one; it would not pay to bound them.
const FEW: usize = 64;

/// Levels whose proxies are computed at once.
const CHUNK: usize = 256;

/// Entries a block holds. It is looked into only if what bounds its proxies is as good as the
/// best.
const BLOCK: usize = 32;

/// The best cut of an ordered column, or `x is missing`.
pub(super) fn best<S: Stat, L: RowLevels>(
    search: &Search,
    stat: &S,
    total: &[S::Num],
    view: SortedView<L>,
    scratch: &mut Scratch<S::Num>,
) -> Option<Candidate> {
    if small_node::is_simple(search, stat, view) {
        return small_node::best_cut(search, stat, total, view);
    }
    scratch.fill_contenders(search, &[stat], total, view);
    let Scratch { buckets, contenders, .. } = scratch;
    if !buckets.varies() {
        return None;
    }
    let best = ordered::best(&BinarySplits::new(search, stat, buckets))?;
    Some(Candidate { test: contenders.exact(best.test, buckets, view), ..best })
}

impl<N: Num> Scratch<N> {
    /// Fills the buckets of a view, levels between the contenders for the best cut by any of some
    /// stats taken together; `total` is the stat of the view's rows. Linear in the rows.
    pub(crate) fn fill_contenders<S: Stat<Num = N>, L: RowLevels>(
        &mut self,
        search: &Search,
        stats: &[&S],
        total: &[N],
        view: SortedView<L>,
    ) {
        let Scratch { buckets, contenders, memory, .. } = self;
        let n_known = view.n_known();
        contenders.clear();
        buckets.clear(total.len());
        let missing = &view.entries[n_known..];
        stats.iter().take(1).for_each(|s| s.take(missing, view.packing, &mut buckets.missing));
        buckets.missing_rows = missing.len() as u32;
        if n_known > 0 {
            buckets.open(view.code(0));
            buckets.rows[0] = n_known as u32;
            buckets.stats.copy_from_slice(&difference(total, &buckets.missing));
        }
        if n_known > 1 && !view.is_one_level(n_known) {
            for &stat in stats {
                let two_way = &BinarySplits::new(search, stat, buckets);
                Look { two_way, view, n_known, contenders, memory }.everywhere();
            }
            contenders.part(view, buckets);
        }
    }

    /// A test on contenders' buckets in the view's codes.
    pub(crate) fn exact<L: RowLevels>(&self, test: CodeTest, view: SortedView<L>) -> CodeTest {
        self.contenders.exact(test, &self.buckets, view)
    }
}

/// A look for the contenders of a column whose known rows vary.
struct Look<'a, S: Stat, L> {
    two_way: &'a BinarySplits<'a, S>,
    view: SortedView<'a, L>,
    n_known: usize,
    contenders: &'a mut Contenders<S::Num>,
    memory: &'a mut Memory<S::Num>,
}

impl<S: Stat, L: RowLevels> Look<'_, S, L> {
    fn everywhere(&mut self) {
        let two_way = self.two_way;
        let earlier = self.contenders.begin(two_way);
        for &side in two_way.missing_sides() {
            let left = start(two_way, side);
            if !two_way.stat.bounds_proxies() {
                self.by_levels(side, left);
            } else if self.n_known > FEW {
                self.by_blocks(side, left);
            } else {
                self.by_entries(0..self.n_known, side, &left);
            }
        }
        self.contenders.end(earlier);
    }

    /// Looks at every level.
    fn by_levels(&mut self, side: MissingSide, mut left: StatVec<S::Num>) {
        let Look { two_way, view, n_known, .. } = *self;
        let Memory { stats, ends, proxies, .. } = &mut *self.memory;
        let k = left.len();
        let mut at = 0;
        while at < n_known {
            stats.clear();
            ends.clear();
            while ends.len() < CHUNK && at < n_known {
                let end = view.level_end(at, n_known);
                let next = stats.len();
                stats.resize(next + k, S::Num::default());
                two_way.stat.take(&view.entries[at..end], view.packing, &mut stats[next..]);
                ends.push(end);
                at = end;
            }
            if at == n_known {
                ends.pop();
                stats.truncate(ends.len() * k);
            }
            proxies.resize(ends.len(), 0.0);
            let mut moved = left.clone();
            two_way.stat.proxies(stats, &two_way.parent, &mut moved, proxies);
            // The highest first, so that a rising curve offers no more than its end.
            if let Some(peak) = highest(proxies).filter(|&i| self.contenders.wants(proxies[i])) {
                let mut to_peak = left.clone();
                stats[..(peak + 1) * k].chunks_exact(k).for_each(|s| add(&mut to_peak, s));
                self.contenders.offer(two_way, side, ends[peak], proxies[peak], &to_peak);
                for i in 0..ends.len() {
                    add(&mut left, &stats[i * k..(i + 1) * k]);
                    self.contenders.offer(two_way, side, ends[i], proxies[i], &left);
                }
            }
            left = moved;
        }
    }

    /// Looks into the blocks that may hold a contender.
    ///
    /// The blocks' ends are looked at first, so that nearly all blocks are known to hold none:
    /// it halves the growth of a tree on distinct columns, and takes 70 % off it with ten classes.
    fn by_blocks(&mut self, side: MissingSide, mut left: StatVec<S::Num>) {
        let Look { two_way, view, n_known, .. } = *self;
        let BinarySplits { stat, parent, .. } = two_way;
        let Memory { mut borders, mut proxies, mut bounds, .. } = std::mem::take(self.memory);
        let k = left.len();
        borders.clear();
        borders.extend_from_slice(&left);
        for block in view.entries[..n_known].chunks(BLOCK) {
            stat.take(block, view.packing, &mut left);
            borders.extend_from_slice(&left);
        }
        let n_blocks = borders.len() / k - 1;
        proxies.resize(n_blocks + 1, 0.0);
        bounds.resize(n_blocks, 0.0);
        stat.proxies_at(&borders, parent, &mut proxies);
        stat.proxy_bounds(&borders, parent, &proxies, &mut bounds);
        let left_at = |border: usize| &borders[border * k..(border + 1) * k];
        let peak = highest(&proxies[1..n_blocks]).map(|i| i + 1);
        for border in peak.into_iter().chain(1..n_blocks) {
            let at = border * BLOCK;
            if proxies[border] > self.contenders.best && view.is_boundary(at) {
                self.contenders.offer(two_way, side, at, proxies[border], left_at(border));
            }
        }
        for (block, &bound) in bounds.iter().enumerate() {
            if self.contenders.wants(bound) {
                let (from, to) = (block * BLOCK, (block * BLOCK + BLOCK).min(n_known));
                self.by_entries(from..to, side, left_at(block));
            }
        }
        *self.memory = Memory { borders, proxies, bounds, ..Memory::default() };
    }

    /// Looks at every cut after one of a few entries.
    fn by_entries(&mut self, few: Range<usize>, side: MissingSide, left: &[S::Num]) {
        let Look { two_way, view, n_known, .. } = *self;
        let BinarySplits { stat, parent, .. } = two_way;
        let entries = &view.entries[few.clone()];
        let mut proxies = [0.0; FEW];
        let proxies = &mut proxies[..entries.len()];
        let mut moved = StatVec::from_slice(left);
        stat.proxies_along(entries, view.packing, parent, &mut moved, proxies);
        // All are asked before any is taken in: without a jump, and mostly in vain.
        let floor = self.contenders.floor;
        if !proxies.iter().fold(false, |any, &proxy| any | (proxy >= floor)) {
            return;
        }
        // The highest first, as above.
        for i in highest(proxies).into_iter().chain(0..entries.len()) {
            let at = few.start + i + 1;
            if self.contenders.wants(proxies[i]) && at < n_known && view.is_boundary(at) {
                let mut left = StatVec::from_slice(left);
                stat.take(&entries[..=i], view.packing, &mut left);
                self.contenders.offer(two_way, side, at, proxies[i], &left);
            }
        }
    }
}

/// What lies left of the first cut.
fn start<S: Stat>(two_way: &BinarySplits<S>, side: MissingSide) -> StatVec<S::Num> {
    match side {
        MissingSide::Left => StatVec::from_slice(&two_way.buckets.missing),
        _ => smallvec![S::Num::default(); two_way.known.len()],
    }
}

/// Where the highest proxy is, the first of equals.
fn highest(proxies: &[f64]) -> Option<usize> {
    (0..proxies.len()).reduce(|best, i| if proxies[i] > proxies[best] { i } else { best })
}
