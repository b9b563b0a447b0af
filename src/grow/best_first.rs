//! Best-first growth: the open node whose rule gains most is split next, until there are leaves
//! enough.

use super::arena::Arena;
use super::grower::Grower;
use super::node::{NodePath, OpenNode};
use super::partition::Partition;
use super::scratch::Pool;
use super::split_queue::SplitQueue;
use crate::stat::RowStats;

impl Grower<'_> {
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
        let mut queue = SplitQueue::new(max_leaves);
        while !queue.is_full() {
            // Each with the index of the partition that its rows are in.
            for (at, node) in open.drain(..) {
                if let Some(mut chosen) = self.find(&partitions[at], node, &pool) {
                    // Too many nodes wait for all to keep their histograms.
                    chosen.histograms.clear();
                    let (gain, arity) = (chosen.candidate.gain, chosen.candidate.arity());
                    queue.push(gain, chosen.node.weight, arity, (at, chosen));
                }
            }
            let Some((at, chosen)) = queue.pop() else { break };
            let partition = &mut partitions[at];
            if self.shares_rows(partition, &chosen) {
                for (mut branch, root) in self.share_branches(partition, &mut arena, chosen, &pool)
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
        arena
    }
}
