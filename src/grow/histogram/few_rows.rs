//! Packed columns of a node of few rows, without a histogram.

use super::packed_columns::{PackedColumns, Record};
use crate::split::RowLevels;

/// A node of at most this many rows takes packed columns row by row: tables of a pack's slots or of
/// a byte's values would be longer.
pub(crate) const FEW_ROWS: usize = 32;

#[derive(Clone, Copy)]
pub(crate) struct PackedLevels<'a> {
    records: &'a [Record],
    /// The column's byte of a record.
    byte: usize,
    /// The column's slot for each value of the byte: every `step`-th, from the first on.
    slots: &'a [usize],
    step: usize,
    /// The slot of code 0.
    start: usize,
}

impl PackedColumns {
    pub(crate) fn levels(&self, index: usize) -> PackedLevels<'_> {
        let byte = self.byte_of(index);
        let of_byte = &self.bytes[byte];
        PackedLevels {
            records: &self.records,
            byte,
            slots: &of_byte.slots[index - of_byte.members.start..],
            step: of_byte.members.len(),
            start: self.starts[index],
        }
    }
}

impl RowLevels for PackedLevels<'_> {
    #[inline(always)]
    fn code(self, row: u32) -> u32 {
        let value = usize::from(self.records[row as usize][self.byte]);
        (self.slots[value * self.step] - self.start) as u32
    }

    #[inline(always)]
    fn is_same(self, row: u32, other: u32) -> bool {
        self.code(row) == self.code(other)
    }
}

/// Entries in order of level, and memory to sort them.
#[derive(Debug, Default)]
pub(crate) struct SortedEntries {
    pub(crate) entries: Vec<u32>,
    /// Entries, below their codes.
    keyed: Vec<u64>,
}

impl SortedEntries {
    /// Takes the entries of some rows in order of code, and returns true, unless all share one code.
    pub(crate) fn sort(
        &mut self,
        levels: PackedLevels,
        rows: &[u32],
        entry: impl Fn(u32) -> u32,
    ) -> bool {
        let Some((&first, others)) = rows.split_first() else { return false };
        if others.iter().all(|&row| levels.is_same(first, row)) {
            return false;
        }
        let keyed = |&row: &u32| u64::from(levels.code(row)) << u32::BITS | u64::from(entry(row));
        self.keyed.clear();
        self.keyed.extend(rows.iter().map(keyed));
        self.keyed.sort_unstable();
        self.entries.clear();
        self.entries.extend(self.keyed.iter().map(|&keyed| keyed as u32));
        true
    }
}
