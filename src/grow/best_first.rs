//! Best-first growth: the open node that promises most is split next, until there are leaves
//! enough.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::grow::arena::Arena;
use crate::grow::partition::Partition;
use crate::grow::{Found, Open, Plan, ScratchOf};
use crate::stat::Stat;

/// A node with its rule, by what the rule promises: its gain times the node's weight.
struct QueuedSplit<N> {
    gain: f64,
    /// The work its rows are in.
    work: usize,
    found: Found<N>,
}

impl Plan {
    /// Grows a tree of at most so many leaves. A multiway rule that would make more is passed
    /// over; its node stays a leaf.
    pub(super) fn grow_best_first<S: Stat>(&self, work: Partition<S>, max_leaves: u32) -> Arena {
        let benches = ScratchOf::<S>::default();
        let mut arena = Arena::default();
        let mut works = Vec::new();
        let mut open: Vec<(usize, Open<S::Num>)> = Vec::new();
        if let Some((work, root)) = self.root(work, &mut arena, 0) {
            works.push(work);
            open.push((0, root));
        }
        let mut promises = BinaryHeap::new();
        let mut leaves = 1;
        loop {
            for (work, node) in open.drain(..) {
                let weight = node.weight;
                let found = self.find(&mut works[work], node, &benches);
                promises.extend(found.map(|mut found| {
                    // Too many nodes wait for all to keep their counts.
                    found.counts.clear();
                    let gain = found.candidate.gain * weight;
                    QueuedSplit { gain, work, found }
                }));
            }
            let Some(QueuedSplit { work: at, found, .. }) = promises.pop() else { break };
            let more = found.candidate.arity() as u32 - 1;
            if leaves + more <= max_leaves {
                leaves += more;
                let work = &mut works[at];
                if self.is_shared(work, &found) {
                    for (forked, root) in self.fork(work, &mut arena, found) {
                        open.push((works.len(), root));
                        works.push(forked);
                    }
                } else {
                    let opened = self.apply(work, &mut arena, found, &benches);
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
        let later = other.found.node.node.cmp(&self.found.node.node);
        self.gain.total_cmp(&other.gain).then(later)
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
