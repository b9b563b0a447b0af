//! What every two-way split of one node by one column has in common: the stat it is rated
//! against, where missing values may go, and which branches are large enough.

use super::{Buckets, Candidate, CodeTest, Search, add, difference};
use crate::spec::Missing;
use crate::stat::{Count, total};

/// The two-way splits of some buckets. A split is named by its right half: the known rows for
/// which the test holds.
pub(crate) struct TwoWay<'a, N> {
    pub(crate) search: &'a Search<'a>,
    pub(crate) buckets: &'a Buckets<N>,
    /// The rows whose value is known.
    pub(crate) known: Vec<N>,
    known_rows: u32,
    /// The rows a split is rated over: all of them, or the known ones.
    pub(crate) parent: Vec<N>,
    /// The factor of a gain: the known share of the weight, where only known rows are rated.
    pub(crate) share: f64,
}

/// The branch missing values take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingSide {
    /// Right, and they are rated there.
    Right,
    /// Left, and they are rated there.
    Left,
    /// The heavier of the branches, ties right; they are not rated, or there are none.
    Heavier,
}

impl<'a, N: Count> TwoWay<'a, N> {
    pub(crate) fn new(search: &'a Search, buckets: &'a Buckets<N>) -> Self {
        let known = buckets.known();
        let mut all = known.clone();
        add(&mut all, &buckets.missing);
        let share = match search.missing {
            Missing::Learn => 1.0,
            Missing::Majority | Missing::Error if buckets.missing_rows == 0 => 1.0,
            Missing::Majority | Missing::Error => total(&known).float() / total(&all).float(),
        };
        let parent = if search.missing == Missing::Learn { all } else { known.clone() };
        TwoWay { search, buckets, known_rows: buckets.known_rows(), known, parent, share }
    }

    /// The sides missing values may take, in order of preference.
    pub(crate) fn missing_sides(&self) -> &'static [MissingSide] {
        match (self.search.missing, self.buckets.missing_rows) {
            (Missing::Learn, 1..) => &[MissingSide::Right, MissingSide::Left],
            _ => &[MissingSide::Heavier],
        }
    }

    fn branch(&self, right: N, side: MissingSide) -> usize {
        match side {
            MissingSide::Right => 1,
            MissingSide::Left => 0,
            MissingSide::Heavier => usize::from(right >= total(&self.known) - right),
        }
    }

    /// Whether both branches are large enough, missing rows counted where they go.
    pub(crate) fn allows(&self, right_rows: u32, right: N, side: MissingSide) -> bool {
        let limits = &self.search.limits;
        if !limits.bind() {
            return true;
        }
        let mut rows = [self.known_rows - right_rows, right_rows];
        let mut weights = [total(&self.known) - right, right];
        let branch = self.branch(right, side);
        rows[branch] += self.buckets.missing_rows;
        weights[branch] += total(&self.buckets.missing);
        (0..2).all(|b| limits.allow(&self.search.rating, rows[b], weights[b]))
    }

    /// The branches as they are rated.
    fn branches(&self, right: &[N], side: MissingSide) -> [Vec<N>; 2] {
        let mut right = right.to_vec();
        if side == MissingSide::Right {
            add(&mut right, &self.buckets.missing);
        }
        [difference(&self.parent, &right), right]
    }

    /// See [`Rating::proxy`](crate::stat::Rating::proxy).
    pub(crate) fn proxy(&self, right: &[N], side: MissingSide) -> f64 {
        self.branches(right, side).iter().map(|b| self.search.rating.proxy(b)).sum()
    }

    pub(crate) fn proxy_slack(&self) -> f64 {
        self.search.rating.proxy_slack(&self.parent)
    }

    /// Rates a split.
    pub(crate) fn candidate(&self, right: &[N], side: MissingSide, test: CodeTest) -> Candidate {
        let missing_to = self.branch(total(right), side);
        let [left, right] = self.branches(right, side);
        self.rated(&left, &right, missing_to, test)
    }

    /// `x is missing` against the known rows: a rule of its own under `Learn`.
    pub(crate) fn is_missing(&self) -> Option<Candidate> {
        let Buckets { missing, missing_rows, .. } = self.buckets;
        let (limits, rating) = (&self.search.limits, &self.search.rating);
        let allowed = self.search.missing == Missing::Learn
            && *missing_rows > 0
            && self.known_rows > 0
            && limits.allow(rating, *missing_rows, total(missing))
            && limits.allow(rating, self.known_rows, total(&self.known));
        allowed.then(|| self.rated(&self.known, missing, 1, CodeTest::IsMissing))
    }

    fn rated(&self, left: &[N], right: &[N], missing_to: usize, test: CodeTest) -> Candidate {
        let branches = [left, right];
        Candidate {
            gain: self.share * self.search.rating.gain(&self.parent, &branches),
            split_info: self.search.rating.split_info(&branches),
            test,
            missing_to: Some(missing_to as u32),
            approximate: false,
        }
    }
}
