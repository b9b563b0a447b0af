//! Rows of a node copied together into a work of their own.

use std::ops::Range;

use super::work::{Held, Work, WorkColumn};
use super::{Open, SMALL_NODE};
use crate::column::{Codes, Packing, Sorted};
use crate::dtype::Kind;
use crate::encode::order_by_counting;
use crate::stat::Stat;

/// A column of so many levels in a small subtree is kept sorted, a lesser one counted: its
/// table is then no longer than a typical node.
const SMALL_TABLE: usize = 32;

impl<S: Stat> Work<S> {
    /// Copies one node's rows together, numbered afresh in row order; a small node's with only the
    /// levels they have. Only a work whose codes are the table's is copied from.
    pub(super) fn gather(&self, node: &Open<S::Num>, places: &[u32]) -> Work<S> {
        let rows = &self.rows[node.range.clone()];
        let stat = self.stat.gather(rows, None);
        let start = node.range.start as u32;
        let place = |row: u32| Some(places[row as usize] - start);
        let range = node.range.clone();
        if range.len() > SMALL_NODE {
            return self.copied(stat, rows, range, &node.columns, place, as_they_are);
        }
        self.copied(stat, rows, range, &node.columns, place, WorkColumn::condensed)
    }

    /// Copies some of a node's rows together; `place` is a row's new number, if it has one, and
    /// `stat` is of the new rows. Columns of panels become what `of_panel` makes of them.
    pub(super) fn copied(
        &self,
        stat: S,
        rows: &[u32],
        range: Range<usize>,
        columns: &[u32],
        place: impl Fn(u32) -> Option<u32>,
        of_panel: impl Fn(&WorkColumn, Vec<u8>, &dyn Fn(u32) -> u32) -> (WorkColumn, Codes),
    ) -> Work<S> {
        let packing = Packing::new(rows.len(), stat.tag_bits());
        let entry = |row: u32| packing.entry(row, stat.tag(row));
        let elsewhere = |c: &WorkColumn| (WorkColumn::elsewhere(c.kind), Codes::ByRow(Vec::new()));
        let mut copied: Vec<(WorkColumn, Codes)> = self.columns.iter().map(elsewhere).collect();
        // A panel's rows are looked up once, not lane by lane.
        let gathered: Vec<_> = self.panels.iter().map(|panel| panel.gather(rows)).collect();
        for &c in columns {
            let from = &self.columns[c as usize];
            match &from.held {
                Held::Sorted(Sorted { codes, order }) => {
                    let entries = order[range.clone()].iter();
                    let rows_here = entries.filter_map(|&e| place(self.packing.row(e)));
                    let codes = Codes::Sorted(Sorted {
                        codes: rows.iter().map(|&row| codes[row as usize]).collect(),
                        order: rows_here.map(entry).collect(),
                    });
                    copied[c as usize] = (from.unheld(), codes);
                }
                &Held::InPanel { panel, lane } => {
                    let codes = gathered[panel].iter().map(|codes| codes[lane]).collect();
                    copied[c as usize] = of_panel(from, codes, &entry);
                }
                Held::Elsewhere => {}
            }
        }
        Work::of(copied, stat, packing, rows.len(), self.copies_of(rows))
    }
}

impl WorkColumn {
    /// A column that tells no rows of this work apart.
    fn elsewhere(kind: Kind) -> Self {
        WorkColumn { kind, held: Held::Elsewhere, missing: 0, distinct: false, global: None }
    }

    /// The column without its codes.
    fn unheld(&self) -> WorkColumn {
        let WorkColumn { kind, missing, distinct, .. } = *self;
        let held = Held::Elsewhere;
        WorkColumn { kind, held, missing, distinct, global: self.global.clone() }
    }

    /// Some rows' codes with only the levels they have: few of them are counted, many put in
    /// order once for the whole subtree. `entry` is that of a row.
    fn condensed(&self, codes: Vec<u8>, entry: &dyn Fn(u32) -> u32) -> (WorkColumn, Codes) {
        let mut is_here = [false; 1 << u8::BITS];
        codes.iter().for_each(|&code| is_here[usize::from(code)] = true);
        let global: Vec<u32> = (0..self.missing).filter(|&code| is_here[code as usize]).collect();
        let mut local = [global.len() as u8; 1 << u8::BITS];
        for (code, &global) in global.iter().enumerate() {
            local[global as usize] = code as u8;
        }
        let missing = global.len() as u32;
        let codes = codes.iter().map(|&code| local[usize::from(code)]);
        let codes = if global.len() < SMALL_TABLE {
            Codes::ByRow(codes.collect())
        } else {
            let codes: Vec<u32> = codes.map(u32::from).collect();
            let mut order = order_by_counting(&codes, global.len() + 1);
            order.iter_mut().for_each(|row| *row = entry(*row));
            Codes::Sorted(Sorted { codes, order })
        };
        let (held, global) = (Held::Elsewhere, Some(global.into()));
        (WorkColumn { kind: self.kind, held, missing, distinct: false, global }, codes)
    }
}

/// A column of a panel with some rows' codes.
pub(super) fn as_they_are(
    column: &WorkColumn,
    codes: Vec<u8>,
    _: &dyn Fn(u32) -> u32,
) -> (WorkColumn, Codes) {
    (column.unheld(), Codes::ByRow(codes))
}
