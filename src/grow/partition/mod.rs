//! The rows of open nodes, column by column: a node is a range, a split a stable partition.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod branch_map;
pub(crate) mod gather;
pub(crate) mod rank_bitmap;
mod route;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::data::column::{Codes, Column, EntryLayout, Sorted};
use crate::data::dtype::Kind;
use crate::grow::histogram::packed_columns::{PackedColumns, PanelColumn};
use crate::grow::partition::branch_map::BranchMap;
use crate::grow::partition::rank_bitmap::RankBitmap;
use crate::grow::{COPIED_SHARE, SMALL_NODE};
use crate::spec::Missing;
use crate::split::{self, Candidate, RowLevels, Scratch, Search, SortedView, View};
use crate::stat::{Stat, StatVec, Summary};
use crate::util::parallel::Tasks;

/// Columns and targets of some rows. The rows of a node are a range of `rows` and the
/// same range of every sorted column, whose order holds entries.
pub(crate) struct Partition<S: Stat> {
    pub(crate) columns: Vec<WorkColumn>,
    pub(crate) panels: Vec<PackedColumns>,
    pub(crate) stat: S,
    /// How the entries of sorted columns are laid out.
    pub(crate) packing: EntryLayout,
    pub(crate) rows: Vec<u32>,
    /// The stat of the node in focus.
    total: StatVec<S::Num>,
    pub(crate) sent: BranchMap,
    /// The copies each row stands for, where rows are shared out; none are all one.
    pub(crate) copies: Vec<u64>,
}

pub(crate) struct WorkColumn {
    pub(crate) kind: Kind,
    pub(crate) held: Held,
    /// The code of a missing value.
    pub(crate) missing: u32,
    /// No two rows with a value share a level.
    pub(crate) distinct: bool,
    /// The code each code here was copied from, where they differ and
    /// [`code_in`](Partition::code_in) does not tell.
    pub(crate) global: Option<Arc<[u32]>>,
}

/// Where a column's codes are.
pub(crate) enum Held {
    /// In order, of many levels.
    Sorted(Sorted),
    /// Side by side with others', of few.
    InPanel { panel: usize, place: usize },
    /// Nowhere: the column tells no rows of this work apart.
    Elsewhere,
}

/// Levels that are as quickly cleared and looked through as a row is looked up in order of level.
const LEVELS_A_ROW: usize = 4;

/// What a thread works with, reused between columns and nodes.
#[derive(Debug, Default)]
pub(crate) struct ThreadScratch<N> {
    pub(crate) scratch: Scratch<N>,
    pub(crate) spill: Vec<u32>,
    pub(crate) places: RankBitmap,
}

impl<S: Stat> Partition<S> {
    /// Takes the codes out of the columns, which keep their levels.
    pub(crate) fn new(columns: &mut [Column], stat: S, n_rows: usize, copies: Vec<u64>) -> Self {
        let packing = EntryLayout::new(n_rows, stat.tag_bits());
        let columns = columns
            .par_iter_mut()
            .one_item_per_task()
            .map(|c| {
                let (missing, distinct) = (c.missing_code(), c.is_distinct());
                let mut codes = std::mem::replace(&mut c.codes, Codes::ByRow(Vec::new()));
                if let Codes::Sorted(sorted) = &mut codes
                    && packing.has_tags()
                {
                    let rows = sorted.order.iter_mut();
                    rows.for_each(|row| *row = packing.entry(*row, stat.tag(*row)));
                }
                let held = Held::Elsewhere;
                (WorkColumn { kind: c.kind, held, missing, distinct, global: None }, codes)
            })
            .collect();
        Partition::of(columns, stat, packing, n_rows, copies)
    }

    /// A work of columns and their codes, those of sorted columns entries of that packing.
    pub(crate) fn of(
        columns: Vec<(WorkColumn, Codes)>,
        stat: S,
        packing: EntryLayout,
        n_rows: usize,
        copies: Vec<u64>,
    ) -> Self {
        let (rows, sent) = ((0..n_rows as u32).collect(), BranchMap::new(n_rows));
        let mut of_panels = Vec::new();
        let hold = |(at, (column, codes)): (usize, (WorkColumn, Codes))| {
            let held = match codes {
                Codes::Sorted(sorted) => Held::Sorted(sorted),
                Codes::ByRow(codes) => {
                    if !codes.is_empty() {
                        let n_codes = column.missing as usize + 1;
                        of_panels.push(PanelColumn { column: at as u32, codes, n_codes });
                    }
                    Held::Elsewhere
                }
            };
            WorkColumn { held, ..column }
        };
        let mut columns: Vec<WorkColumn> = columns.into_iter().enumerate().map(hold).collect();
        let panels = PackedColumns::arrange(of_panels, stat.width());
        for (panel, of) in panels.iter().enumerate() {
            for (place, &column) in of.columns.iter().enumerate() {
                columns[column as usize].held = Held::InPanel { panel, place };
            }
        }
        Partition { columns, panels, stat, packing, rows, total: StatVec::new(), sent, copies }
    }

    /// The copies of some rows.
    pub(crate) fn copies_of(&self, rows: &[u32]) -> Vec<u64> {
        if self.copies.is_empty() {
            return Vec::new();
        }
        rows.iter().map(|&row| self.copies[row as usize]).collect()
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn all_columns(&self) -> Arc<[u32]> {
        (0..self.columns.len() as u32).filter(|&c| self.columns[c as usize].is_here()).collect()
    }

    /// Makes ready to search a node of a total, which [`unfocus`](Self::unfocus) gives back.
    pub(crate) fn focus(&mut self, range: Range<usize>, total: StatVec<S::Num>) {
        let rows = &self.rows[range];
        self.stat.focus(rows);
        self.total = if self.stat.is_the_same_everywhere() {
            total
        } else {
            self.stat.total(rows, EntryLayout::ROWS)
        };
    }

    pub(crate) fn unfocus(&mut self) -> StatVec<S::Num> {
        std::mem::take(&mut self.total)
    }

    /// What no rule of the node in focus gains more than.
    pub(crate) fn highest_gain(&self, search: &Search) -> f64 {
        match search.missing {
            Missing::Learn => self.stat.highest_gain(&self.total),
            // Rated over the known rows, which may be less pure than all.
            _ => f64::INFINITY,
        }
    }

    /// What all rows come to, unless that depends on the focus.
    pub(crate) fn total(&self) -> StatVec<S::Num> {
        match self.stat.is_the_same_everywhere() {
            true => self.stat.total(&self.rows, EntryLayout::ROWS),
            false => StatVec::new(),
        }
    }

    /// A node's values, appended, and how impure they are.
    pub(crate) fn summarize(
        &self,
        range: Range<usize>,
        total: &[S::Num],
        values: &mut Vec<f64>,
    ) -> Summary {
        self.stat.summarize(&self.rows[range], total, values)
    }

    /// The best candidate of a sorted column that varies in a node.
    pub(crate) fn best_candidate(
        &self,
        search: &Search,
        column: u32,
        range: Range<usize>,
        view: SortedView,
        bench: &mut ThreadScratch<S::Num>,
    ) -> Option<Candidate> {
        let kind = self.columns[column as usize].kind;
        let scratch = &mut bench.scratch;
        // The levels of a nominal column are counted, unless they are many for the rows: the rows
        // are read as they lie in memory, and nothing waits to know where a level ends.
        if kind == Kind::Nominal && range.len() * LEVELS_A_ROW >= view.missing as usize {
            let codes = self.rows[range].iter().map(|&row| (row, view.levels.code(row)));
            scratch.fill_counting(&self.stat, codes, view.missing);
            return split::best_of_buckets(search, &self.stat, kind, &scratch.buckets);
        }
        let view = View::Sorted(view);
        split::best_candidate(search, &self.stat, &self.total, kind, view, scratch)
    }

    /// A node's entries of a sorted column.
    pub(crate) fn sorted_view(&self, column: u32, range: Range<usize>) -> Option<SortedView<'_>> {
        let WorkColumn { ref held, missing, distinct, .. } = self.columns[column as usize];
        let Held::Sorted(Sorted { codes, order }) = held else { return None };
        let (entries, packing) = (&order[range], self.packing);
        Some(SortedView { entries, packing, levels: codes, missing, distinct })
    }

    /// The same of a column whose buckets were filled from counts.
    pub(crate) fn best_of_counted(
        &self,
        search: &Search,
        column: u32,
        bench: &ThreadScratch<S::Num>,
    ) -> Option<Candidate> {
        let kind = self.columns[column as usize].kind;
        split::best_of_buckets(search, &self.stat, kind, &bench.scratch.buckets)
    }

    /// A row's code in a column that is held here.
    pub(crate) fn code(&self, column: u32, row: u32) -> u32 {
        let column = &self.columns[column as usize];
        match column.held {
            Held::Sorted(ref sorted) => sorted.codes.of(row),
            Held::InPanel { panel, place } => self.panels[panel].code(row, place),
            Held::Elsewhere => column.missing,
        }
    }

    /// A chosen candidate in the codes that columns were copied with.
    pub(crate) fn globally(&self, column: u32, mut candidate: Candidate) -> (u32, Candidate) {
        if let Some(global) = &self.columns[column as usize].global {
            candidate.test = candidate.test.map(|code| global[code as usize]);
        }
        (column, candidate)
    }

    /// Whether a node of so many rows is to be copied together before it is split. All of a work
    /// that fits the cache is not.
    pub(crate) fn is_set_aside(&self, n_rows: usize) -> bool {
        let of_all = self.n_rows();
        of_all > SMALL_NODE && n_rows <= SMALL_NODE.max(of_all / COPIED_SHARE)
    }
}

impl WorkColumn {
    fn is_here(&self) -> bool {
        !matches!(self.held, Held::Elsewhere)
    }
}
