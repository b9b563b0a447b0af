//! Cuts of one column at one node that may be the best: their proxy is within rounding of the
//! highest.

use crate::split::binary_splits::{BinarySplits, MissingSide};
use crate::split::{Buckets, CodeTest, RowLevels, SortedView, difference, subtract};
use crate::stat::{Num, Stat, StatVec};

/// Cuts that may be the best. A cut is offered with its proxy, and taken in if it comes up to
/// those before it.
#[derive(Debug, Default)]
pub(super) struct Contenders<N> {
    found: Vec<Contender>,
    /// The known rows left of each contender, as stats.
    lefts: Vec<N>,
    /// The highest proxy of those taken in, or what the first must come up to.
    pub(super) best: f64,
    /// The least proxy that may still belong to the highest gain.
    pub(super) floor: f64,
    /// Where each bucket begins.
    starts: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Contender {
    /// The first entry to the right of it.
    at: usize,
    proxy: f64,
    /// Where its left side is kept.
    left: usize,
}

impl<N: Num> Contenders<N> {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.lefts.clear();
        self.starts.clear();
    }

    /// Begins to take in those by one stat; how many there are by others.
    pub(super) fn begin<S: Stat<Num = N>>(&mut self, two_way: &BinarySplits<S>) -> usize {
        self.best = two_way.bar();
        self.floor = two_way.stat.proxy_floor(self.best, &two_way.parent);
        self.found.len()
    }

    #[inline(always)]
    pub(super) fn wants(&self, proxy: f64) -> bool {
        proxy >= self.floor
    }

    /// Takes a cut in if it may be the best of those looked at and the limits allow it.
    pub(super) fn offer<S: Stat<Num = N>>(
        &mut self,
        two_way: &BinarySplits<S>,
        side: MissingSide,
        at: usize,
        proxy: f64,
        left: &[N],
    ) {
        if !self.wants(proxy) {
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

    /// Lets go of those that turned out not to be the best by the last stat.
    pub(super) fn end(&mut self, of_others: usize) {
        let mut at = 0;
        self.found.retain(|c| {
            at += 1;
            at <= of_others || c.proxy >= self.floor
        });
    }

    /// Parts the one bucket of the known rows at the contenders.
    pub(super) fn part<L: RowLevels>(&mut self, view: SortedView<L>, buckets: &mut Buckets<N>) {
        self.found.sort_unstable_by_key(|c| c.at);
        self.found.dedup_by_key(|c| c.at);
        self.starts.push(0);
        let k = buckets.width;
        let (known, n_known) = (StatVec::from_slice(&buckets.stats), buckets.known_rows());
        for contender in &self.found {
            let right = difference(&known, &self.lefts[contender.left..contender.left + k]);
            let last = buckets.len() - 1;
            subtract(&mut buckets.stats[last * k..], &right);
            buckets.rows[last] = (contender.at - self.starts[last]) as u32;
            buckets.open(view.code(contender.at));
            buckets.stats[(last + 1) * k..].copy_from_slice(&right);
            buckets.rows[last + 1] = n_known - contender.at as u32;
            self.starts.push(contender.at);
        }
    }

    /// A test on the buckets in the view's codes: the lower level of a cut is the last of its
    /// bucket, which goes by its first.
    pub(super) fn exact<L: RowLevels>(
        &self,
        test: CodeTest,
        buckets: &Buckets<N>,
        view: SortedView<L>,
    ) -> CodeTest {
        match test {
            CodeTest::AtLeast { hi, .. } => {
                let at = self.starts[buckets.at(hi)];
                CodeTest::AtLeast { lo: view.code(at - 1), hi }
            }
            test => test,
        }
    }
}
