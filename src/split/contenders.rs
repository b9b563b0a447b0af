//! Ordered columns that are kept in order: a cut is first looked for by proxies alone.
//!
//! The levels between two neighbouring contenders, cuts whose proxy is within rounding of the
//! best, are taken together into one bucket. What is left is a handful of buckets for the scan
//! that decides ([`ordered`]). So a column of a million levels costs its node a pass over the
//! entries, and no memory but for the contenders.

use std::ops::Range;

use smallvec::smallvec;

use super::two_way::{MissingSide, TwoWay};
use super::{Buckets, Candidate, CodeTest, RowLevels, Scratch, Search, SortedView};
use super::{add, difference, ordered, subtract};
use crate::stat::{Num, Stat, StatVec};

/// Levels whose proxies are computed at once.
const CHUNK: usize = 256;

/// Entries a block holds. It is looked into only if what bounds its proxies is as good as the
/// best.
const BLOCK: usize = 32;

/// Cuts that may be the best, and what a search for them works with.
#[derive(Debug, Default)]
pub(crate) struct Contenders<N> {
    found: Vec<Contender>,
    /// The known rows left of each contender, as stats.
    lefts: Vec<N>,
    best: f64,
    floor: f64,
    /// Where each bucket begins.
    starts: Vec<usize>,
    borders: Vec<N>,
    stats: Vec<N>,
    ends: Vec<usize>,
    proxies: Vec<f64>,
    bounds: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Contender {
    /// The first entry to the right of it.
    at: usize,
    proxy: f64,
    /// Where its left side is kept.
    left: usize,
}

/// The best cut of an ordered column, or `x is missing`.
pub(super) fn best<S: Stat, L: RowLevels>(
    search: &Search,
    stat: &S,
    total: &[S::Num],
    view: SortedView<L>,
    scratch: &mut Scratch<S::Num>,
) -> Option<Candidate> {
    scratch.fill_contenders(search, &[stat], total, view);
    let Scratch { buckets, contenders, .. } = scratch;
    if !buckets.varies() {
        return None;
    }
    let best = ordered::best(&TwoWay::new(search, stat, buckets))?;
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
        let Scratch { buckets, contenders, .. } = self;
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
            contenders.starts.push(0);
        }
        if n_known > 1 && !view.is_one_level(n_known) {
            for &stat in stats {
                contenders.look(&TwoWay::new(search, stat, buckets), view, n_known);
            }
            contenders.found.sort_unstable_by_key(|c| c.at);
            contenders.found.dedup_by_key(|c| c.at);
            contenders.part(view, n_known, buckets);
        }
    }

    /// A test on contenders' buckets in the view's codes.
    pub(crate) fn exact<L: RowLevels>(&self, test: CodeTest, view: SortedView<L>) -> CodeTest {
        self.contenders.exact(test, &self.buckets, view)
    }
}

impl<N: Num> Contenders<N> {
    fn clear(&mut self) {
        self.found.clear();
        self.lefts.clear();
        self.starts.clear();
    }

    /// The lower level of a cut is the last of its bucket, which goes by its first.
    fn exact<L: RowLevels>(
        &self,
        test: CodeTest,
        buckets: &Buckets<N>,
        view: SortedView<L>,
    ) -> CodeTest {
        match test {
            CodeTest::AtLeast { hi, .. } => {
                let at = self.starts[buckets.codes.partition_point(|&code| code < hi)];
                CodeTest::AtLeast { lo: view.code(at - 1), hi }
            }
            test => test,
        }
    }

    /// Looks for the contenders of a column whose known rows vary.
    fn look<S: Stat<Num = N>, L: RowLevels>(
        &mut self,
        two_way: &TwoWay<S>,
        view: SortedView<L>,
        n_known: usize,
    ) {
        let earlier = self.found.len();
        self.best = f64::NEG_INFINITY;
        self.floor = f64::NEG_INFINITY;
        for &side in two_way.missing_sides() {
            if two_way.stat.bounds_proxies() && n_known > 2 * BLOCK {
                self.by_blocks(two_way, view, n_known, side);
            } else {
                self.by_levels(two_way, view, n_known, side);
            }
        }
        let mut at = 0;
        self.found.retain(|c| {
            at += 1;
            at <= earlier || c.proxy >= self.floor
        });
        if self.found.is_empty() {
            // The limits forbid all cuts; any will do to say so.
            let at = view.level_end(0, n_known);
            let left = self.lefts.len();
            self.lefts.resize(left + two_way.known.len(), N::default());
            two_way.stat.take(&view.entries[..at], view.packing, &mut self.lefts[left..]);
            self.found.push(Contender { at, proxy: 0.0, left });
        }
    }

    /// Looks at every level.
    fn by_levels<S: Stat<Num = N>, L: RowLevels>(
        &mut self,
        two_way: &TwoWay<S>,
        view: SortedView<L>,
        n_known: usize,
        side: MissingSide,
    ) {
        let mut left = start(two_way, side);
        let k = left.len();
        let mut at = 0;
        while at < n_known {
            self.stats.clear();
            self.ends.clear();
            while self.ends.len() < CHUNK && at < n_known {
                let end = view.level_end(at, n_known);
                let next = self.stats.len();
                self.stats.resize(next + k, N::default());
                two_way.stat.take(&view.entries[at..end], view.packing, &mut self.stats[next..]);
                self.ends.push(end);
                at = end;
            }
            if at == n_known {
                self.ends.pop();
                self.stats.truncate(self.ends.len() * k);
            }
            self.proxies.resize(self.ends.len(), 0.0);
            let mut moved = left.clone();
            two_way.stat.proxies(&self.stats, &two_way.parent, &mut moved, &mut self.proxies);
            // The highest first, so that a rising curve offers no more than its end.
            if let Some(peak) = highest(&self.proxies).filter(|&i| self.proxies[i] >= self.floor) {
                let mut to_peak = left.clone();
                self.stats[..(peak + 1) * k].chunks_exact(k).for_each(|s| add(&mut to_peak, s));
                self.offer(two_way, side, self.ends[peak], self.proxies[peak], &to_peak);
                for i in 0..self.ends.len() {
                    add(&mut left, &self.stats[i * k..(i + 1) * k]);
                    self.offer(two_way, side, self.ends[i], self.proxies[i], &left);
                }
            }
            left = moved;
        }
    }

    /// Looks into the blocks that may hold a contender.
    ///
    /// The blocks' ends are looked at first, so that nearly all blocks are known to hold none:
    /// it halves the growth of a tree on distinct columns, and takes 70 % off it with ten classes.
    fn by_blocks<S: Stat<Num = N>, L: RowLevels>(
        &mut self,
        two_way: &TwoWay<S>,
        view: SortedView<L>,
        n_known: usize,
        side: MissingSide,
    ) {
        let stat = two_way.stat;
        let mut left = start(two_way, side);
        let k = left.len();
        let mut borders = std::mem::take(&mut self.borders);
        borders.clear();
        borders.extend_from_slice(&left);
        for block in view.entries[..n_known].chunks(BLOCK) {
            stat.take(block, view.packing, &mut left);
            borders.extend_from_slice(&left);
        }
        let n_blocks = borders.len() / k - 1;
        let mut proxies = std::mem::take(&mut self.proxies);
        let mut bounds = std::mem::take(&mut self.bounds);
        proxies.resize(n_blocks + 1, 0.0);
        bounds.resize(n_blocks, 0.0);
        stat.proxies_at(&borders, &two_way.parent, &mut proxies);
        stat.proxy_bounds(&borders, &two_way.parent, &proxies, &mut bounds);
        let left_at = |border: usize| &borders[border * k..(border + 1) * k];
        let peak = highest(&proxies[1..n_blocks]).map(|i| i + 1);
        for border in peak.into_iter().chain(1..n_blocks) {
            let at = border * BLOCK;
            if proxies[border] > self.best && view.is_boundary(at) {
                self.offer(two_way, side, at, proxies[border], left_at(border));
            }
        }
        for (block, &bound) in bounds.iter().enumerate() {
            if bound >= self.floor {
                let (from, to) = (block * BLOCK, (block * BLOCK + BLOCK).min(n_known));
                self.by_entries(two_way, view, from..to, side, left_at(block));
            }
        }
        (self.borders, self.proxies, self.bounds) = (borders, proxies, bounds);
    }

    /// Looks at every cut after an entry of a block.
    fn by_entries<S: Stat<Num = N>, L: RowLevels>(
        &mut self,
        two_way: &TwoWay<S>,
        view: SortedView<L>,
        block: Range<usize>,
        side: MissingSide,
        left: &[N],
    ) {
        let stat = two_way.stat;
        let mut proxies = [0.0; BLOCK];
        let entries = &view.entries[block.clone()];
        let mut moved = StatVec::from_slice(left);
        stat.proxies_along(entries, view.packing, &two_way.parent, &mut moved, &mut proxies);
        for (i, &proxy) in proxies[..entries.len()].iter().enumerate() {
            let at = block.start + i + 1;
            if proxy >= self.floor && at < two_way.known_rows as usize && view.is_boundary(at) {
                let mut left = StatVec::from_slice(left);
                stat.take(&entries[..=i], view.packing, &mut left);
                self.offer(two_way, side, at, proxy, &left);
            }
        }
    }

    /// Takes a cut in if it may be the best of those looked at and the limits allow it.
    fn offer<S: Stat<Num = N>>(
        &mut self,
        two_way: &TwoWay<S>,
        side: MissingSide,
        at: usize,
        proxy: f64,
        left: &[N],
    ) {
        if proxy < self.floor {
            return;
        }
        let start = self.lefts.len();
        self.lefts.extend_from_slice(left);
        let known = &mut self.lefts[start..];
        if side == MissingSide::Left {
            subtract(known, &two_way.buckets.missing);
        }
        let right = two_way.stat.units(&two_way.known) - two_way.stat.units(known);
        if !two_way.allows(two_way.known_rows - at as u32, right, side) {
            self.lefts.truncate(start);
            return;
        }
        self.found.push(Contender { at, proxy, left: start });
        if proxy > self.best {
            self.best = proxy;
            self.floor = two_way.stat.proxy_floor(proxy, &two_way.parent);
        }
    }

    /// Parts the one bucket of the known rows at the contenders.
    fn part<L: RowLevels>(
        &mut self,
        view: SortedView<L>,
        n_known: usize,
        buckets: &mut Buckets<N>,
    ) {
        let k = buckets.width;
        let known = StatVec::from_slice(&buckets.stats);
        for contender in &self.found {
            let right = difference(&known, &self.lefts[contender.left..contender.left + k]);
            let last = buckets.len() - 1;
            subtract(&mut buckets.stats[last * k..], &right);
            buckets.rows[last] = (contender.at - self.starts[last]) as u32;
            buckets.open(view.code(contender.at));
            buckets.stats[(last + 1) * k..].copy_from_slice(&right);
            buckets.rows[last + 1] = (n_known - contender.at) as u32;
            self.starts.push(contender.at);
        }
    }
}

/// What lies left of the first cut.
fn start<S: Stat>(two_way: &TwoWay<S>, side: MissingSide) -> StatVec<S::Num> {
    match side {
        MissingSide::Left => StatVec::from_slice(&two_way.buckets.missing),
        _ => smallvec![S::Num::default(); two_way.known.len()],
    }
}

/// Where the highest proxy is, the first of equals.
fn highest(proxies: &[f64]) -> Option<usize> {
    (0..proxies.len()).reduce(|best, i| if proxies[i] > proxies[best] { i } else { best })
}
