//! Rows of a node copied together into a partition of their own.

use std::ops::Range;

use super::rank_bitmap::RankBitmap;
use super::{Partition, PartitionColumn, Storage};
use crate::data::column::{Codes, EntryLayout, MissingRows, RowCodes, Sorted};
use crate::encode::order_by_counting;
use crate::grow::SMALL_NODE;
use crate::grow::node::OpenNode;
use crate::split::PresortedView;
use crate::stat::RowStats;

/// A column of so many levels in a small subtree is presorted, one of fewer counted: its
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
                RowCodes::Identity(missing_rows) => {
                    let missing = ranks[view.n_known()..].iter().copied();
                    RowCodes::Identity(MissingRows::new(missing, rows.len(), missing_rows.code()))
                }
                RowCodes::Stored(_) if view.is_distinct => {
                    return ranked(entries, view.n_known(), view.missing);
                }
                RowCodes::Stored(_) => RowCodes::Stored(view.codes_of(rows)),
            };
            Sorted { codes, order: entries.map(|(_, entry)| entry).collect() }
        };
        let of_packed =
            if rows.len() > SMALL_NODE { unchanged } else { PartitionColumn::condensed };
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
        of_packed: impl Fn(&PartitionColumn, Vec<u8>, &dyn Fn(u32) -> u32) -> (PartitionColumn, Codes),
    ) -> Partition<S> {
        let layout = EntryLayout::new(rows.len(), stats.payload_bits());
        let entry = |row: u32| layout.entry_by(row, |row| stats.payload(row));
        let constant =
            |c: &PartitionColumn| (PartitionColumn::constant(c.kind), Codes::ByRow(Vec::new()));
        let mut copied: Vec<(PartitionColumn, Codes)> = self.columns.iter().map(constant).collect();
        // Records of a pack are looked up once, not once a column.
        let records: Vec<_> = self.packs.iter().map(|pack| pack.gather(rows)).collect();
        for &c in columns {
            let from = &self.columns[c as usize];
            if let Some(view) = self.presorted(c, range.clone()) {
                let codes = Codes::Sorted(of_presorted(view, &stats, layout));
                copied[c as usize] = (from.without_codes(), codes);
            } else if let Storage::Packed { pack, index } = from.storage {
                let (byte, codes) = self.packs[pack].map_values(index, |code| code as u8);
                let records = records[pack].iter();
                let codes = records.map(|record| codes[usize::from(record[byte])]).collect();
                copied[c as usize] = of_packed(from, codes, &entry);
            }
        }
        Partition::of(copied, stats, layout, rows.len(), self.copies_of(rows))
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

impl PartitionColumn {
    pub(super) fn without_codes(&self) -> PartitionColumn {
        let PartitionColumn { kind, missing, is_distinct, .. } = *self;
        let original_codes = self.original_codes.clone();
        PartitionColumn { kind, storage: Storage::Constant, missing, is_distinct, original_codes }
    }

    /// Some rows' codes with only the levels they have: few levels are counted, many presorted
    /// once for the whole subtree. `entry` gives a row's entry.
    fn condensed(&self, codes: Vec<u8>, entry: &dyn Fn(u32) -> u32) -> (PartitionColumn, Codes) {
        let mut is_present = [false; 1 << u8::BITS];
        codes.iter().for_each(|&code| is_present[usize::from(code)] = true);
        let original: Vec<u32> =
            (0..self.missing).filter(|&code| is_present[code as usize]).collect();
        let mut condensed = [original.len() as u8; 1 << u8::BITS];
        for (code, &original) in original.iter().enumerate() {
            condensed[original as usize] = code as u8;
        }
        let missing = original.len() as u32;
        let codes = codes.iter().map(|&code| condensed[usize::from(code)]);
        let codes = if original.len() < SMALL_HISTOGRAM {
            Codes::ByRow(codes.collect())
        } else {
            let codes: Vec<u32> = codes.map(u32::from).collect();
            let mut order = order_by_counting(&codes, original.len() + 1);
            order.iter_mut().for_each(|row| *row = entry(*row));
            Codes::Sorted(Sorted { codes: RowCodes::Stored(codes), order })
        };
        let original_codes = Some(original.into());
        (PartitionColumn { missing, original_codes, ..PartitionColumn::constant(self.kind) }, codes)
    }
}

/// A packed column with some rows' codes.
pub(super) fn unchanged(
    column: &PartitionColumn,
    codes: Vec<u8>,
    _: &dyn Fn(u32) -> u32,
) -> (PartitionColumn, Codes) {
    (column.without_codes(), Codes::ByRow(codes))
}
