//! What all two-way splits of one node by one column share: the stat they are rated against, the
//! branches missing values may take, and which branches are large enough.

use smallvec::smallvec;

use super::{Buckets, Candidate, CodeTest, SplitPolicy};
use crate::stat::{Rating, StatVec, add, difference, subtract};
use crate::tree::missing::heavier_branch;

/// The two-way splits of some buckets. A split is named by its right side: the stat of the known
/// rows for which the test holds.
pub(crate) struct BinarySplits<'a, R: Rating> {
    pub(crate) policy: &'a SplitPolicy,
    pub(crate) rating: &'a R,
    pub(crate) buckets: &'a Buckets<R::Num>,
    /// The rows whose value is known.
    pub(crate) known: StatVec<R::Num>,
    pub(crate) known_rows: u32,
    /// The rows a split is rated over: all of them, or the known ones.
    pub(crate) parent: StatVec<R::Num>,
    /// The factor of a gain: the known share of the weight, where only known rows are rated.
    pub(crate) share: f64,
}

/// The branch of missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingSide {
    /// Right, and they are rated there.
    Right,
    /// Left, and they are rated there.
    Left,
    /// The heavier branch, ties right (with `Fractional` none). They are not rated, or there are
    /// none.
    Heavier,
}

impl<'a, R: Rating> BinarySplits<'a, R> {
    pub(crate) fn new(
        policy: &'a SplitPolicy,
        rating: &'a R,
        buckets: &'a Buckets<R::Num>,
    ) -> Self {
        let known = buckets.known();
        let mut all = StatVec::from_slice(&known);
        add(&mut all, &buckets.missing);
        let weight = |stat: &[R::Num]| rating.weight(rating.units(stat));
        let (parent, share) = match (policy.missing.rates_all_rows(), buckets.missing_rows) {
            (true, _) => (all, 1.0),
            (false, 0) => (known.clone(), 1.0),
            (false, _) => (known.clone(), weight(&known) / weight(&all)),
        };
        let known_rows = buckets.known_rows();
        BinarySplits { policy, rating, buckets, known, known_rows, parent, share }
    }

    /// The splits of these rows in buckets of another order.
    pub(super) fn reordered<'b>(&self, buckets: &'b Buckets<R::Num>) -> BinarySplits<'b, R>
    where
        'a: 'b,
    {
        BinarySplits { buckets, known: self.known.clone(), parent: self.parent.clone(), ..*self }
    }

    /// The stat left of the first cut.
    pub(super) fn left_of_all(&self, side: MissingSide) -> StatVec<R::Num> {
        match side {
            MissingSide::Left => StatVec::from_slice(&self.buckets.missing),
            MissingSide::Right | MissingSide::Heavier => {
                smallvec![R::Num::default(); self.known.len()]
            }
        }
    }

    /// The proxy of the policy's gain floor.
    pub(super) fn floor_proxy(&self) -> f64 {
        self.rating.proxy_of(self.policy.gain_floor / self.share, &self.parent)
    }

    /// The lowest proxy of a split that may win, where `best` is the highest proxy.
    pub(super) fn contender_floor(&self, best: f64) -> f64 {
        self.policy.contender_floor(self.rating, best, &self.parent)
    }

    /// The sides missing values may take, in order of preference.
    pub(super) fn missing_sides(&self) -> &'static [MissingSide] {
        match (self.policy.missing.rates_all_rows(), self.buckets.missing_rows) {
            (true, 1..) => &[MissingSide::Right, MissingSide::Left],
            _ => &[MissingSide::Heavier],
        }
    }

    /// The branch of missing values.
    fn branch(&self, right: R::Num, side: MissingSide) -> u32 {
        match side {
            MissingSide::Right => 1,
            MissingSide::Left => 0,
            MissingSide::Heavier => heavier_branch(self.rating.units(&self.known) - right, right),
        }
    }

    /// Whether both branches are large enough, missing rows counted where they go.
    pub(super) fn allows(&self, right_rows: u32, right: R::Num, side: MissingSide) -> bool {
        let limits = &self.policy.limits;
        if !limits.bind() {
            return true;
        }
        let mut rows = [self.known_rows - right_rows, right_rows];
        let mut units = [self.rating.units(&self.known) - right, right];
        // C4.5 counts the known rows alone.
        if !self.shares_rows() {
            let branch = self.branch(right, side) as usize;
            rows[branch] += self.buckets.missing_rows;
            units[branch] += self.rating.units(&self.buckets.missing);
        }
        (0..2).all(|b| limits.allow(self.rating, rows[b], units[b]))
    }

    /// The branches as they are rated.
    pub(super) fn branches(&self, right: &[R::Num], side: MissingSide) -> [StatVec<R::Num>; 2] {
        let mut right = StatVec::from_slice(right);
        if side == MissingSide::Right {
            add(&mut right, &self.buckets.missing);
        }
        [difference(&self.parent, &right), right]
    }

    /// Appends the left branch as it is rated.
    pub(super) fn append_left(&self, right: &[R::Num], side: MissingSide, to: &mut Vec<R::Num>) {
        let start = to.len();
        to.extend_from_slice(&self.parent);
        let left = &mut to[start..];
        subtract(left, right);
        if side == MissingSide::Right {
            subtract(left, &self.buckets.missing);
        }
    }

    /// The proxy of one split.
    pub(super) fn proxy(&self, right: &[R::Num], side: MissingSide) -> f64 {
        let [left, _] = self.branches(right, side);
        let mut proxy = [0.0];
        self.rating.proxies_at(&left, &self.parent, &mut proxy);
        proxy[0]
    }

    /// The gain of one split.
    pub(super) fn gain_of(&self, right: &[R::Num], side: MissingSide) -> f64 {
        let [left, right] = self.branches(right, side);
        self.gain(&[&left, &right])
    }

    /// The gain of all levels and missing apart: no split gains more.
    pub(super) fn finest_gain(&self) -> f64 {
        let mut branches: Vec<&[R::Num]> = self.buckets.iter().collect();
        if self.policy.missing.rates_all_rows() {
            branches.push(&self.buckets.missing);
        }
        self.gain(&branches)
    }

    /// Whether a gain is another or more, but for rounding.
    pub(super) fn reaches(&self, gain: f64, other: f64) -> bool {
        let proxy = |gain: f64| self.rating.proxy_of(gain / self.share, &self.parent);
        proxy(gain) >= self.rating.proxy_floor(proxy(other), &self.parent)
    }

    /// Rates a split.
    pub(super) fn candidate(
        &self,
        right: &[R::Num],
        side: MissingSide,
        test: CodeTest,
    ) -> Candidate {
        self.with_gain(self.gain_of(right, side), right, side, test)
    }

    /// A split of known gain.
    pub(super) fn with_gain(
        &self,
        gain: f64,
        right: &[R::Num],
        side: MissingSide,
        test: CodeTest,
    ) -> Candidate {
        let branch = self.branch(self.rating.units(right), side);
        let missing_to = self.policy.missing.joins(branch);
        let [left, right] = self.branches(right, side);
        let split_info = self.split_info(&[&left, &right]);
        Candidate { gain, split_info, test, missing_to, approximate: false }
    }

    /// One test, with missing on the better side that the limits allow. `right` and `rows` are the
    /// stat and the number of rows of its right side.
    pub(super) fn on_better_side(
        &self,
        right: &[R::Num],
        rows: u32,
        test: &CodeTest,
    ) -> Option<Candidate> {
        let sides = self.missing_sides().iter();
        let allowed = sides.filter(|&&side| self.allows(rows, self.rating.units(right), side));
        let candidates = allowed.map(|&side| self.candidate(right, side, test.clone()));
        candidates.map(Some).fold(None, better)
    }

    /// `x is missing` against the known rows: a rule of its own under `Learn`.
    pub(super) fn is_missing(&self) -> Option<Candidate> {
        let Buckets { missing, missing_rows, .. } = self.buckets;
        let limits = &self.policy.limits;
        let allowed = self.policy.missing.rates_all_rows()
            && *missing_rows > 0
            && self.known_rows > 0
            && limits.allow(self.rating, *missing_rows, self.rating.units(missing))
            && limits.allow(self.rating, self.known_rows, self.rating.units(&self.known));
        allowed.then(|| Candidate {
            gain: self.gain(&[&self.known, missing]),
            split_info: self.split_info(&[&self.known, missing]),
            test: CodeTest::IsMissing,
            missing_to: Some(1),
            approximate: false,
        })
    }

    /// The gain of a partition of the parent.
    pub(super) fn gain(&self, branches: &[&[R::Num]]) -> f64 {
        self.share * self.policy.denoised(self.rating.gain(&self.parent, branches))
    }

    /// Split info of the branches, if candidates come with it; with `Fractional` missing counts as one
    /// more.
    pub(super) fn split_info(&self, branches: &[&[R::Num]]) -> Option<f64> {
        self.policy.split_info(|| self.split_info_of(branches))
    }

    fn split_info_of(&self, branches: &[&[R::Num]]) -> f64 {
        if self.shares_rows() && self.buckets.missing_rows > 0 {
            let missing = &self.buckets.missing[..];
            return self.rating.split_info(&[branches, &[missing]].concat());
        }
        self.rating.split_info(branches)
    }

    /// Whether missing values go down every branch.
    pub(super) fn shares_rows(&self) -> bool {
        self.policy.missing.shares_rows()
    }
}

/// The better of two candidates, the first of equal gains.
pub(super) fn better(first: Option<Candidate>, second: Option<Candidate>) -> Option<Candidate> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.gain > a.gain { b } else { a }),
        (a, b) => a.or(b),
    }
}
