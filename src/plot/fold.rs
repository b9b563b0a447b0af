//! Which part of a tree a picture shows: what is below is folded, and says what it holds.

use std::collections::BinaryHeap;

use crate::tree::TreeData;

/// The shown part, in preorder.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) nodes: Vec<ShownNode>,
}

#[derive(Clone, Debug)]
pub(super) struct ShownNode {
    pub(super) id: u32,
    /// The branch of its parent it is.
    pub(super) branch: u32,
    /// RankBitmap of its branches among the shown nodes.
    pub(super) children: Vec<usize>,
    /// What is below it and not shown.
    pub(super) folded: Option<Folded>,
}

/// A subtree that is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Folded {
    pub(super) nodes: u64,
    pub(super) leaves: u64,
    /// Levels below the node.
    pub(super) depth: u32,
}

impl Shown {
    /// The nodes down to a depth, and at most so many shown ends: the splits that gain most,
    /// weighted by their rows, are unfolded first, ties in preorder.
    pub(super) fn of(tree: &TreeData, max_depth: u32, max_ends: usize) -> Shown {
        let nodes = tree.node_slice();
        let order = |id: u32| {
            let split = nodes[id as usize].split.as_ref()?;
            let worth = split.gain * tree.weight(id);
            // Positive floats order as their bits; the lower node goes first among equals.
            Some((worth.max(0.0).to_bits(), std::cmp::Reverse(id), split.branches.len()))
        };
        let mut unfolded = vec![false; nodes.len()];
        let mut ends = 1;
        let mut waiting: BinaryHeap<_> = order(0).into_iter().collect();
        while let Some((_, std::cmp::Reverse(id), arity)) = waiting.pop() {
            if nodes[id as usize].depth >= max_depth || ends + arity - 1 > max_ends.max(1) {
                continue;
            }
            ends += arity - 1;
            unfolded[id as usize] = true;
            if let Some(split) = &nodes[id as usize].split {
                waiting.extend(split.branches.iter().filter_map(|&child| order(child)));
            }
        }
        Shown::unfolded(tree, &unfolded)
    }

    fn unfolded(tree: &TreeData, unfolded: &[bool]) -> Shown {
        let nodes = tree.node_slice();
        let branch_of = tree.branch_of_parent();
        let held = subtrees(tree);
        let mut shown: Vec<ShownNode> = Vec::new();
        let mut place = vec![usize::MAX; nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            let is_shown = node.parent.is_none_or(|parent| {
                unfolded[parent as usize] && place[parent as usize] != usize::MAX
            });
            if !is_shown {
                continue;
            }
            place[id] = shown.len();
            if let Some(parent) = node.parent {
                let at = place[parent as usize];
                shown[at].children.push(place[id]);
            }
            let is_folded = node.split.is_some() && !unfolded[id];
            shown.push(ShownNode {
                id: id as u32,
                branch: branch_of[id],
                children: Vec::new(),
                folded: is_folded.then_some(held[id]),
            });
        }
        Shown { nodes: shown }
    }
}

/// What is below each node.
fn subtrees(tree: &TreeData) -> Vec<Folded> {
    let nodes = tree.node_slice();
    let mut held = vec![Folded { nodes: 0, leaves: 0, depth: 0 }; nodes.len()];
    // Children come after their parents, so that backwards every node is whole in its turn.
    for (id, node) in nodes.iter().enumerate().rev() {
        let Some(parent) = node.parent else { continue };
        let own = held[id];
        let above = &mut held[parent as usize];
        above.nodes += own.nodes + 1;
        above.leaves += if node.split.is_none() { 1 } else { own.leaves };
        above.depth = above.depth.max(own.depth + 1);
    }
    held
}
