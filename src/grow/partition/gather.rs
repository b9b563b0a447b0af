//! Rows of a node copied together into a work of their own.

use std::ops::Range;

use crate::data::column::{Codes, EntryLayout, MissingRows, RowCodes, Sorted};
use crate::data::dtype::Kind;
use crate::encode::order_by_counting;
use crate::grow::partition::rank_bitmap::RankBitmap;
use crate::grow::partition::{Held, Partition, WorkColumn};
use crate::grow::{Open, SMALL_NODE};
use crate::split::SortedView;
use crate::stat::Stat;

/// A column of so many levels in a small subtree is kept sorted, a lesser one counted: its
/// table is then no longer than a typical node.
const SMALL_TABLE: usize = 32;

impl<S: Stat> Partition<S> {
    /// Copies one node's rows together, numbered afresh in row order; a small node's with only the
    /// levels they have. Codes are then the copy's own, as [`code_in`](Self::code_in) has it.
    pub(crate) fn gather(&self, node: &Open<S::Num>, places: &mut RankBitmap) -> Partition<S> {
        let range = node.range.clone();
        let rows = &self.rows[range.clone()];
        places.number(rows, self.n_rows());
        let of_sorted = |view: SortedView, stat: &S, packing: EntryLayout| {
            let rows_there = view.entries.iter().map(|&entry| view.packing.row(entry));
            let places = places.of_each(rows_there);
            let entries = renumbered(view, &places, stat, packing);
            let codes = match view.levels {
                RowCodes::Identity(absent) => {
                    let without = places[view.n_known()..].iter().copied();
                    RowCodes::Identity(MissingRows::new(without, rows.len(), absent.code()))
                }
                RowCodes::Stored(_) if view.distinct => {
                    return ranked(entries, view.n_known(), view.missing);
                }
                RowCodes::Stored(_) => RowCodes::Stored(view.codes_of(rows)),
            };
            Sorted { codes, order: entries.map(|(_, entry)| entry).collect() }
        };
        let of_panel = if rows.len() > SMALL_NODE { as_they_are } else { WorkColumn::condensed };
        let stat = self.stat.gather(rows, None);
        self.copied(stat, rows, range, &node.columns, of_sorted, of_panel)
    }

    /// The code that a code of a node's copy is here.
    pub(crate) fn code_in(&self, node: &Open<S::Num>, column: u32, code: u32) -> u32 {
        match self.sorted_view(column, node.range.clone()) {
            // Its own row's number there, and here.
            Some(SortedView { levels: RowCodes::Identity(_), .. }) => {
                self.rows[node.range.start + code as usize]
            }
            Some(view) if view.distinct => view.code(code as usize),
            _ => code,
        }
    }

    /// Copies some of a node's rows together, which `stat` is of: columns become what
    /// `of_sorted` and `of_panel` make of them.
    pub(crate) fn copied(
        &self,
        stat: S,
        rows: &[u32],
        range: Range<usize>,
        columns: &[u32],
        of_sorted: impl Fn(SortedView, &S, EntryLayout) -> Sorted,
        of_panel: impl Fn(&WorkColumn, Vec<u8>, &dyn Fn(u32) -> u32) -> (WorkColumn, Codes),
    ) -> Partition<S> {
        let packing = EntryLayout::new(rows.len(), stat.tag_bits());
        let entry = |row: u32| packing.entry(row, stat.tag(row));
        let elsewhere = |c: &WorkColumn| (WorkColumn::elsewhere(c.kind), Codes::ByRow(Vec::new()));
        let mut copied: Vec<(WorkColumn, Codes)> = self.columns.iter().map(elsewhere).collect();
        // A panel's rows are looked up once, not lane by lane.
        let gathered: Vec<_> = self.panels.iter().map(|panel| panel.gather(rows)).collect();
        for &c in columns {
            let from = &self.columns[c as usize];
            if let Some(view) = self.sorted_view(c, range.clone()) {
                let codes = Codes::Sorted(of_sorted(view, &stat, packing));
                copied[c as usize] = (from.unheld(), codes);
            } else if let Held::InPanel { panel, place } = from.held {
                let (lane, code) = self.panels[panel].by_number(place, |code| code as u8);
                let rows = gathered[panel].iter();
                let codes = rows.map(|numbers| code[usize::from(numbers[lane])]).collect();
                copied[c as usize] = of_panel(from, codes, &entry);
            }
        }
        Partition::of(copied, stat, packing, rows.len(), self.copies_of(rows))
    }
}

/// A node's entries by their rows' new numbers, each with its row; `stat` is of the new rows.
fn renumbered<S: Stat>(
    view: SortedView,
    places: &[u32],
    stat: &S,
    packing: EntryLayout,
) -> impl ExactSizeIterator<Item = (u32, u32)> {
    places.iter().zip(view.entries).map(move |(&row, &entry)| {
        let tag = if view.packing.has_tags() { view.packing.tag(entry) } else { stat.tag(row) };
        (row, packing.entry(row, tag))
    })
}

/// Entries of distinct levels, whose codes are then their places among them: it spares a look at
/// each row's code, far apart in memory, and took 20 % off the growth to depth 12.
fn ranked(
    entries: impl ExactSizeIterator<Item = (u32, u32)>,
    n_known: usize,
    missing: u32,
) -> Sorted {
    let mut codes = vec![missing; entries.len()];
    let ranked = |(code, (row, entry)): (usize, (u32, u32))| {
        if code < n_known {
            codes[row as usize] = code as u32;
        }
        entry
    };
    let order = entries.enumerate().map(ranked).collect();
    Sorted { codes: RowCodes::Stored(codes), order }
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
            Codes::Sorted(Sorted { codes: RowCodes::Stored(codes), order })
        };
        let (held, global) = (Held::Elsewhere, Some(global.into()));
        (WorkColumn { kind: self.kind, held, missing, distinct: false, global }, codes)
    }
}

/// A column of a panel with some rows' codes.
pub(crate) fn as_they_are(
    column: &WorkColumn,
    codes: Vec<u8>,
    _: &dyn Fn(u32) -> u32,
) -> (WorkColumn, Codes) {
    (column.unheld(), Codes::ByRow(codes))
}
