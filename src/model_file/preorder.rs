//! The links between nodes, checked to be a tree in preorder.
//!
//! In preorder each node ends the branch that was opened last, so that one pass shows that every
//! node has one parent before it: no cycle, no orphan, no recursion.

use std::result::Result;

use crate::tree::Split;

/// The branches whose nodes have not come yet, the next one last.
#[derive(Default)]
pub(super) struct OpenBranches(Vec<OpenBranch>);

struct OpenBranch {
    parent: u32,
    branch: usize,
    to: u32,
    depth: u32,
}

impl OpenBranches {
    /// The parent and the depth of the next node.
    pub(super) fn enter(
        &mut self,
        id: u32,
        split: Option<&Split>,
    ) -> Result<(Option<u32>, u32), String> {
        let (parent, depth) = match self.0.pop() {
            None if id == 0 => (None, 0),
            None => return Err(format!("node {id}: no branch leads to it")),
            Some(open) if open.to != id => return Err(open.astray(id)),
            Some(open) => (Some(open.parent), open.depth),
        };
        let branches = split.map_or(&[][..], |split| &split.branches);
        let open = branches.iter().enumerate().rev();
        let open =
            open.map(|(branch, &to)| OpenBranch { parent: id, branch, to, depth: depth + 1 });
        self.0.extend(open);
        Ok((parent, depth))
    }

    pub(super) fn finish(mut self, n_nodes: u32) -> Result<(), String> {
        self.0.pop().map_or(Ok(()), |open| Err(open.astray(n_nodes)))
    }
}

impl OpenBranch {
    /// The error that another node is due.
    fn astray(&self, due: u32) -> String {
        let OpenBranch { parent, branch, to, .. } = self;
        format!("node {parent}: branch {branch} leads to node {to}; in preorder it is node {due}")
    }
}
