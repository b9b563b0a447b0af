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
//! stays. Columns of few levels are not reordered: their codes lie in
//! [`PackedColumns`], and nodes are counted into histograms. [`gather`] copies a small node's rows
//! into a partition of its own, [`share_out`] those of a branch that rows are in in part.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod branch_map;
pub(crate) mod gather;
pub(crate) mod rank_bitmap;
mod route;
mod share_out;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::histogram::packed_columns::{ByteColumn, PackedColumns};
use super::scratch::ThreadScratch;
use super::{GATHERED_SHARE, SMALL_NODE};
use crate::data::column::{Codes, Column, EntryLayout, RowCodes, Sorted};
use crate::data::dtype::Kind;
use crate::split::{
    Candidate, ColumnView, PresortedView, RowLevels, SplitPolicy, best_candidate, best_of_buckets,
};
use crate::stat::{Rating, RowStats, StatVec};
use crate::util::parallel::Tasks;
use branch_map::BranchMap;

/// Columns and targets of some rows.
pub(crate) struct Partition<S: RowStats> {
    pub(crate) columns: Vec<PartitionColumn>,
    pub(crate) packs: Arc<[PackedColumns]>,
    pub(crate) stats: S,
    /// The layout of entries of presorted columns.
    pub(crate) layout: EntryLayout,
    /// The rows, ascending within each node. A partition may have no row of some numbers.
    pub(crate) rows: Vec<u32>,
    pub(crate) branch_map: BranchMap,
    /// The copies each row stands for, where rows are shared out; empty if all are one.
    pub(crate) copies: Arc<[u64]>,
}

pub(crate) struct PartitionColumn {
    pub(crate) kind: Kind,
    pub(crate) storage: Storage,
    /// The code of a missing value.
    pub(crate) missing: u32,
    /// No two rows with a value share a level.
    pub(crate) is_distinct: bool,
    /// The original code of each code here, where gathering has renumbered them and
    /// [`code_before_gather`](Partition::code_before_gather) does not tell.
    pub(crate) original_codes: Option<Arc<[u32]>>,
}

/// Where a column's codes are.
pub(crate) enum Storage {
    /// Many levels, in order. Branches that share rows share the rows' codes.
    Presorted { codes: Arc<RowCodes>, order: Vec<u32> },
    /// Few levels, beside other columns: column `index` of a pack.
    Packed { pack: usize, index: usize },
    /// Nowhere: the column is constant in this partition.
    Constant,
}

/// A histogram of at most so many levels a row costs no more than looking rows up in order of
/// level.
const LEVELS_PER_ROW: usize = 4;

impl<S: RowStats> Partition<S> {
    /// Takes the codes out of the columns, which keep their levels.
    pub(crate) fn new(columns: &mut [Column], stats: S, n_rows: usize, copies: Arc<[u64]>) -> Self {
        let layout = EntryLayout::new(n_rows, stats.payload_bits());
        let take = |column: &mut Column| {
            let (missing, is_distinct) = (column.missing_code(), column.is_distinct());
            let mut codes = std::mem::replace(&mut column.codes, Codes::ByRow(Vec::new()));
            if let Codes::Sorted(sorted) = &mut codes
                && layout.has_payloads()
            {
                let rows = sorted.order.iter_mut();
                rows.for_each(|row| *row = layout.entry(*row, stats.payload(*row)));
            }
            (
                PartitionColumn { missing, is_distinct, ..PartitionColumn::constant(column.kind) },
                codes,
            )
        };
        let columns = columns.par_iter_mut().one_item_per_task().map(take).collect();
        Partition::of(columns, stats, layout, n_rows, copies)
    }

    /// A partition of columns and their codes; presorted columns hold entries of `layout`.
    fn of(
        columns: Vec<(PartitionColumn, Codes)>,
        stats: S,
        layout: EntryLayout,
        n_rows: usize,
        copies: Arc<[u64]>,
    ) -> Self {
        let mut to_pack = Vec::new();
        let store = |(at, (column, codes)): (usize, (PartitionColumn, Codes))| match codes {
            Codes::Sorted(Sorted { codes, order }) => {
                let codes = Arc::new(codes);
                PartitionColumn { storage: Storage::Presorted { codes, order }, ..column }
            }
            Codes::ByRow(codes) => {
                if !codes.is_empty() {
                    let n_codes = column.missing as usize + 1;
                    to_pack.push(ByteColumn { column: at as u32, codes, n_codes });
                }
                column
            }
        };
        let mut columns: Vec<PartitionColumn> =
            columns.into_iter().enumerate().map(store).collect();
        let packs = PackedColumns::pack(to_pack, stats.rating().width());
        for (pack, of) in packs.iter().enumerate() {
            for (index, &column) in of.columns.iter().enumerate() {
                columns[column as usize].storage = Storage::Packed { pack, index };
            }
        }
        let (rows, branch_map) = ((0..n_rows as u32).collect(), BranchMap::new(n_rows));
        let packs = packs.into();
        Partition { columns, packs, stats, layout, rows, branch_map, copies }
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

    /// The columns that may vary.
    pub(crate) fn all_columns(&self) -> Arc<[u32]> {
        let varies = |c: &u32| !matches!(self.columns[*c as usize].storage, Storage::Constant);
        (0..self.columns.len() as u32).filter(varies).collect()
    }

    /// The stat of all rows.
    pub(crate) fn total(&self) -> StatVec<S::Num> {
        self.stats.total(&self.rows, EntryLayout::ROWS)
    }

    /// A node's entries of a presorted column.
    pub(crate) fn presorted(&self, column: u32, range: Range<usize>) -> Option<PresortedView<'_>> {
        let PartitionColumn { storage, missing, is_distinct, .. } = &self.columns[column as usize];
        let Storage::Presorted { codes, order } = storage else { return None };
        Some(PresortedView {
            entries: &order[range],
            layout: self.layout,
            levels: codes,
            missing: *missing,
            is_distinct: *is_distinct,
        })
    }

    /// The best candidate of a presorted column that varies in a node.
    pub(crate) fn best_candidate(
        &self,
        policy: &SplitPolicy,
        total: &[S::Num],
        column: u32,
        range: Range<usize>,
        view: PresortedView,
        scratch: &mut ThreadScratch<S::Num>,
    ) -> Option<Candidate> {
        let (kind, scratch) = (self.columns[column as usize].kind, &mut scratch.column);
        // Levels of a nominal column are counted, unless they are many for the rows: that reads
        // the rows as they lie in memory.
        if kind == Kind::Nominal && range.len() * LEVELS_PER_ROW >= view.missing as usize {
            let coded = self.rows[range].iter().map(|&row| (row, view.levels.code(row)));
            scratch.fill_counting(&self.stats, coded, view.missing);
            return best_of_buckets(policy, self.stats.rating(), kind, &scratch.buckets);
        }
        best_candidate(policy, &self.stats, total, kind, ColumnView::Presorted(view), scratch)
    }

    /// Which of a pack's columns, by index, are among some columns, which ascend.
    pub(crate) fn columns_in_pack(&self, pack: usize, columns: &[u32]) -> Vec<usize> {
        // A pack has few columns.
        let of_pack = self.packs[pack].columns.iter().enumerate();
        let among = of_pack.filter(|(_, column)| columns.binary_search(column).is_ok());
        among.map(|(index, _)| index).collect()
    }

    /// A row's code in a column.
    pub(crate) fn code(&self, column: u32, row: u32) -> u32 {
        let PartitionColumn { storage, missing, .. } = &self.columns[column as usize];
        storage.code(&self.packs, row, *missing)
    }

    /// A chosen candidate in the codes that columns had before they were gathered.
    pub(crate) fn in_original_codes(&self, column: u32, candidate: Candidate) -> (u32, Candidate) {
        let candidate = match &self.columns[column as usize].original_codes {
            Some(original) => candidate.recoded(|code| original[code as usize]),
            None => candidate,
        };
        (column, candidate)
    }

    /// Whether a node of so many rows is gathered before it is split. A partition that fits the
    /// cache gathers none.
    pub(crate) fn is_deferred(&self, n_rows: usize) -> bool {
        let of_all = self.branch_map.n_rows();
        of_all > SMALL_NODE && n_rows <= SMALL_NODE.max(of_all / GATHERED_SHARE)
    }
}

impl Storage {
    /// A row's code; `missing` is that of a missing value.
    pub(crate) fn code(&self, packs: &[PackedColumns], row: u32, missing: u32) -> u32 {
        match self {
            Storage::Presorted { codes, .. } => codes.of(row),
            &Storage::Packed { pack, index } => packs[pack].code(row, index),
            Storage::Constant => missing,
        }
    }
}

impl PartitionColumn {
    fn is_presorted(&self) -> bool {
        matches!(self.storage, Storage::Presorted { .. })
    }

    fn constant(kind: Kind) -> Self {
        let storage = Storage::Constant;
        PartitionColumn { kind, storage, missing: 0, is_distinct: false, original_codes: None }
    }
}
