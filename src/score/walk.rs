//! The tree as rows are sent down it.

use super::prepare::{Prepared, UNSEEN, text_rank};
use super::routes::Part;
use crate::dtype::Value;
use crate::rule::Test;
use crate::spec::Missing;
use crate::tree::Tree;

/// An inner node, ready to be asked.
pub(super) struct Step<'t> {
    slot: usize,
    ask: Ask<'t>,
    branches: &'t [u32],
    /// Where a missing value goes.
    missing: Missed,
}

#[derive(Clone, Copy)]
enum Missed {
    To(u32),
    Stops,
    /// Down every branch, by its share.
    Mixes,
}

enum Ask<'t> {
    Key(u64),
    Wide(i128),
    Level(u32),
    Set { right: &'t [u32], left: &'t [u32] },
    Each(&'t [u32]),
    IsMissing,
}

/// Where a row goes from a node.
enum Next {
    To(u32),
    Stops,
    Mixes,
}

impl Tree {
    /// The inner nodes of the tree; `slots` are the places of the features among the columns.
    pub(super) fn steps<'t>(
        &'t self,
        slots: &[usize],
        text_cuts: &[Vec<&str>],
    ) -> Vec<Option<Step<'t>>> {
        (0..self.nodes.len()).map(|node| self.step(node, slots, text_cuts)).collect()
    }

    fn step<'t>(
        &'t self,
        node: usize,
        slots: &[usize],
        text_cuts: &[Vec<&str>],
    ) -> Option<Step<'t>> {
        let split = self.nodes[node].split.as_ref()?;
        let f = split.rule.feature as usize;
        let dtype = &self.schema.features[f].dtype;
        let ask = match &split.rule.test {
            Test::AtLeast(Value::Text(cut)) => {
                let rank = text_rank(dtype, cut);
                Ask::Key(text_cuts[f].partition_point(|c| text_rank(dtype, c) <= rank) as u64)
            }
            Test::AtLeast(cut) => match dtype.wide_of_value(cut) {
                Some(key) if dtype.is_wide() => Ask::Wide(key),
                // A cut of another sort than its dtype cannot come from growth or a model file.
                _ => Ask::Key(dtype.key_of_value(cut).unwrap_or(u64::MAX)),
            },
            Test::Equals(level) => Ask::Level(*level),
            Test::In { right, left } => Ask::Set { right, left },
            Test::Each(levels) => Ask::Each(levels),
            Test::IsMissing => Ask::IsMissing,
        };
        let missing = match (split.rule.missing_to, &ask) {
            (_, Ask::IsMissing) => Missed::To(split.branches[1]),
            _ if self.spec.missing == Missing::Fractional => Missed::Mixes,
            (Some(branch), _) => Missed::To(split.branches[branch as usize]),
            (None, _) => Missed::Stops,
        };
        Some(Step { slot: slots[f], ask, branches: &split.branches, missing })
    }
}

/// Follows one row from the root; the node it stops at, or mixes at.
pub(super) fn walk(
    steps: &[Option<Step>],
    columns: &[Prepared],
    row: usize,
    absent: &mut bool,
) -> (u32, bool) {
    let mut node = 0;
    while let Some(step) = &steps[node as usize] {
        match step.next(&columns[step.slot], row, absent) {
            Next::To(next) => node = next,
            Next::Stops => break,
            Next::Mixes => return (node, true),
        }
    }
    (node, false)
}

/// Follows one row from a node where it goes down every branch; the nodes it stops at, in order.
pub(super) fn walk_all(
    tree: &Tree,
    steps: &[Option<Step>],
    columns: &[Prepared],
    row: usize,
    from: u32,
    absent: &mut bool,
) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut open = vec![Part { node: from, share: 1.0 }];
    while let Some(Part { node, share }) = open.pop() {
        let next =
            steps[node as usize].as_ref().map(|s| (s, s.next(&columns[s.slot], row, absent)));
        match next {
            None | Some((_, Next::Stops)) => parts.push(Part { node, share }),
            Some((_, Next::To(next))) => open.push(Part { node: next, share }),
            Some((step, Next::Mixes)) => {
                let weight: f64 = step.branches.iter().map(|&branch| tree.weight(branch)).sum();
                let of = |&node: &u32| Part { node, share: share * (tree.weight(node) / weight) };
                // The first branch is to be on top, so that nodes come in order.
                let branches = step.branches.iter().rev().map(of);
                open.extend(branches.filter(|part| part.share > 0.0));
            }
        }
    }
    parts
}

impl Step<'_> {
    #[inline]
    fn next(&self, column: &Prepared, row: usize, absent: &mut bool) -> Next {
        let missed = || match self.missing {
            Missed::To(node) => Next::To(node),
            Missed::Stops => Next::Stops,
            Missed::Mixes => Next::Mixes,
        };
        if column.is_missing(row) {
            return missed();
        }
        let holds = match (&self.ask, column) {
            (Ask::Key(cut), Prepared::Keys(keys, _)) => keys[row] >= *cut,
            (Ask::Wide(cut), Prepared::Wide(keys, _)) => keys[row] >= *cut,
            (Ask::Level(level), Prepared::Levels(places)) => {
                *absent |= places[row] == UNSEEN;
                places[row] == *level
            }
            (Ask::Set { right, left }, Prepared::Levels(places)) => {
                let is_right = right.binary_search(&places[row]).is_ok();
                if !is_right && left.binary_search(&places[row]).is_err() {
                    *absent = true;
                    return missed();
                }
                is_right
            }
            (Ask::Each(levels), Prepared::Levels(places)) => {
                return match levels.binary_search(&places[row]) {
                    Ok(branch) => Next::To(self.branches[branch]),
                    Err(_) => {
                        *absent = true;
                        Next::Stops
                    }
                };
            }
            _ => false, // `is missing` of a value that is there
        };
        Next::To(self.branches[usize::from(holds)])
    }
}
