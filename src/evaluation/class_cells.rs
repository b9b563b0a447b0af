//! The rows of one leaf and one class.

use std::ops::Range;

use crate::score::{PreparedTree, Routes};

/// Rows of one path down the tree and of one actual class. `class` is the number of classes for one the
/// tree was never trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClassCell {
    pub(super) class: u32,
    pub(super) path: u32,
    pub(super) n: u64,
}

/// Rows by the path they went and by class.
pub(super) struct ClassCells<'t> {
    pub(super) tree: PreparedTree<'t>,
    /// One row of each path: rows that ended in one node went the same path, and each row that ended in
    /// several went one of its own.
    pub(super) paths: Routes,
    /// The class each path predicts.
    pub(super) predicted: Vec<u32>,
    /// In order of class, then path; those without rows are not there.
    pub(super) cells: Vec<ClassCell>,
}

impl<'t> ClassCells<'t> {
    /// `O(n)`, or `O(n log n)` where classes times paths are more than the rows.
    pub(super) fn new(tree: PreparedTree<'t>, routes: &Routes, actual: &[Option<u32>]) -> Self {
        let (paths, of_row) = routes.paths(tree.data.nodes.len());
        let (k, n_paths) = (tree.data.schema.classes.len(), paths.nodes.len());
        let cell = |(class, path): (&Option<u32>, &u32)| {
            class.map_or(k, |class| class as usize) * n_paths + *path as usize
        };
        let keys = actual.iter().zip(&of_row).map(cell);
        let of_key = |(key, n): (usize, u64)| ClassCell {
            class: (key / n_paths) as u32,
            path: (key % n_paths) as u32,
            n,
        };
        let cells = if (k + 1).saturating_mul(n_paths) <= actual.len().max(1 << 10) {
            let mut counts = vec![0u64; (k + 1) * n_paths];
            keys.for_each(|key| counts[key] += 1);
            counts.into_iter().enumerate().filter(|(_, n)| *n > 0).map(of_key).collect()
        } else {
            let mut keys: Vec<usize> = keys.collect();
            keys.sort_unstable();
            let runs = keys.chunk_by(|a, b| a == b);
            runs.map(|run| of_key((run[0], run.len() as u64))).collect()
        };
        let predicted = tree.classes(&paths);
        ClassCells { tree, paths, predicted, cells }
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
