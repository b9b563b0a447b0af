//! The node that each row is in, remembered between passes if there is room.

use super::cells::Cells;
use crate::external::growing_tree::{Cell, GrowingTree};
use crate::util::parallel;

const ROWS_PER_TASK: usize = 1 << 12;

pub(super) struct RowNodes {
    most_bytes: u64,
    /// The node of each row at the last pass; `None` if there is no room.
    nodes: Option<Vec<u32>>,
    /// The rows that this pass had.
    at: usize,
    /// Whether the rows of each node of the tree were sent on.
    followed: Vec<bool>,
}

impl RowNodes {
    pub(super) fn new(most_bytes: u64) -> RowNodes {
        RowNodes { most_bytes, nodes: None, at: 0, followed: Vec::new() }
    }

    /// Begins a pass. Returns which columns the pass has to read to follow the rows: the columns of
    /// all rules or, where the node of each row is remembered, of the rules since the last pass.
    pub(super) fn begin(&mut self, tree: &GrowingTree, rows: u64, n_columns: usize) -> Vec<bool> {
        self.at = 0;
        if self.nodes.is_none() && rows.saturating_mul(4) <= self.most_bytes {
            self.nodes = Some(vec![0; rows as usize]);
        }
        let mut wanted = vec![false; n_columns];
        self.followed.resize(tree.nodes.len(), false);
        for (node, followed) in tree.nodes.iter().zip(&mut self.followed) {
            if let Some(rule) = &node.rule {
                wanted[rule.column as usize] |= !*followed;
                *followed = self.nodes.is_some();
            }
        }
        wanted
    }

    pub(super) fn follow(
        &mut self,
        tree: &GrowingTree,
        n_rows: usize,
        cells: &[Option<Cells>],
    ) -> Vec<u32> {
        let cell = |row: usize, column: u32| match &cells[column as usize] {
            Some(cells) => cells.of(row),
            None => Cell::Missing,
        };
        let start = self.at;
        self.at += n_rows;
        let mut of_rows = vec![0u32; n_rows];
        let known = self.nodes.as_mut().and_then(|nodes| nodes.get_mut(start..start + n_rows));
        if let Some(known) = &known {
            of_rows.copy_from_slice(known);
        }
        let follow = |(first, nodes): (usize, &mut [u32])| {
            for (row, node) in (first..).zip(nodes) {
                *node = tree.node_of(*node, |column| cell(row, column));
            }
        };
        let tasks = (0..).step_by(ROWS_PER_TASK).zip(of_rows.chunks_mut(ROWS_PER_TASK));
        parallel::for_each(tasks, follow);
        if let Some(known) = known {
            known.copy_from_slice(&of_rows);
        }
        of_rows
    }
}
