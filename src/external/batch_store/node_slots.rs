//! The rows of each node that a pass asks about.

use crate::data::column_data::MISSING;

pub(super) struct NodeSlots {
    slot_of: Vec<u32>,
    n_slots: u32,
}

impl NodeSlots {
    pub(super) fn new(n_nodes: usize) -> NodeSlots {
        NodeSlots { slot_of: vec![MISSING; n_nodes], n_slots: 0 }
    }

    pub(super) fn slot(&mut self, node: u32) -> usize {
        let slot = &mut self.slot_of[node as usize];
        if *slot == MISSING {
            *slot = self.n_slots;
            self.n_slots += 1;
        }
        *slot as usize
    }

    /// The rows of each slot, from the node of each row.
    pub(super) fn rows(&self, nodes: &[u32]) -> Slots {
        Slots::new(nodes, &self.slot_of, self.n_slots as usize)
    }
}

/// The rows of each slot, one after the other.
pub(super) struct Slots {
    rows: Vec<u32>,
    starts: Vec<usize>,
}

impl Slots {
    /// From the node of each row, and the slot of each node (or [`MISSING`]).
    fn new(nodes: &[u32], slot_of: &[u32], n_slots: usize) -> Slots {
        let slot = |node: &u32| slot_of[*node as usize];
        let mut starts = vec![0usize; n_slots + 1];
        nodes.iter().map(slot).filter(|&slot| slot != MISSING).for_each(|slot| {
            starts[slot as usize + 1] += 1;
        });
        (1..=n_slots).for_each(|slot| starts[slot] += starts[slot - 1]);
        let (mut next, mut rows) = (starts.clone(), vec![0; starts[n_slots]]);
        for (row, slot) in (0..).zip(nodes.iter().map(slot)) {
            if slot != MISSING {
                rows[next[slot as usize]] = row;
                next[slot as usize] += 1;
            }
        }
        Slots { rows, starts }
    }

    pub(super) fn of(&self, slot: usize) -> &[u32] {
        &self.rows[self.starts[slot]..self.starts[slot + 1]]
    }
}
