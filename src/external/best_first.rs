//! Best-first growth told from nodes that are found in any order: which splits it would have made,
//! and which nodes it has to know next.

use std::collections::HashSet;

use super::grown_nodes::GrownNodes;
use crate::grow::SplitQueue;

/// How far best-first growth comes.
pub(super) struct BestFirst {
    /// Whether the split of each node of the arena is made.
    pub(super) kept: Vec<bool>,
    /// Nodes that wait and must be found before it goes on; or soon after.
    pub(super) wanted: HashSet<u32>,
}

/// Growth in the order that it has in memory, with the nodes that are known.
pub(super) fn simulate(
    arena: &GrownNodes,
    max_leaves: u32,
    is_waiting: impl Fn(u32) -> bool,
) -> BestFirst {
    let branches = |at: u32| arena.nodes[at as usize].split.iter().flat_map(|s| &s.branches);
    let mut kept = vec![false; arena.nodes.len()];
    let mut wanted = HashSet::new();
    let mut queue = SplitQueue::new(max_leaves);
    let mut open = vec![0];
    loop {
        for at in open.drain(..) {
            if is_waiting(at) {
                wanted.insert(at);
            } else if let Some(split) = &arena.nodes[at as usize].split {
                queue.push(split.gain, arena.weights[at as usize], split.branches.len(), at);
            }
        }
        if !wanted.is_empty() {
            // What waits below the splits that are next is asked for in the same pass.
            wanted.extend(queue.into_next().flat_map(branches).filter(|&&at| is_waiting(at)));
            return BestFirst { kept, wanted };
        }
        let Some(at) = queue.pop() else { return BestFirst { kept, wanted } };
        kept[at as usize] = true;
        open.extend(branches(at));
        if queue.is_full() {
            return BestFirst { kept, wanted };
        }
    }
}
