//! The codes of one column at one node.

use crate::data::column::{Codes, Column, EntryLayout, RowCodes, Sorted};

#[derive(Clone, Copy, Debug)]
pub(crate) enum ColumnView<'a> {
    Presorted(PresortedView<'a>),
    /// The codes of all rows, and the node's rows.
    ByRow {
        codes: &'a [u8],
        rows: &'a [u32],
        missing: u32,
    },
}

/// What tells the levels of rows apart.
pub(crate) trait RowLevels: Copy {
    /// The code of a row's level. Rows of one level may have different codes.
    fn code(self, row: u32) -> u32;

    /// Whether two rows share a level.
    fn is_same(self, row: u32, other: u32) -> bool;
}

impl RowLevels for &RowCodes {
    #[inline(always)]
    fn code(self, row: u32) -> u32 {
        self.of(row)
    }

    #[inline(always)]
    fn is_same(self, row: u32, other: u32) -> bool {
        self.code(row) == self.code(other)
    }
}

/// Keys of rows that are numbered in order of key: a row's number is its code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortedKeyLevels<'a>(pub(crate) &'a [u64]);

impl RowLevels for SortedKeyLevels<'_> {
    #[inline(always)]
    fn code(self, row: u32) -> u32 {
        row
    }

    #[inline(always)]
    fn is_same(self, row: u32, other: u32) -> bool {
        self.0[row as usize] == self.0[other as usize]
    }
}

/// The node's entries in order of level. Missing values, whose codes are `missing` or above, come
/// last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PresortedView<'a, L = &'a RowCodes> {
    pub(crate) entries: &'a [u32],
    pub(crate) layout: EntryLayout,
    pub(crate) levels: L,
    pub(crate) missing: u32,
    /// No two rows share a level.
    pub(crate) is_distinct: bool,
}

impl<'a> PresortedView<'a> {
    /// Some rows of a column of many levels, in its order.
    pub(crate) fn of(column: &Column, sorted: &'a Sorted, entries: &'a [u32]) -> Self {
        PresortedView {
            entries,
            layout: EntryLayout::ROWS,
            levels: &sorted.codes,
            missing: column.missing_code(),
            is_distinct: column.is_distinct(),
        }
    }

    pub(crate) fn codes_of(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.levels.code(row)).collect()
    }

    /// The rows of the first entries, ascending.
    fn rows(&self, n_entries: usize) -> Vec<u32> {
        let sorted = |entries: &[u32]| {
            let mut rows: Vec<u32> = entries.iter().map(|&entry| self.layout.row(entry)).collect();
            rows.sort_unstable();
            rows
        };
        let (first, others) = self.entries.split_at(n_entries);
        if self.entries.len() < self.levels.n_rows() {
            return sorted(first);
        }
        // All rows of the column but the others, which are few or none.
        let rows = 0..self.entries.len() as u32;
        if others.is_empty() {
            return rows.collect();
        }
        let mut others = sorted(others).into_iter().peekable();
        rows.filter(|row| others.next_if_eq(row).is_none()).collect()
    }

    /// Whether the entries do not all share one code.
    pub(crate) fn varies(&self) -> bool {
        self.entries.len() > 1 && self.code(0) != self.code(self.entries.len() - 1)
    }
}

impl<L: RowLevels> PresortedView<'_, L> {
    #[inline(always)]
    fn row(&self, at: usize) -> u32 {
        self.layout.row(self.entries[at])
    }

    #[inline(always)]
    pub(crate) fn code(&self, at: usize) -> u32 {
        self.levels.code(self.row(at))
    }

    /// Entries whose value is known.
    pub(crate) fn n_known(&self) -> usize {
        let is_known = |&entry: &u32| self.levels.code(self.layout.row(entry)) < self.missing;
        match self.entries.last() {
            Some(last) if !is_known(last) => self.entries.partition_point(is_known),
            _ => self.entries.len(),
        }
    }

    /// Where the level that begins at `at` ends, before `n_known`.
    #[inline(always)]
    pub(crate) fn level_end(&self, at: usize, n_known: usize) -> usize {
        let mut end = at + 1;
        if !self.is_distinct {
            let row = self.row(at);
            while end < n_known && self.levels.is_same(row, self.row(end)) {
                end += 1;
            }
        }
        end
    }

    /// Whether two known entries, and so all between them, share a level.
    #[inline(always)]
    pub(crate) fn is_one_level(&self, first: usize, last: usize) -> bool {
        !self.is_distinct && self.levels.is_same(self.row(first), self.row(last))
    }

    /// Levels present.
    pub(crate) fn n_levels(&self) -> usize {
        let n_known = self.n_known();
        if self.is_distinct {
            return n_known;
        }
        (0..n_known).filter(|&at| at == 0 || self.is_boundary(at)).count()
    }

    /// Whether a level ends before `at`.
    #[inline(always)]
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        self.is_distinct || !self.levels.is_same(self.row(at - 1), self.row(at))
    }
}

impl<'a> ColumnView<'a> {
    /// All rows of a column, which `rows` lists.
    pub(crate) fn of(column: &'a Column, rows: &'a [u32]) -> Self {
        match &column.codes {
            Codes::Sorted(sorted) => {
                ColumnView::Presorted(PresortedView::of(column, sorted, &sorted.order))
            }
            Codes::ByRow(codes) => {
                ColumnView::ByRow { codes, rows, missing: column.missing_code() }
            }
        }
    }

    /// The node's rows, ascending.
    pub(crate) fn rows(&self) -> Vec<u32> {
        match self {
            ColumnView::Presorted(view) => view.rows(view.entries.len()),
            ColumnView::ByRow { rows, .. } => rows.to_vec(),
        }
    }

    /// The rows whose value is known, ascending.
    pub(crate) fn known_rows(&self) -> Vec<u32> {
        match self {
            ColumnView::Presorted(view) => view.rows(view.n_known()),
            &ColumnView::ByRow { codes, rows, missing } => {
                let is_known = |row: &u32| u32::from(codes[*row as usize]) < missing;
                rows.iter().copied().filter(is_known).collect()
            }
        }
    }
}
