//! The tree as one row is sent down it, whatever the row meets.

use crate::score::routes::Part;
use crate::score::scale::Scale;
use crate::spec::Missing;
use crate::tree::TreeData;
use crate::tree::rule::Test;

/// An inner node, ready to be asked.
pub(crate) struct Step<'t> {
    /// The used feature whose numbers are asked for.
    pub(crate) lane: u32,
    pub(crate) ask: Ask<'t>,
    pub(crate) branches: &'t [u32],
    /// Where a missing value goes.
    pub(crate) missing: Missed,
    /// Levels of the feature; one that training did not have is numbered so.
    pub(crate) n_levels: u32,
}

/// A rule on the feature's scale.
pub(crate) enum Ask<'t> {
    AtLeast(f64),
    Equals(u32),
    Set { right: &'t [u32], left: &'t [u32] },
    Each(&'t [u32]),
    IsMissing,
}

#[derive(Clone, Copy)]
pub(crate) enum Missed {
    To(u32),
    Stops,
    /// Down every branch, by its share.
    Mixes,
}

/// Where a row goes from a node.
enum Next {
    To(u32),
    Stops,
    Mixes,
}

/// The inner nodes of a tree that uses these features, on their scales.
pub(crate) fn steps<'t>(
    tree: &'t TreeData,
    used: &[u32],
    scales: &[Scale],
) -> Vec<Option<Step<'t>>> {
    let mut lanes = vec![0; tree.schema.features.len()];
    used.iter().zip(0..).for_each(|(&feature, lane)| lanes[feature as usize] = lane);
    let step = |node: &'t crate::tree::Node| {
        let split = node.split.as_ref()?;
        let place = split.rule.feature as usize;
        let (feature, lane) = (&tree.schema.features[place], lanes[place]);
        let ask = match &split.rule.test {
            Test::AtLeast(cut) => Ask::AtLeast(scales[lane as usize].cut(&feature.dtype, cut)),
            Test::Equals(level) => Ask::Equals(*level),
            Test::In { right, left } => Ask::Set { right, left },
            Test::Each(levels) => Ask::Each(levels),
            Test::IsMissing => Ask::IsMissing,
        };
        let missing = match (split.rule.missing_to, &ask) {
            (_, Ask::IsMissing) => Missed::To(split.branches[1]),
            _ if tree.spec.missing == Missing::Fractional => Missed::Mixes,
            (Some(branch), _) => Missed::To(split.branches[branch as usize]),
            (None, _) => Missed::Stops,
        };
        let n_levels = feature.levels.len() as u32;
        Some(Step { lane, ask, branches: &split.branches, missing, n_levels })
    };
    tree.nodes.iter().map(step).collect()
}

/// Follows one row, of these numbers, from the root; the nodes it stops at are added in order.
/// Whether it met a level its node never saw is said.
pub(crate) fn follow(
    tree: &TreeData,
    steps: &[Option<Step>],
    number: impl Fn(u32) -> f64,
    open: &mut Vec<Part>,
    parts: &mut Vec<Part>,
) -> bool {
    let mut absent = false;
    open.push(Part { node: 0, share: 1.0 });
    while let Some(Part { node, share }) = open.pop() {
        let Some(step) = &steps[node as usize] else {
            parts.push(Part { node, share });
            continue;
        };
        match step.next(number(step.lane), &mut absent) {
            Next::To(next) => open.push(Part { node: next, share }),
            Next::Stops => parts.push(Part { node, share }),
            Next::Mixes => {
                let weight: f64 = step.branches.iter().map(|&branch| tree.weight(branch)).sum();
                if weight == 0.0 {
                    // No training row went on from here either.
                    parts.push(Part { node, share });
                    continue;
                }
                let of = |&node: &u32| Part { node, share: share * (tree.weight(node) / weight) };
                // The first branch is to be on top, so that nodes come in order.
                let branches = step.branches.iter().rev().map(of);
                open.extend(branches.filter(|part| part.share > 0.0));
            }
        }
    }
    absent
}

impl Step<'_> {
    fn next(&self, number: f64, absent: &mut bool) -> Next {
        let missed = match self.missing {
            Missed::To(node) => Next::To(node),
            Missed::Stops => Next::Stops,
            Missed::Mixes => Next::Mixes,
        };
        if number.is_nan() {
            return missed;
        }
        let level = number as u32;
        let holds = match &self.ask {
            Ask::AtLeast(cut) => number >= *cut,
            Ask::IsMissing => false,
            Ask::Equals(equal) => {
                *absent |= level == self.n_levels;
                level == *equal
            }
            Ask::Set { right, left } => {
                let is_right = right.binary_search(&level).is_ok();
                if !is_right && left.binary_search(&level).is_err() {
                    *absent = true;
                    return missed;
                }
                is_right
            }
            Ask::Each(levels) => {
                let branch = levels.binary_search(&level);
                *absent |= branch.is_err();
                return branch.map_or(Next::Stops, |branch| Next::To(self.branches[branch]));
            }
        };
        Next::To(self.branches[usize::from(holds)])
    }
}
