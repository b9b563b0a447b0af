//! Best-first growth: the open node whose rule gains most is split next, until there are leaves
//! enough.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::arena::Arena;
use super::grower::Grower;
use super::node::{ChosenSplit, NodePath, OpenNode};
use super::partition::Partition;
use super::scratch::Pool;
use crate::stat::RowStats;

/// A node with its rule, by the rule's gain times the node's weight.
struct QueuedSplit<N> {
    gain: f64,
    /// The partition its rows are in.
    partition: usize,
    chosen: ChosenSplit<N>,
}

impl Grower<'_> {
    /// Grows a tree of at most so many leaves. A multiway rule that would exceed them is passed
    /// over; its node stays a leaf.
    pub(super) fn grow_best_first<S: RowStats>(
        &self,
        partition: Partition<S>,
        max_leaves: u32,
    ) -> Arena {
        let pool = Pool::<S>::default();
        let mut arena = Arena::default();
        let mut partitions = Vec::new();
        let mut open: Vec<(usize, OpenNode<S::Num>)> = Vec::new();
        if let Some((partition, root)) = self.root(partition, &mut arena, NodePath::ROOT) {
            partitions.push(partition);
            open.push((0, root));
        }
        let mut queue = BinaryHeap::new();
        let mut leaves = 1;
        loop {
            for (partition, node) in open.drain(..) {
                let weight = node.weight;
                let found = self.find(&partitions[partition], node, &pool);
                queue.extend(found.map(|mut chosen| {
                    // Too many nodes wait for all to keep their histograms.
                    chosen.histograms.clear();
                    let gain = chosen.candidate.gain * weight;
                    QueuedSplit { gain, partition, chosen }
                }));
            }
            let Some(QueuedSplit { partition: at, chosen, .. }) = queue.pop() else { break };
            let more = chosen.candidate.arity() as u32 - 1;
            if leaves + more <= max_leaves {
                leaves += more;
                let partition = &mut partitions[at];
                if self.shares_rows(partition, &chosen) {
                    for (mut branch, root) in
                        self.share_branches(partition, &mut arena, chosen, &pool)
                    {
                        if branch.is_deferred(branch.n_rows()) {
                            branch = branch.renumbered(&root.columns);
                        }
                        open.push((partitions.len(), root));
                        partitions.push(branch);
                    }
                } else {
                    let opened = self.apply(partition, &mut arena, chosen, &pool);
                    open.extend(opened.into_iter().map(|node| (at, node)));
                }
            }
            if leaves == max_leaves {
                break;
            }
        }
        arena
    }
}

impl<N> Ord for QueuedSplit<N> {
    /// The higher gain; of equal ones the node that was opened first.
    fn cmp(&self, other: &Self) -> Ordering {
        let opened_first = other.chosen.node.node.cmp(&self.chosen.node.node);
        self.gain.total_cmp(&other.gain).then(opened_first)
    }
}

impl<N> PartialOrd for QueuedSplit<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N> PartialEq for QueuedSplit<N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<N> Eq for QueuedSplit<N> {}
