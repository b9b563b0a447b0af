//! Best-first order: the waiting split that gains most is made next, until there are leaves enough.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::data::dtype::key_of_f64;

/// The splits that wait for a tree of limited leaves.
pub(crate) struct SplitQueue<T> {
    /// Each with its number of branches, by gain times its node's weight. Among equal ones, the
    /// split of the node that was opened first comes last.
    waiting: BTreeMap<(Option<u64>, Reverse<usize>), (usize, T)>,
    /// Splits that ever waited.
    n_queued: usize,
    /// Leaves that the tree may still get.
    room: usize,
}

impl<T> SplitQueue<T> {
    /// For a tree that is a leaf as yet.
    pub(crate) fn new(max_leaves: u32) -> Self {
        let room = (max_leaves as usize).saturating_sub(1);
        SplitQueue { waiting: BTreeMap::new(), n_queued: 0, room }
    }

    /// Adds the split of a node. Nodes come in the order in which they were opened.
    pub(crate) fn push(&mut self, gain: f64, weight: f64, arity: usize, split: T) {
        let rank = (key_of_f64(gain * weight), Reverse(self.n_queued));
        self.waiting.insert(rank, (arity, split));
        self.n_queued += 1;
    }

    /// The split to make next. A multiway split that there is no room for is passed over; its node
    /// stays a leaf.
    pub(crate) fn pop(&mut self) -> Option<T> {
        while let Some((_, (arity, split))) = self.waiting.pop_last() {
            if arity <= self.room + 1 {
                self.room -= arity - 1;
                return Some(split);
            }
        }
        None
    }

    /// Whether the tree has its leaves.
    pub(crate) fn is_full(&self) -> bool {
        self.room == 0
    }

    /// The splits that would be made next if no others came, in order.
    pub(crate) fn into_next(self) -> impl Iterator<Item = T> {
        self.waiting.into_values().rev().take(self.room).map(|(_, split)| split)
    }
}
