//! Cuts of a presorted column that may be the best: their proxy is within rounding of the
//! highest.

use super::binary_splits::MissingSide;
use super::{BinarySplits, Buckets, CodeCut, CodeTest, PresortedView, RowLevels};
use crate::stat::{Num, Rating, StatVec, difference, subtract};

/// Cuts that may be the best of all cuts offered.
#[derive(Debug, Default)]
pub(super) struct Contenders<N> {
    found: Vec<Contender>,
    /// The known rows left of each contender, as stats.
    lefts: Vec<N>,
    /// The highest proxy so far, or the proxy that the first contender must reach.
    pub(super) best: f64,
    /// The lowest proxy that may belong to the highest gain.
    pub(super) floor: f64,
    /// Where each bucket begins.
    starts: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Contender {
    /// The first entry right of the cut.
    at: usize,
    proxy: f64,
    /// Where its left side is in `lefts`.
    left: usize,
}

/// Memory of a scan.
#[derive(Debug, Default)]
pub(super) struct ScanBuffers<N> {
    /// The stats left of the borders of blocks.
    pub(super) borders: Vec<N>,
    pub(super) spreads: Vec<f64>,
    pub(super) of_groups: OfGroups<N>,
    pub(super) proxies: Vec<f64>,
    pub(super) bounds: Vec<f64>,
}

/// The borders and spreads of groups of blocks.
#[derive(Debug, Default)]
pub(super) struct OfGroups<N> {
    pub(super) borders: Vec<N>,
    pub(super) spreads: Vec<f64>,
}

impl<N: Num> Contenders<N> {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.lefts.clear();
        self.starts.clear();
    }

    /// Begins a scan by one rating; returns how many contenders earlier ratings have.
    pub(super) fn begin<R: Rating<Num = N>>(&mut self, splits: &BinarySplits<R>) -> usize {
        self.best = splits.floor_proxy();
        self.floor = splits.contender_floor(self.best);
        self.found.len()
    }

    #[inline(always)]
    pub(super) fn wants(&self, proxy: f64) -> bool {
        proxy >= self.floor
    }

    /// Keeps a cut if it may be the best so far and the limits allow it.
    pub(super) fn offer<R: Rating<Num = N>>(
        &mut self,
        splits: &BinarySplits<R>,
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
            subtract(known, &splits.buckets.missing);
        }
        let right = splits.rating.units(&splits.known) - splits.rating.units(known);
        if !splits.allows(splits.known_rows - at as u32, right, side) {
            self.lefts.truncate(start);
            return;
        }
        self.found.push(Contender { at, proxy, left: start });
        if proxy > self.best {
            self.best = proxy;
            self.floor = splits.contender_floor(proxy);
        }
    }

    /// Ends a scan: drops its contenders below the final floor. The first `n_earlier` are of
    /// other ratings, and stay.
    pub(super) fn end(&mut self, n_earlier: usize) {
        let mut at = 0;
        self.found.retain(|c| {
            at += 1;
            at <= n_earlier || c.proxy >= self.floor
        });
    }

    /// By their positions; the first at each position is kept.
    fn sort(&mut self) {
        self.found.sort_unstable_by_key(|c| c.at);
        self.found.dedup_by_key(|c| c.at);
    }

    /// Splits the one bucket of the known rows at the contenders.
    pub(super) fn split_bucket<L: RowLevels>(
        &mut self,
        view: PresortedView<L>,
        buckets: &mut Buckets<N>,
    ) {
        self.sort();
        self.starts.push(0);
        let k = buckets.width;
        let (known, n_known) = (StatVec::from_slice(&buckets.stats), buckets.known_rows());
        for contender in &self.found {
            let right = difference(&known, &self.lefts[contender.left..contender.left + k]);
            let last = buckets.len() - 1;
            subtract(&mut buckets.stats[last * k..], &right);
            buckets.rows[last] = (contender.at - self.starts[last]) as u32;
            let rows = n_known - contender.at as u32;
            buckets.push(view.code(contender.at), rows).copy_from_slice(&right);
            self.starts.push(contender.at);
        }
    }

    /// A test on the buckets as a test on levels. A bucket has the code of its first level; the
    /// lower level of a cut is the last one of its bucket.
    pub(super) fn on_levels<L: RowLevels>(
        &self,
        test: CodeTest,
        buckets: &Buckets<N>,
        view: PresortedView<L>,
    ) -> CodeTest {
        match test {
            CodeTest::AtLeast(CodeCut { hi, .. }) => {
                let at = self.starts[buckets.index_of(hi)];
                CodeTest::AtLeast(CodeCut::between(view.code(at - 1), hi))
            }
            test => test,
        }
    }
}
