//! What every two-way split of one node by one column has in common: the stat it is rated
//! against, where missing values may go, and which branches are large enough.

use crate::spec::Missing;
use crate::split::{Buckets, Candidate, CodeTest, Search, add, difference};
use crate::stat::{Stat, StatVec};

/// The two-way splits of some buckets. A split is named by its right half: the known rows for
/// which the test holds.
pub(crate) struct BinarySplits<'a, S: Stat> {
    pub(crate) search: &'a Search,
    pub(crate) stat: &'a S,
    pub(crate) buckets: &'a Buckets<S::Num>,
    /// The rows whose value is known.
    pub(crate) known: StatVec<S::Num>,
    pub(crate) known_rows: u32,
    /// The rows a split is rated over: all of them, or the known ones.
    pub(crate) parent: StatVec<S::Num>,
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
    /// The heavier of the branches, ties right (with `Fractional` none); they are not rated, or
    /// there are none.
    Heavier,
}

impl<'a, S: Stat> BinarySplits<'a, S> {
    pub(crate) fn new(search: &'a Search, stat: &'a S, buckets: &'a Buckets<S::Num>) -> Self {
        let known = buckets.known();
        let mut all = StatVec::from_slice(&known);
        add(&mut all, &buckets.missing);
        let share = match search.missing {
            Missing::Learn => 1.0,
            Missing::Majority | Missing::Fractional | Missing::Error
                if buckets.missing_rows == 0 =>
            {
                1.0
            }
            Missing::Majority | Missing::Fractional | Missing::Error => {
                stat.weight(stat.units(&known)) / stat.weight(stat.units(&all))
            }
        };
        let parent =
            if search.missing == Missing::Learn { all } else { StatVec::from_slice(&known) };
        BinarySplits {
            search,
            stat,
            buckets,
            known_rows: buckets.known_rows(),
            known,
            parent,
            share,
        }
    }

    /// The same rows in buckets of another order.
    pub(crate) fn of_same_rows<'b>(&self, buckets: &'b Buckets<S::Num>) -> BinarySplits<'b, S>
    where
        'a: 'b,
    {
        BinarySplits { buckets, known: self.known.clone(), parent: self.parent.clone(), ..*self }
    }

    /// The proxy of the search's bar.
    pub(crate) fn bar(&self) -> f64 {
        self.stat.proxy_of(self.search.bar / self.share, &self.parent)
    }

    /// The sides missing values may take, in order of preference.
    pub(crate) fn missing_sides(&self) -> &'static [MissingSide] {
        match (self.search.missing, self.buckets.missing_rows) {
            (Missing::Learn, 1..) => &[MissingSide::Right, MissingSide::Left],
            _ => &[MissingSide::Heavier],
        }
    }

    fn branch(&self, right: S::Num, side: MissingSide) -> usize {
        match side {
            MissingSide::Right => 1,
            MissingSide::Left => 0,
            MissingSide::Heavier => usize::from(right >= self.stat.units(&self.known) - right),
        }
    }

    /// Whether both branches are large enough, missing rows counted where they go.
    pub(crate) fn allows(&self, right_rows: u32, right: S::Num, side: MissingSide) -> bool {
        let limits = &self.search.limits;
        if !limits.bind() {
            return true;
        }
        let mut rows = [self.known_rows - right_rows, right_rows];
        let mut weights = [self.stat.units(&self.known) - right, right];
        // C4.5 counts the known rows alone.
        if !self.in_fractions() {
            let branch = self.branch(right, side);
            rows[branch] += self.buckets.missing_rows;
            weights[branch] += self.stat.units(&self.buckets.missing);
        }
        (0..2).all(|b| limits.allow(self.stat, rows[b], weights[b]))
    }

    /// The branches as they are rated.
    fn branches(&self, right: &[S::Num], side: MissingSide) -> [StatVec<S::Num>; 2] {
        let mut right = StatVec::from_slice(right);
        if side == MissingSide::Right {
            add(&mut right, &self.buckets.missing);
        }
        [difference(&self.parent, &right), right]
    }

    /// The proxy of one split.
    pub(crate) fn proxy(&self, right: &[S::Num], side: MissingSide) -> f64 {
        let [left, _] = self.branches(right, side);
        let mut proxy = [0.0];
        self.stat.proxies_at(&left, &self.parent, &mut proxy);
        proxy[0]
    }

    /// Rates a split.
    pub(crate) fn candidate(
        &self,
        right: &[S::Num],
        side: MissingSide,
        test: CodeTest,
    ) -> Candidate {
        let [left_of, right_of] = self.branches(right, side);
        self.with_gain(self.gain(&left_of, &right_of), right, side, test)
    }

    /// A split of known gain.
    pub(crate) fn with_gain(
        &self,
        gain: f64,
        right: &[S::Num],
        side: MissingSide,
        test: CodeTest,
    ) -> Candidate {
        let branch = self.branch(self.stat.units(right), side);
        let missing_to = (!self.in_fractions()).then_some(branch as u32);
        let [left, right] = self.branches(right, side);
        let split_info = self.split_info(&[&left, &right]);
        Candidate { gain, split_info, test, missing_to, approximate: false }
    }

    /// `x is missing` against the known rows: a rule of its own under `Learn`.
    pub(crate) fn is_missing(&self) -> Option<Candidate> {
        let Buckets { missing, missing_rows, .. } = self.buckets;
        let limits = &self.search.limits;
        let allowed = self.search.missing == Missing::Learn
            && *missing_rows > 0
            && self.known_rows > 0
            && limits.allow(self.stat, *missing_rows, self.stat.units(missing))
            && limits.allow(self.stat, self.known_rows, self.stat.units(&self.known));
        allowed.then(|| Candidate {
            gain: self.gain(&self.known, missing),
            split_info: self.split_info(&[&self.known, missing]),
            test: CodeTest::IsMissing,
            missing_to: Some(1),
            approximate: false,
        })
    }

    fn gain(&self, left: &[S::Num], right: &[S::Num]) -> f64 {
        self.share * self.stat.gain(&self.parent, &[left, right])
    }

    /// Split info of the branches; with `Fractional` missing counts as one more.
    pub(crate) fn split_info(&self, branches: &[&[S::Num]]) -> f64 {
        if self.in_fractions() && self.buckets.missing_rows > 0 {
            let missing = &self.buckets.missing[..];
            return self.stat.split_info(&[branches, &[missing]].concat());
        }
        self.stat.split_info(branches)
    }

    /// Whether missing values go down every branch.
    pub(crate) fn in_fractions(&self) -> bool {
        self.search.missing == Missing::Fractional
    }
}
