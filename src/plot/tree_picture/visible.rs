//! Which part of a tree a picture shows. Subtrees below it are collapsed into counts.

use std::collections::BinaryHeap;

use crate::tree::{Split, TreeData};

/// The visible nodes, in preorder.
#[derive(Clone, Debug)]
pub(crate) struct VisibleTree {
    pub(crate) nodes: Vec<VisibleNode>,
}

#[derive(Clone, Debug)]
pub(crate) struct VisibleNode {
    pub(crate) id: u32,
    /// Its parent, as an index among the visible nodes.
    pub(crate) parent: Option<usize>,
    /// Which branch of its parent leads to it.
    pub(crate) branch: u32,
    /// Its children, as indices among the visible nodes.
    pub(crate) children: Vec<usize>,
    /// The subtree below it, where that is not drawn.
    pub(crate) folded: Option<Collapsed>,
}

/// A subtree that is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Collapsed {
    pub(crate) nodes: u64,
    pub(crate) leaves: u64,
    /// Levels below the node.
    pub(crate) depth: u32,
}

impl VisibleTree {
    /// The nodes down to a depth, with at most `max_ends` leaves and folded subtrees: the splits
    /// that gain most, weighted by their rows, are unfolded first, ties in preorder.
    pub(crate) fn of(tree: &TreeData, max_depth: u32, max_ends: usize) -> VisibleTree {
        let nodes = tree.node_slice();
        let order = |id: u32| {
            let split = nodes[id as usize].split.as_ref()?;
            let score = split.gain * tree.weight(id);
            // Positive floats order as their bits; the lower node goes first among equals.
            Some((score.max(0.0).to_bits(), std::cmp::Reverse(id), split.branches.len()))
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
        let branch_of = tree.branch_of_parent();
        let held = subtrees(tree);
        let mut shown: Vec<VisibleNode> = Vec::new();
        let mut index = vec![usize::MAX; nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            let is_shown = node.parent.is_none_or(|parent| {
                unfolded[parent as usize] && index[parent as usize] != usize::MAX
            });
            if !is_shown {
                continue;
            }
            index[id] = shown.len();
            let parent = node.parent.map(|parent| index[parent as usize]);
            if let Some(parent) = parent {
                shown[parent].children.push(index[id]);
            }
            let is_folded = node.split.is_some() && !unfolded[id];
            shown.push(VisibleNode {
                id: id as u32,
                parent,
                branch: branch_of[id],
                children: Vec::new(),
                folded: is_folded.then_some(held[id]),
            });
        }
        VisibleTree { nodes: shown }
    }

    /// The split that leads to a node; `None` for the root.
    pub(crate) fn split_above<'t>(
        &self,
        tree: &'t TreeData,
        node: &VisibleNode,
    ) -> Option<&'t Split> {
        tree.node_slice()[self.nodes[node.parent?].id as usize].split.as_ref()
    }
}

fn subtrees(tree: &TreeData) -> Vec<Collapsed> {
    let nodes = tree.node_slice();
    let mut held = vec![Collapsed { nodes: 0, leaves: 0, depth: 0 }; nodes.len()];
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
