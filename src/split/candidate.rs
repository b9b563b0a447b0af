//! A rule in codes, with its score.

use std::ops::Range;

/// A rule of one node on one column, rated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// In the criterion's units; scaled by the known share where only known rows are rated.
    pub(crate) gain: f64,
    /// Entropy of the branches' weights.
    pub(crate) split_info: f64,
    pub(crate) test: CodeTest,
    /// The branch of missing values. `None` stops them at the node, or sends them down every
    /// branch.
    pub(crate) missing_to: Option<u32>,
    /// Not every split of this shape was rated.
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
            CodeTest::AtLeast { .. }
            | CodeTest::Equals(_)
            | CodeTest::In { .. }
            | CodeTest::IsMissing => 2,
        }
    }

    /// The codes that go right, where they are neighbours.
    pub(crate) fn right_range(&self, missing: u32) -> Option<Range<u32>> {
        match self.test {
            CodeTest::AtLeast { hi, .. } if self.missing_to == Some(1) => Some(hi..u32::MAX),
            CodeTest::AtLeast { hi, .. } => Some(hi..missing),
            CodeTest::IsMissing => Some(missing..u32::MAX),
            CodeTest::Equals(_) | CodeTest::In { .. } | CodeTest::Each(_) => None,
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
            // Codes of a set ascend.
            CodeTest::In { right, .. } => u32::from(right.binary_search(&code).is_ok()),
            CodeTest::Each(levels) => levels.binary_search(&code).unwrap_or(0) as u32,
            CodeTest::IsMissing => 0,
        }
    }
}

impl CodeTest {
    /// The same test with each code replaced.
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
