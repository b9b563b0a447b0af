//! One column of a [`TinyTable`](super::TinyTable).

use std::ops::Range;

use crate::data::dtype::Kind;
use crate::split::{PresortedView, RowLevels, TinyView};
use crate::stat::{PerTinyRow, RowStats};

pub(super) struct TinyColumn {
    /// Its number in the table.
    pub(super) column: u32,
    pub(super) kind: Kind,
    /// The rows of each node in order of level, rows without a value last.
    pub(super) order: PerTinyRow<u8>,
    pub(super) levels: PerTinyRow<u8>,
    pub(super) missing: u8,
    /// The partition's code of each level.
    pub(super) codes: PerTinyRow<u32>,
    pub(super) missing_code: u32,
}

/// The level of a missing value where there is none.
const NO_LEVEL: u8 = u8::MAX;

impl Default for TinyColumn {
    fn default() -> Self {
        TinyColumn {
            column: 0,
            kind: Kind::Ordered,
            order: PerTinyRow::default(),
            levels: PerTinyRow::default(),
            missing: NO_LEVEL,
            codes: PerTinyRow::default(),
            missing_code: 0,
        }
    }
}

impl TinyColumn {
    /// Forgets the rows of another node.
    pub(super) fn begin(&mut self, column: u32, kind: Kind, missing_code: u32) {
        (self.column, self.kind) = (column, kind);
        (self.missing, self.missing_code) = (NO_LEVEL, missing_code);
    }

    /// Takes over rows that are in order of level.
    pub(super) fn rank(&mut self, view: PresortedView, row_of_number: &[u8]) {
        let mut level = 0;
        for (&entry, at) in view.entries.iter().zip(0..) {
            let number = view.layout.row(entry);
            let code = view.levels.code(number);
            self.push(at, row_of_number[number as usize], code, &mut level);
        }
    }

    /// Puts rows of a column of few levels in order.
    pub(super) fn sort(&mut self, levels: impl RowLevels, numbers: &[u32]) {
        const N_CODES: usize = 1 << u8::BITS;
        let (mut ends, mut codes) = ([0u8; N_CODES + 1], PerTinyRow::default());
        for (&number, row) in numbers.iter().zip(0..) {
            codes[row] = levels.code(number);
            ends[codes[row] as usize] += 1;
        }
        let n_codes = (self.missing_code as usize + 1).min(N_CODES + 1);
        let mut end = 0;
        for of_code in &mut ends[..n_codes] {
            end += *of_code;
            *of_code = end - *of_code;
        }
        let mut order = PerTinyRow::default();
        for row in 0..numbers.len() as u8 {
            let slot = &mut ends[codes[row] as usize];
            order[*slot] = row;
            *slot += 1;
        }
        let mut level = 0;
        for at in 0..numbers.len() as u8 {
            self.push(at, order[at], codes[order[at]], &mut level);
        }
    }

    /// Whether a node's rows do not all share one level. Missing may be one.
    #[inline(always)]
    pub(super) fn varies(&self, rows: &Range<usize>) -> bool {
        let order = self.order.as_slice();
        self.levels[order[rows.start]] != self.levels[order[rows.end - 1]]
    }

    #[inline(always)]
    pub(super) fn view<'a, S: RowStats>(
        &'a self,
        stats: &'a S::Tiny,
        rows: Range<usize>,
    ) -> TinyView<'a, S> {
        let TinyColumn { order, levels, missing, codes, .. } = self;
        let order = &order.as_slice()[rows];
        TinyView { rows: stats, order, levels, missing: *missing, codes }
    }

    /// Appends a row. `level` is the level of the row before.
    #[inline(always)]
    fn push(&mut self, at: u8, row: u8, code: u32, level: &mut u8) {
        *level += u8::from(at > 0 && code != self.codes[*level]);
        self.order[at] = row;
        self.levels[row] = *level;
        self.codes[*level] = code;
        if code >= self.missing_code {
            self.missing = *level;
        }
    }
}
