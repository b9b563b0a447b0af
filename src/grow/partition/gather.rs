//! Rows of a node copied together into a partition of their own.

use std::ops::Range;

use super::Partition;
use super::rank_bitmap::RankBitmap;
use crate::data::column::{Codes, EntryLayout, MissingRows, RowCodes, Sorted};
use crate::encode::order_by_counting;
use crate::grow::SMALL_NODE;
use crate::grow::node::OpenNode;
use crate::grow::stored::{StoredCodes, StoredColumn, StoredColumns};
use crate::split::PresortedView;
use crate::stat::{Rating, RowStats};

/// A column of this many levels in a small subtree is presorted, one of fewer counted: its
/// histogram is then no longer than a typical node.
const SMALL_HISTOGRAM: usize = 32;

impl<S: RowStats> Partition<S> {
    /// Copies one node's rows, renumbered in row order; columns of a small node keep only the
    /// levels they have. The copy has codes of its own, which
    /// [`code_before_gather`](Self::code_before_gather) turns back.
    pub(crate) fn gather(&self, node: &OpenNode<S::Num>, bitmap: &mut RankBitmap) -> Partition<S> {
        let range = node.range.clone();
        let rows = &self.rows[range.clone()];
        bitmap.fill(rows, self.branch_map.n_rows());
        let of_presorted = |view: PresortedView, stats: &S, layout: EntryLayout| {
            let ranks = bitmap.ranks(view.entries.iter().map(|&entry| view.layout.row(entry)));
            let entries = renumbered(view, &ranks, stats, layout);
            let codes = match view.levels {
                RowCodes::Stored(_) if view.is_distinct => {
                    return ranked(entries, view.n_known(), view.missing);
                }
                _ => codes_here(view, &ranks, rows),
            };
            Sorted { codes, order: entries.map(|(_, entry)| entry).collect() }
        };
        let of_packed = if rows.len() > SMALL_NODE { unchanged } else { condensed };
        let stats = self.stats.gather(rows);
        self.copied(stats, rows, range, &node.columns, of_presorted, of_packed)
    }

    /// The code here of a code in a node's copy.
    pub(crate) fn code_before_gather(
        &self,
        node: &OpenNode<S::Num>,
        column: u32,
        code: u32,
    ) -> u32 {
        match self.presorted(column, node.range.clone()) {
            // A row's number is its code, there and here.
            Some(PresortedView { levels: RowCodes::Identity(_), .. }) => {
                self.rows[node.range.start + code as usize]
            }
            Some(view) if view.is_distinct => view.code(code as usize),
            Some(_) | None => code,
        }
    }

    /// Copies some of a node's rows, whose stats are `stats`; `of_presorted` and `of_packed` make
    /// the columns.
    pub(super) fn copied(
        &self,
        stats: S,
        rows: &[u32],
        range: Range<usize>,
        columns: &[u32],
        of_presorted: impl Fn(PresortedView, &S, EntryLayout) -> Sorted,
        of_packed: impl Fn(&StoredColumn, Vec<u8>, &dyn Fn(u32) -> u32) -> (StoredColumn, Codes),
    ) -> Partition<S> {
        let layout = EntryLayout::new(rows.len(), stats.payload_bits());
        let entry = |row: u32| layout.entry_by(row, |row| stats.payload(row));
        let StoredColumns { columns: all, packs } = &self.stored;
        let mut copied: Vec<(StoredColumn, Option<Codes>)> =
            all.iter().map(|column| (StoredColumn::constant(column.kind), None)).collect();
        // Records of a pack are looked up once, not once a column.
        let records: Vec<_> = packs.iter().map(|pack| pack.gather(rows)).collect();
        for &c in columns {
            let from = self.column(c);
            let (column, codes) = if let Some(view) = self.presorted(c, range.clone()) {
                (from.clone(), Some(Codes::Sorted(of_presorted(view, &stats, layout))))
            } else if let StoredCodes::Unordered(codes) = &from.codes {
                let codes = rows.iter().map(|&row| codes[row as usize]).collect();
                (StoredColumn { codes: StoredCodes::Unordered(codes), ..from.clone() }, None)
            } else if let StoredCodes::Packed { pack, index } = from.codes {
                let (byte, codes) = packs[pack].map_values(index, |code| code as u8);
                let records = records[pack].iter();
                let codes = records.map(|record| codes[usize::from(record[byte])]).collect();
                let (column, codes) = of_packed(from, codes, &entry);
                (column, Some(codes))
            } else {
                continue;
            };
            copied[c as usize] = (column, codes);
        }
        let (stored, entries) = StoredColumns::new(copied, stats.rating().width());
        let (n_rows, copies) = (rows.len(), self.copies_of(rows));
        let rows = (0..n_rows as u32).collect();
        Partition::new(stored, entries, stats, layout, rows, n_rows, copies)
    }
}

/// A node's entries by their rows' new numbers, each after its row; `stats` is of the new rows.
fn renumbered<S: RowStats>(
    view: PresortedView,
    ranks: &[u32],
    stats: &S,
    layout: EntryLayout,
) -> impl ExactSizeIterator<Item = (u32, u32)> {
    ranks.iter().zip(view.entries).map(move |(&row, &entry)| {
        let is_kept = S::PAYLOADS_ARE_KEPT && view.layout.has_payloads();
        let payload = |row| if is_kept { view.layout.payload(entry) } else { stats.payload(row) };
        (row, layout.entry_by(row, payload))
    })
}

/// The codes of a view's rows, which ascend, by their new numbers: rows that are their own codes
/// stay so. `ranks` are the new numbers in the view's order.
pub(super) fn codes_here(view: PresortedView, ranks: &[u32], rows: &[u32]) -> RowCodes {
    match view.levels {
        RowCodes::Identity(missing_rows) => {
            let missing = ranks[view.n_known()..].iter().copied();
            RowCodes::Identity(MissingRows::new(missing, rows.len(), missing_rows.code()))
        }
        RowCodes::Stored(_) => RowCodes::Stored(view.codes_of(rows)),
    }
}

/// Entries of distinct levels. Their indices become their codes, which saves a random access to
/// each row's old code.
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

/// Some rows' codes with only the levels they have: few levels are counted, many presorted once
/// for the whole subtree. `entry` gives a row's entry.
fn condensed(
    column: &StoredColumn,
    codes: Vec<u8>,
    entry: &dyn Fn(u32) -> u32,
) -> (StoredColumn, Codes) {
    let mut is_present = [false; 1 << u8::BITS];
    codes.iter().for_each(|&code| is_present[usize::from(code)] = true);
    let present: Vec<u32> = (0..column.missing).filter(|&code| is_present[code as usize]).collect();
    let mut condensed = [present.len() as u8; 1 << u8::BITS];
    for (code, &before) in present.iter().enumerate() {
        condensed[before as usize] = code as u8;
    }
    let missing = present.len() as u32;
    let codes = codes.iter().map(|&code| condensed[usize::from(code)]);
    let codes = if present.len() < SMALL_HISTOGRAM {
        Codes::ByRow(codes.collect())
    } else {
        let codes: Vec<u32> = codes.map(u32::from).collect();
        let mut order = order_by_counting(&codes, present.len() + 1);
        order.iter_mut().for_each(|row| *row = entry(*row));
        Codes::Sorted(Sorted { codes: RowCodes::Stored(codes), order })
    };
    let table_codes = Some(present.into());
    (StoredColumn { missing, table_codes, ..StoredColumn::constant(column.kind) }, codes)
}

/// A packed column with some rows' codes.
pub(super) fn unchanged(
    column: &StoredColumn,
    codes: Vec<u8>,
    _: &dyn Fn(u32) -> u32,
) -> (StoredColumn, Codes) {
    (column.clone(), Codes::ByRow(codes))
}
