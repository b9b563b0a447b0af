//! One row followed down the tree, whatever its values: absent levels, mixtures.

use crate::score::kernel::scaled_node::{NextNode, ScaledNode};
use crate::score::routes::Part;
use crate::tree::TreeData;
use crate::tree::rule::Test;

/// Follows one row from the root; `number` gives its value in a lane. Appends the nodes it ends
/// in to `parts`, in ascending order, and returns whether it met a level its node never saw.
pub(crate) fn follow(
    tree: &TreeData,
    nodes: &[Option<ScaledNode>],
    number: impl Fn(u32) -> f64,
    open: &mut Vec<Part>,
    parts: &mut Vec<Part>,
) -> bool {
    let mut absent = false;
    open.push(Part { node: 0, share: 1.0 });
    while let Some(Part { node, share }) = open.pop() {
        let Some(inner) = &nodes[node as usize] else {
            parts.push(Part { node, share });
            continue;
        };
        match inner.next(number(inner.lane), &mut absent) {
            NextNode::To(next) => open.push(Part { node: next, share }),
            NextNode::Stop => parts.push(Part { node, share }),
            NextNode::Every => {
                let weight: f64 = inner.branches.iter().map(|&branch| tree.weight(branch)).sum();
                if weight == 0.0 {
                    // No training row went on from here either.
                    parts.push(Part { node, share });
                    continue;
                }
                let of = |&node: &u32| Part { node, share: share * (tree.weight(node) / weight) };
                // In reverse, so that the first branch is popped first and nodes ascend.
                let branches = inner.branches.iter().rev().map(of);
                open.extend(branches.filter(|part| part.share > 0.0));
            }
        }
    }
    absent
}

impl ScaledNode<'_> {
    fn next(&self, number: f64, absent: &mut bool) -> NextNode {
        if number.is_nan() {
            return self.missing;
        }
        let level = number as u32;
        let holds = match &self.test {
            Test::AtLeast(cut) => number >= *cut,
            Test::IsMissing => false,
            Test::Equals(equal) => {
                *absent |= level == self.n_levels;
                level == *equal
            }
            Test::In { right, left } => {
                let is_right = right.binary_search(&level).is_ok();
                if !is_right && left.binary_search(&level).is_err() {
                    *absent = true;
                    return self.missing;
                }
                is_right
            }
            Test::Each(levels) => {
                let branch = levels.binary_search(&level);
                *absent |= branch.is_err();
                return branch.map_or(NextNode::Stop, |i| NextNode::To(self.branches[i]));
            }
        };
        NextNode::To(self.branches[usize::from(holds)])
    }
}
