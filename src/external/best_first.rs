//! Best-first growth told from nodes that are found in any order: which splits it would have made,
//! and which nodes it has to know next.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use super::grown_nodes::GrownNodes;

/// How far best-first growth comes.
pub(super) struct BestFirst {
    /// Whether the split of each node of the arena is made.
    pub(super) kept: Vec<bool>,
    /// Nodes that wait and must be found before it goes on; or soon after.
    pub(super) wanted: HashSet<u32>,
}

/// A node with a rule, by gain times weight.
struct Queued {
    gain: f64,
    /// When it was opened.
    opened: u32,
    at: u32,
}

/// Growth by the rule of highest gain times weight, as in memory, with the nodes that are known.
pub(super) fn simulate(
    arena: &GrownNodes,
    max_leaves: u32,
    is_waiting: impl Fn(u32) -> bool,
) -> BestFirst {
    let mut kept = vec![false; arena.nodes.len()];
    let mut wanted = HashSet::new();
    let mut queue = BinaryHeap::new();
    let (mut open, mut n_opened, mut leaves) = (vec![(0u32, 0u32)], 1, 1u32);
    loop {
        for (at, opened) in open.drain(..) {
            if is_waiting(at) {
                wanted.insert(at);
            } else if let Some(split) = &arena.nodes[at as usize].split {
                let gain = split.gain * arena.weights[at as usize];
                queue.push(Queued { gain, opened, at });
            }
        }
        if !wanted.is_empty() {
            break;
        }
        let Some(Queued { at, .. }) = queue.pop() else { break };
        let Some(split) = &arena.nodes[at as usize].split else { break };
        let more = split.branches.len() as u32 - 1;
        if leaves + more <= max_leaves {
            leaves += more;
            kept[at as usize] = true;
            for &branch in &split.branches {
                open.push((branch, n_opened));
                n_opened += 1;
            }
        }
        if leaves == max_leaves {
            return BestFirst { kept, wanted };
        }
    }
    if wanted.is_empty() {
        return BestFirst { kept, wanted };
    }
    // What waits below the splits that are next in the queue is asked for in the same pass.
    let likely = (max_leaves - leaves) as usize;
    for Queued { at, .. } in queue.into_sorted_vec().into_iter().rev().take(likely) {
        let branches = arena.nodes[at as usize].split.iter().flat_map(|split| &split.branches);
        wanted.extend(branches.copied().filter(|&branch| is_waiting(branch)));
    }
    BestFirst { kept, wanted }
}

impl Ord for Queued {
    /// The higher gain; of equal ones the node that was opened first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.opened.cmp(&self.opened))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Queued {}
