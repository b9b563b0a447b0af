//! The rows of open nodes, column by column. A node is a range, a split a stable partition of it.
//!
//! ```text
//!                 node A          node B              node C
//! rows        [ 0 3 4 7 9 | 1 2 8                 | 5 6        ]   ascending in each node
//! column x    [ 4 0 9 7 3 | 8 1 2                 | 6 5        ]   entries in order of level
//! column y    [ 9 7 4 3 0 | 2 8 1                 | 5 6        ]
//!
//! entry       [ payload (class) | row number ]                     32 bits
//! ```
//!
//! Ordered columns of many levels keep their entries presorted: a node's range of each of them
//! holds the node's rows in order of level. A split records the branch of each of the node's rows
//! in a [`BranchMap`] and partitions the range of every column by it; the order within a branch
//! stays. Columns of few levels are not reordered: their codes lie in [`PackedColumns`], and nodes
//! are counted into histograms. [`gather`] copies a small node's rows into a partition of its own.
//! [`share_out`] copies the rows of a branch that has parts of rows.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod branch_map;
pub(crate) mod gather;
pub(crate) mod rank_bitmap;
mod route;
pub(crate) mod share_out;
pub(crate) mod some_rows;

use std::ops::Range;
use std::sync::Arc;

use super::stored::{StoredCodes, StoredColumn, StoredColumns};
use super::{GATHERED_SHARE, SMALL_NODE};
use crate::data::column::EntryLayout;
use crate::data::dtype::Kind;
use crate::split::{Candidate, PresortedView, RowLevels, Scratch};
use crate::stat::{RowStats, StatVec};
use branch_map::BranchMap;

/// Columns and targets of some rows.
pub(crate) struct Partition<S: RowStats> {
    pub(crate) stored: StoredColumns,
    /// The entries of each presorted column, in order of level; of other columns none.
    pub(crate) entries: Vec<Vec<u32>>,
    pub(crate) stats: S,
    pub(crate) layout: EntryLayout,
    /// The rows, ascending within each node. A partition may have no row of some numbers.
    pub(crate) rows: Vec<u32>,
    pub(crate) branch_map: BranchMap,
    /// The copies each row stands for, where rows are shared out; empty if all are one.
    pub(crate) copies: Arc<[u64]>,
}

/// A histogram of at most this many levels a row costs no more than looking up rows by level.
const LEVELS_PER_ROW: usize = 4;

impl<S: RowStats> Partition<S> {
    /// A partition of rows below `n_numbers`, which the stats and `copies` know; entries have `layout`.
    pub(crate) fn new(
        stored: StoredColumns,
        entries: Vec<Vec<u32>>,
        stats: S,
        layout: EntryLayout,
        rows: Vec<u32>,
        n_numbers: usize,
        copies: Arc<[u64]>,
    ) -> Self {
        let branch_map = BranchMap::new(n_numbers);
        Partition { stored, entries, stats, layout, rows, branch_map, copies }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// The [copies](Self::copies) of some rows.
    fn copies_of(&self, rows: &[u32]) -> Arc<[u64]> {
        match self.copies.is_empty() {
            true => Arc::clone(&self.copies),
            false => rows.iter().map(|&row| self.copies[row as usize]).collect(),
        }
    }

    pub(crate) fn all_columns(&self) -> Arc<[u32]> {
        let columns = (0..).zip(&self.stored.columns);
        let varying = columns.filter(|(_, c)| !matches!(c.codes, StoredCodes::Constant));
        varying.map(|(at, _)| at).collect()
    }

    pub(crate) fn total(&self) -> StatVec<S::Num> {
        self.stats.total(&self.rows, EntryLayout::ROWS)
    }

    /// A node's entries of a presorted column.
    pub(crate) fn presorted(&self, column: u32, range: Range<usize>) -> Option<PresortedView<'_>> {
        let StoredColumn { codes, missing, is_distinct, .. } = self.column(column);
        let StoredCodes::Presorted(codes) = codes else { return None };
        Some(PresortedView {
            entries: &self.entries[column as usize][range],
            layout: self.layout,
            levels: codes,
            missing: *missing,
            is_distinct: *is_distinct,
        })
    }

    /// Whether a column has two codes among a node's rows. Missing may be one of them.
    pub(crate) fn varies(&self, column: u32, range: Range<usize>) -> bool {
        if let Some(view) = self.presorted(column, range.clone()) {
            return view.varies();
        }
        let mut codes = self.rows[range].iter().map(|&row| self.stored.code(column, row));
        let first = codes.next();
        codes.any(|code| Some(code) != first)
    }

    /// Fills the buckets of a presorted column where its levels are to be counted, and returns
    /// whether they are. The levels of a nominal one are, unless they are many for the rows. That
    /// reads the rows as they lie in memory.
    pub(crate) fn fill_by_row(
        &self,
        column: u32,
        range: Range<usize>,
        view: PresortedView,
        scratch: &mut Scratch<S::Num>,
    ) -> bool {
        let is_counted = self.column(column).kind == Kind::Nominal
            && range.len() * LEVELS_PER_ROW >= view.missing as usize;
        if is_counted {
            let coded = self.rows[range].iter().map(|&row| (row, view.levels.code(row)));
            scratch.fill_counting(&self.stats, coded, view.missing);
        }
        is_counted
    }

    /// Which of a pack's columns, by index, are among some columns, which ascend.
    pub(crate) fn columns_in_pack(&self, pack: usize, columns: &[u32]) -> Vec<usize> {
        // A pack has few columns.
        let of_pack = self.stored.packs[pack].columns.iter().enumerate();
        let among = of_pack.filter(|(_, column)| columns.binary_search(column).is_ok());
        among.map(|(index, _)| index).collect()
    }

    pub(crate) fn column(&self, column: u32) -> &StoredColumn {
        &self.stored.columns[column as usize]
    }

    /// A chosen candidate in the codes that columns had before they were gathered.
    pub(crate) fn in_table_codes(&self, column: u32, candidate: Candidate) -> (u32, Candidate) {
        let candidate = match &self.column(column).table_codes {
            Some(codes) => candidate.recoded(|code| codes[code as usize]),
            None => candidate,
        };
        (column, candidate)
    }

    /// Whether a node of `n_rows` rows is gathered before it is split. A partition that fits the
    /// cache gathers none.
    pub(crate) fn is_deferred(&self, n_rows: usize) -> bool {
        let of_all = self.branch_map.n_rows();
        of_all > SMALL_NODE && n_rows <= SMALL_NODE.max(of_all / GATHERED_SHARE)
    }
}
