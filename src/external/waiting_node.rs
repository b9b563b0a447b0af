//! A node on its way through growth.

use crate::stat::StatVec;

/// A node that waits.
pub(super) struct WaitingNode<N> {
    /// Its index in the arena.
    pub(super) at: u32,
    /// Its index in the growing tree.
    pub(super) node: u32,
    pub(super) depth: u32,
    pub(super) rows: u64,
    /// `None` for the root before its first count.
    pub(super) total: Option<StatVec<N>>,
    /// Columns that may vary among its rows.
    pub(super) columns: Vec<u32>,
}

impl<N> WaitingNode<N> {
    /// The root of so many rows and columns.
    pub(super) fn root(at: u32, rows: u64, n_columns: usize) -> WaitingNode<N> {
        let columns = (0..n_columns as u32).collect();
        WaitingNode { at, node: 0, depth: 0, rows, total: None, columns }
    }
}
