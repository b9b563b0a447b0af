//! The rows of one leaf and one class.

use std::ops::Range;

use crate::score::{PreparedTree, Routes};

/// Rows of one way down the tree and of one actual class. `class` is the number of classes for one the
/// tree was never trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClassCell {
    pub(super) class: u32,
    pub(super) way: u32,
    pub(super) n: u64,
}

/// Rows by the way they went and by class.
pub(super) struct ClassCells<'t> {
    pub(super) tree: PreparedTree<'t>,
    /// One row of each way: rows that ended in one node went the same way, and each row that ended in
    /// several went one of its own.
    pub(super) ways: Routes,
    /// The class each way predicts.
    pub(super) predicted: Vec<u32>,
    /// In order of class, then way; those without rows are not there.
    pub(super) cells: Vec<ClassCell>,
}

impl<'t> ClassCells<'t> {
    /// `O(n)`, or `O(n log n)` where classes times ways are more than the rows.
    pub(super) fn new(tree: PreparedTree<'t>, routes: &Routes, actual: &[Option<u32>]) -> Self {
        let (ways, of_row) = routes.ways(tree.data.nodes.len());
        let (k, n_ways) = (tree.data.schema.classes.len(), ways.nodes.len());
        let cell = |(class, way): (&Option<u32>, &u32)| {
            class.map_or(k, |class| class as usize) * n_ways + *way as usize
        };
        let keys = actual.iter().zip(&of_row).map(cell);
        let of_key = |(key, n): (usize, u64)| ClassCell {
            class: (key / n_ways) as u32,
            way: (key % n_ways) as u32,
            n,
        };
        let cells = if (k + 1).saturating_mul(n_ways) <= actual.len().max(1 << 10) {
            let mut counts = vec![0u64; (k + 1) * n_ways];
            keys.for_each(|key| counts[key] += 1);
            counts.into_iter().enumerate().filter(|(_, n)| *n > 0).map(of_key).collect()
        } else {
            let mut keys: Vec<usize> = keys.collect();
            keys.sort_unstable();
            let runs = keys.chunk_by(|a, b| a == b);
            runs.map(|run| of_key((run[0], run.len() as u64))).collect()
        };
        let predicted = tree.classes(&ways);
        ClassCells { tree, ways, predicted, cells }
    }

    pub(super) fn n_classes(&self) -> usize {
        self.tree.data.schema.classes.len()
    }

    /// The range of a class's cells.
    pub(super) fn of_class(&self, class: usize) -> Range<usize> {
        let start = |class: usize| self.cells.partition_point(|cell| (cell.class as usize) < class);
        start(class)..start(class + 1)
    }
}
