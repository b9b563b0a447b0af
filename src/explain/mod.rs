//! A tree in words and figures.

mod importance;
mod rules;
pub(crate) mod text;

pub use importance::Importance;
pub use rules::{LeafRule, MAX_CONDITIONS};
pub use text::TextLine;

use crate::tree::TreeData;

impl TreeData {
    /// Which of its parent's branches each node is; 0 for the root.
    pub(crate) fn branch_of_parent(&self) -> Vec<u32> {
        let mut branch_of = vec![0; self.n_nodes()];
        for split in self.node_slice().iter().filter_map(|n| n.split.as_ref()) {
            for (branch, &child) in split.branches.iter().enumerate() {
                branch_of[child as usize] = branch as u32;
            }
        }
        branch_of
    }
}
