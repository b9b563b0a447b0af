//! Where missing values go, and levels that a node never saw: the whole rule.
//!
//! Null and NaN are missing. In codes missing comes after all levels; on a scale it is NaN.
//!
//! # Search
//!
//! What a rule is rated over, and where it sends the missing values of the node:
//!
//! - `Learn`: all rows. To the better side of two, to a branch of their own beside a branch per
//!   level; `x is missing` is a rule too.
//! - `Majority`: the known rows, the gain times their share. To the
//!   [heavier branch](heavier_branch), of a branch per level to the [heaviest](heaviest_level).
//! - `Fractional`: as `Majority`, with missing as one more branch in split info. Down every branch,
//!   each with its share of the known weight.
//! - `Error`: there are none.
//!
//! If the node has no missing value, a two-way rule sends missing to the heavier branch (under
//! `Fractional` down every branch), and a rule with a branch per level says nothing of it.
//!
//! # After that
//!
//! The choice is the rule's [`missing_to`](super::rule::Rule::missing_to), and nothing decides
//! again: partition sends the node's rows by it; scoring ([`Split::next_of_missing`]), SQL and
//! plain expressions send all others. It is `None` under `Fractional`, and where the rule says
//! nothing: there a row stops. For `x is missing` it is the second branch.
//!
//! A level that the node never saw is not equal to any (`x == level` is false), goes where missing
//! goes if the rule names two sets, and stops at a node with a branch per level.
//!
//! Pruning may send rows through a rule that was not made for them. What it has no branch for
//! [joins the heaviest](Missing::joins_heaviest), or gets a branch of its own.

use super::Split;
use crate::spec::Missing;
use crate::tree::rule::Test;

/// The heavier of the branches of a two-way rule: the right one of equals.
#[inline]
pub(crate) fn heavier_branch<N: PartialOrd>(left: N, right: N) -> u32 {
    u32::from(right >= left)
}

/// The heaviest of a branch per level: the earliest of equals.
pub(crate) fn heaviest_level<N: Ord + Copy>(units: &[N]) -> Option<u32> {
    let heaviest = (0..units.len()).rev().max_by_key(|&branch| units[branch])?;
    Some(heaviest as u32)
}

impl Missing {
    /// Whether a rule is rated over all rows; else over the known ones, and the gain times their
    /// share.
    pub(crate) fn rates_all_rows(self) -> bool {
        match self {
            Missing::Learn => true,
            Missing::Majority | Missing::Fractional | Missing::Error => false,
        }
    }

    /// Whether a row without a value goes down every branch, in parts.
    pub(crate) fn shares_rows(self) -> bool {
        self == Missing::Fractional
    }

    /// Whether a level, or missing values, that a rule has no branch for join its heaviest branch
    /// when rows of the node have them after all; else they get a branch of their own.
    pub(crate) fn joins_heaviest<C>(self, test: &Test<C>, is_missing: bool) -> bool {
        match is_missing {
            true => self == Missing::Majority,
            false => matches!(test, Test::In { .. }),
        }
    }

    /// The branch that missing values join as one, if it is this; `None` if they go down every
    /// branch.
    #[inline]
    pub(crate) fn joins(self, branch: u32) -> Option<u32> {
        (!self.shares_rows()).then_some(branch)
    }
}

/// Where a row goes from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextNode {
    To(u32),
    /// It ends at the node.
    Stop,
    /// It goes down every branch, in shares.
    Every,
}

impl<C> Test<C> {
    /// Where a level goes that the rule has no branch for, given where missing goes.
    pub(crate) fn next_of_absent(&self, missing: NextNode) -> NextNode {
        match self {
            Test::Each(_) => NextNode::Stop,
            Test::AtLeast(_) | Test::Equals(_) | Test::In { .. } | Test::IsMissing => missing,
        }
    }
}

impl Split {
    /// Where a missing value goes that is scored, in a tree of this way with missing values.
    pub(crate) fn next_of_missing(&self, missing: Missing) -> NextNode {
        match self.rule.missing_to {
            Some(branch) => NextNode::To(self.branches[branch as usize]),
            None if missing.shares_rows() => NextNode::Every,
            None => NextNode::Stop,
        }
    }
}
