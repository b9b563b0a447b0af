//! A rule in codes, with its score.

use std::ops::Range;

use crate::stat::criterion::quotient;
use crate::tree::rule::Test;

/// A rule of one node on one column, rated. Its cut is in codes while it is looked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate<C = CodeCut> {
    /// In the criterion's units; scaled by the known share where only known rows are rated.
    pub(crate) gain: f64,
    /// Entropy of the branches' weights, if candidates [come with it](super::SplitPolicy).
    pub(crate) split_info: Option<f64>,
    pub(crate) test: Test<C>,
    /// The branch of missing values. `None` stops them at the node, or sends them down every
    /// branch.
    pub(crate) missing_to: Option<u32>,
    /// Not every split of this shape was rated.
    pub(crate) approximate: bool,
}

/// A test in codes.
pub(crate) type CodeTest = Test<CodeCut>;

/// A cut between two levels that are neighbours in the node, or, if it was drawn, in the column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CodeCut {
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    /// Where between them it was drawn; `None` is their middle.
    pub(crate) drawn: Option<DrawnCut>,
}

/// A cut at a random place above a node's least level and up to its greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DrawnCut {
    pub(crate) least: u32,
    pub(crate) greatest: u32,
    /// What the place is made of.
    pub(crate) number: u64,
}

impl CodeCut {
    /// The cut in the middle of two levels.
    pub(crate) fn between(lo: u32, hi: u32) -> CodeCut {
        CodeCut { lo, hi, drawn: None }
    }

    pub(crate) fn map(self, code: impl Fn(u32) -> u32) -> CodeCut {
        let of_drawn = |DrawnCut { least, greatest, number }| DrawnCut {
            least: code(least),
            greatest: code(greatest),
            number,
        };
        CodeCut { lo: code(self.lo), hi: code(self.hi), drawn: self.drawn.map(of_drawn) }
    }
}

impl CodeTest {
    /// `x in {…}` of the codes that are in a set, or of the rest. Codes ascend.
    pub(super) fn of_set(codes: &[(u32, bool)], is_rest: bool) -> CodeTest {
        let part = |is_right: bool| {
            let part = codes.iter().filter(|(_, is_in_set)| (*is_in_set != is_rest) == is_right);
            part.map(|&(code, _)| code).collect()
        };
        Test::In { right: part(true), left: part(false) }
    }

    /// The codes of a set that go right.
    pub(super) fn right_set(&self) -> &[u32] {
        if let Test::In { right, .. } = self { right } else { &[] }
    }
}

impl<C> Candidate<C> {
    /// Branches, the one for missing of a multiway test included.
    pub(crate) fn arity(&self) -> usize {
        self.test.arity(self.missing_to)
    }

    /// This candidate with another test of the same branches.
    pub(crate) fn with_test<D>(&self, test: Test<D>) -> Candidate<D> {
        let &Candidate { gain, split_info, missing_to, approximate, .. } = self;
        Candidate { gain, split_info, test, missing_to, approximate }
    }
}

impl Candidate {
    /// The gain over the split info, which the candidate comes with.
    pub(crate) fn gain_ratio(&self) -> f64 {
        quotient(self.gain, self.split_info.unwrap_or(0.0))
    }

    /// This candidate with each code replaced.
    pub(crate) fn recoded(self, code: impl Fn(u32) -> u32) -> Candidate {
        Candidate { test: self.test.map(|cut| cut.map(&code), &code), ..self }
    }

    /// Replaces each code.
    pub(crate) fn recode(&mut self, code: impl Fn(u32) -> u32) {
        match &mut self.test {
            // Most tests are cuts: they are replaced in place.
            Test::AtLeast(cut) => *cut = cut.map(code),
            test => *test = test.map(|cut| cut.map(&code), &code),
        }
    }

    /// The codes that go right, where they are neighbours.
    pub(crate) fn right_range(&self, missing: u32) -> Option<Range<u32>> {
        match self.test {
            Test::AtLeast(cut) if self.missing_to == Some(1) => Some(cut.hi..u32::MAX),
            Test::AtLeast(cut) => Some(cut.hi..missing),
            Test::IsMissing => Some(missing..u32::MAX),
            Test::Equals(_) | Test::In { .. } | Test::Each(_) => None,
        }
    }

    /// The branch of a code that occurs in the node.
    #[inline]
    pub(crate) fn branch(&self, code: u32, missing: u32) -> u32 {
        match code == missing {
            true => self.missing_to.unwrap_or(0),
            false => self.test.branch_in_node(code, |cut| code >= cut.hi),
        }
    }
}
