//! One row followed down the tree, whatever its values: absent levels, mixtures.

use crate::score::kernel::scaled_node::ScaledNode;
use crate::score::routes::Part;
use crate::tree::TreeData;
use crate::tree::missing::NextNode;
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
    /// Where a row goes whose value in the lane is this number; `absent` becomes true if the node never
    /// saw its level.
    pub(crate) fn next(&self, number: f64, absent: &mut bool) -> NextNode {
        if number.is_nan() {
            return self.missing;
        }
        let level = number as u32;
        let branch = self.test.branch(level, |cut| number >= *cut);
        *absent |= match self.test {
            Test::Equals(_) => level == self.n_levels,
            Test::AtLeast(_) | Test::In { .. } | Test::Each(_) | Test::IsMissing => {
                branch.is_none()
            }
        };
        match branch {
            Some(branch) => NextNode::To(self.branches[branch as usize]),
            None => self.test.next_of_absent(self.missing),
        }
    }
}
