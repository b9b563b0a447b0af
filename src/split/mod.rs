//! One node, one column: its rows become buckets, a scan of the buckets gives the column's best
//! candidate, and selection picks among the columns.

pub(crate) mod binary_splits;
pub(crate) mod buckets;
mod contenders;
pub(crate) mod nominal;
pub(crate) mod ordered;
mod presorted;
mod scratch;
pub(crate) mod select;
mod small_node;

pub(crate) use buckets::{Buckets, KeysInOrder, RowLevels, SortedView, View};
pub(crate) use scratch::Scratch;

use std::ops::Range;

use crate::data::dtype::Kind;
use crate::spec::{Grouping, Missing};
use crate::stat::{Num, Stat, StatVec};
use binary_splits::{BinarySplits, MissingSide};

/// A rule in codes, with its score.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// In the criterion's units; scaled by the known share where only known rows are rated.
    pub(crate) gain: f64,
    /// Entropy of the branches' weights.
    pub(crate) split_info: f64,
    pub(crate) test: CodeTest,
    /// The branch missing values take; `None` stops them at the node, or sends them down every
    /// branch.
    pub(crate) missing_to: Option<u32>,
    /// Not every split of this shape was looked at.
    pub(crate) approximate: bool,
}

/// A test in codes. Two-way tests send what holds to branch 1, the right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CodeTest {
    /// `x >= cut`, the cut between these two levels, neighbours in the node.
    AtLeast { lo: u32, hi: u32 },
    /// `x == level`.
    Equals(u32),
    /// `x in {right}`; `left` are the node's other levels.
    In { right: Vec<u32>, left: Vec<u32> },
    /// A branch per level.
    Each(Vec<u32>),
    /// `x is missing`.
    IsMissing,
}

impl Candidate {
    /// Branches, the one for missing of a multiway test included.
    pub(crate) fn arity(&self) -> usize {
        match &self.test {
            CodeTest::Each(levels) => {
                levels.len() + usize::from(self.missing_to == Some(levels.len() as u32))
            }
            _ => 2,
        }
    }

    /// The codes that go right, where they are neighbours.
    pub(crate) fn right_range(&self, missing: u32) -> Option<Range<u32>> {
        match self.test {
            CodeTest::AtLeast { hi, .. } if self.missing_to == Some(1) => Some(hi..u32::MAX),
            CodeTest::AtLeast { hi, .. } => Some(hi..missing),
            CodeTest::IsMissing => Some(missing..u32::MAX),
            _ => None,
        }
    }

    /// The branch of a code that occurs in the node.
    #[inline]
    pub(crate) fn branch(&self, code: u32, missing: u32) -> u32 {
        if code == missing {
            return match self.test {
                CodeTest::IsMissing => 1,
                _ => self.missing_to.unwrap_or(0),
            };
        }
        match &self.test {
            CodeTest::AtLeast { hi, .. } => u32::from(code >= *hi),
            CodeTest::Equals(level) => u32::from(code == *level),
            // Codes of a set are ascending.
            CodeTest::In { right, .. } => u32::from(right.binary_search(&code).is_ok()),
            CodeTest::Each(levels) => levels.binary_search(&code).unwrap_or(0) as u32,
            CodeTest::IsMissing => 0,
        }
    }
}

impl CodeTest {
    /// The same with each code replaced.
    pub(crate) fn map(&self, code: impl Fn(u32) -> u32) -> CodeTest {
        let all = |codes: &[u32]| codes.iter().map(|&c| code(c)).collect();
        match self {
            CodeTest::AtLeast { lo, hi } => CodeTest::AtLeast { lo: code(*lo), hi: code(*hi) },
            CodeTest::Equals(level) => CodeTest::Equals(code(*level)),
            CodeTest::In { right, left } => CodeTest::In { right: all(right), left: all(left) },
            CodeTest::Each(levels) => CodeTest::Each(all(levels)),
            CodeTest::IsMissing => CodeTest::IsMissing,
        }
    }
}

/// What a branch must hold for a candidate to be allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) min_rows: u64,
    pub(crate) min_weight: f64,
    /// The weight that counts as a row, where rows may be there in part.
    pub(crate) row_weight: Option<f64>,
}

/// Shares of rows that add up to a limit may fall short of it by their rounding.
const SHARE_SLACK: f64 = 1e-9;

impl Limits {
    /// Whether these limits can forbid anything that has a row in each branch.
    fn bind(&self) -> bool {
        self.min_rows > 1 || self.min_weight > 0.0
    }

    fn allow<S: Stat>(&self, stat: &S, rows: u32, units: S::Num) -> bool {
        self.reach(self.min_rows.max(1), u64::from(rows), || stat.weight(units))
            && (self.min_weight <= 0.0 || stat.weight(units) >= self.min_weight)
    }

    /// Whether rows are as many as a limit asks. Rows in part count by weight; a limit of one row
    /// is reached by any part of one.
    pub(crate) fn reach(&self, limit: u64, rows: u64, weight: impl Fn() -> f64) -> bool {
        match self.row_weight {
            Some(row) if limit > 1 => weight() >= limit as f64 * row * (1.0 - SHARE_SLACK),
            _ => rows >= limit,
        }
    }
}

/// How every column of a node is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) limits: Limits,
    pub(crate) missing: Missing,
    pub(crate) grouping: Grouping,
    /// A gain that another candidate of the node is known to have: who gains less is of no
    /// interest, and may be passed over.
    pub(crate) bar: f64,
}

impl Search {
    /// A search without limits, as a ranking makes it.
    pub(crate) fn unlimited(missing: Missing) -> Search {
        let limits = Limits { min_rows: 1, min_weight: 0.0, row_weight: None };
        Search { limits, missing, grouping: Grouping::OneVsRest, bar: 0.0 }
    }
}

/// The best candidate of one column at one node, by gain; the earlier one where gains are the
/// same float. `None` where the limits allow none, or all are below the bar. `total` is the node's stat. The scratch keeps
/// the column's buckets: all of them, or those between the contenders for its best cut.
pub(crate) fn best_candidate<S: Stat>(
    search: &Search,
    stat: &S,
    total: &[S::Num],
    kind: Kind,
    view: View,
    scratch: &mut Scratch<S::Num>,
) -> Option<Candidate> {
    if let (Kind::Ordered, View::Sorted(view)) = (kind, view) {
        return presorted::best(search, stat, total, view, scratch);
    }
    scratch.fill(stat, view);
    best_of_buckets(search, stat, kind, &scratch.buckets)
}

/// The same from buckets whoever counted them.
pub(crate) fn best_of_buckets<S: Stat>(
    search: &Search,
    stat: &S,
    kind: Kind,
    buckets: &Buckets<S::Num>,
) -> Option<Candidate> {
    if !buckets.varies() {
        return None;
    }
    let two_way = || BinarySplits::new(search, stat, buckets);
    match (kind, search.grouping) {
        (Kind::Ordered, _) => ordered::best(&two_way()),
        (Kind::Nominal, Grouping::Multiway) => nominal::multiway(&two_way()),
        (Kind::Nominal, Grouping::OneVsRest) => nominal::one_vs_rest(&two_way()),
        (Kind::Nominal, Grouping::Subset) => nominal::subset(&two_way()),
    }
}

pub(crate) fn add<N: Num>(to: &mut [N], stat: &[N]) {
    to.iter_mut().zip(stat).for_each(|(t, &s)| *t += s);
}

pub(crate) fn subtract<N: Num>(from: &mut [N], stat: &[N]) {
    from.iter_mut().zip(stat).for_each(|(f, &s)| *f -= s);
}

pub(crate) fn difference<N: Num>(a: &[N], b: &[N]) -> StatVec<N> {
    // Not collected number by number, which takes a short stat three times as long.
    let mut difference = StatVec::from_slice(a);
    subtract(&mut difference, b);
    difference
}

/// The better of two candidates, the first where they gain the same.
fn better(first: Option<Candidate>, second: Option<Candidate>) -> Option<Candidate> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.gain > a.gain { b } else { a }),
        (a, b) => a.or(b),
    }
}
