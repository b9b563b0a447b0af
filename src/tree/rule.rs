//! Rules: the test at an inner node, and the branch of each outcome.

use crate::data::dtype::Value;

/// The test of one feature at an inner node.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The feature's index in the schema.
    pub feature: u32,
    /// The test of its value.
    pub test: Test,
    /// The branch a missing value takes (and a level absent from the node, under [`Test::In`]);
    /// `None` stops the row at the node, or sends it down every branch in a tree of
    /// [`Missing::Fractional`](crate::Missing::Fractional). For [`Test::IsMissing`] it is 1.
    pub missing_to: Option<u32>,
}

/// A test. Two-way tests send a row for which the test is false to branch 0, the left, and one for
/// which it is true to branch 1, the right. Levels are indices into the feature's `levels`.
///
/// A cut is a value of the feature's dtype. The engine also has tests whose cuts are codes (in
/// growth) and `f64` (in scoring).
#[derive(Clone, Debug, PartialEq)]
pub enum Test<C = Value> {
    /// `x >= cut`.
    AtLeast(C),
    /// `x == level`; false for every other level, seen or not.
    Equals(u32),
    /// `x in {right}`; `left` are the other levels the node saw. A level in neither goes where
    /// missing goes.
    In {
        /// Levels that go right, ascending.
        right: Vec<u32>,
        /// Levels that go left, ascending.
        left: Vec<u32>,
    },
    /// A branch per level, in this order, and one more if missing has its own.
    Each(Vec<u32>),
    /// `x is missing`.
    IsMissing,
}

impl Rule {
    /// Number of branches.
    pub fn arity(&self) -> usize {
        self.test.arity(self.missing_to)
    }

    /// The operator, as tables name it.
    pub fn op(&self) -> &'static str {
        match self.test {
            Test::AtLeast(_) => ">=",
            Test::Equals(_) => "==",
            Test::In { .. } => "in",
            Test::Each(_) => "each",
            Test::IsMissing => "is missing",
        }
    }
}

impl<C> Test<C> {
    /// Number of branches, given the branch of missing values.
    pub(crate) fn arity(&self, missing_to: Option<u32>) -> usize {
        match self {
            Test::Each(levels) => {
                levels.len() + usize::from(missing_to == Some(levels.len() as u32))
            }
            Test::AtLeast(_) | Test::Equals(_) | Test::In { .. } | Test::IsMissing => 2,
        }
    }

    /// The branch of a value, which is not missing: `level` is its index, `reaches` says whether it
    /// is at least a cut. `None` for a level that no branch is for.
    #[inline]
    pub(crate) fn branch(&self, level: u32, reaches: impl FnOnce(&C) -> bool) -> Option<u32> {
        match self {
            Test::AtLeast(cut) => Some(reaches(cut).into()),
            Test::Equals(equal) => Some((level == *equal).into()),
            Test::In { right, .. } if right.binary_search(&level).is_ok() => Some(1),
            Test::In { left, .. } => left.binary_search(&level).is_ok().then_some(0),
            Test::Each(levels) => levels.binary_search(&level).ok().map(|branch| branch as u32),
            Test::IsMissing => Some(0),
        }
    }

    /// The [branch](Self::branch) of a value that some row of the node has. What is not in one set
    /// is in the other, so that one search is enough.
    #[inline]
    pub(crate) fn branch_in_node(&self, level: u32, reaches: impl FnOnce(&C) -> bool) -> u32 {
        match self {
            Test::In { right, .. } => right.binary_search(&level).is_ok().into(),
            test => test.branch(level, reaches).unwrap_or(0),
        }
    }

    /// This test with its cut and each of its levels replaced.
    pub(crate) fn map<D>(
        &self,
        cut: impl FnOnce(&C) -> D,
        mut level: impl FnMut(u32) -> u32,
    ) -> Test<D> {
        let mut all = |levels: &[u32]| levels.iter().map(|&l| level(l)).collect();
        match self {
            Test::AtLeast(c) => Test::AtLeast(cut(c)),
            Test::Equals(l) => Test::Equals(level(*l)),
            Test::In { right, left } => Test::In { right: all(right), left: all(left) },
            Test::Each(levels) => Test::Each(all(levels)),
            Test::IsMissing => Test::IsMissing,
        }
    }

    /// This test with its cut replaced.
    pub(crate) fn map_cut<D>(&self, cut: impl FnOnce(&C) -> D) -> Test<D> {
        self.map(cut, |level| level)
    }
}
