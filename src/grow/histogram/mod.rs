//! Histograms of packed columns: a stat for each code of each column at one node.
//!
//! Rows are counted by the value of each byte of their record; a byte of several columns is
//! counted by value first, and each value's stat is then added to the slot of each of its digits:
//!
//! ```text
//! rows ── count ──> stat by byte value ── unfold ──> stat by slot (column, code)
//! ```
//!
//! All branches of a node but the largest are counted. The largest branch's histogram is the node's
//! less the histograms of its siblings.

pub(crate) mod few_rows;
pub(crate) mod packed_columns;
pub(crate) mod siblings;

use crate::stat::{CountRows, Num, Rating, add};
use crate::util::parallel;
use packed_columns::{PackedByte, PackedColumns, Record};

/// Rows that are loaded before they are counted.
const LOADED: usize = 64;

/// The stats of a pack's codes at one node, one a slot.
#[derive(Debug)]
pub(crate) struct Histogram<N> {
    stats: Vec<N>,
    /// The rows of each slot; empty where stats count rows.
    rows: Vec<u32>,
}

impl<N: Num> Histogram<N> {
    /// Counts some rows in the bytes of some columns, given by index; other slots stay empty.
    pub(crate) fn count<S: CountRows<Num = N>>(
        pack: &PackedColumns,
        stats: &S,
        rows: &[u32],
        columns: &[usize],
    ) -> Histogram<N> {
        let mut bytes: Vec<usize> = (0..pack.bytes.len()).collect();
        bytes.retain(|&byte| columns.iter().any(|c| pack.bytes[byte].members.contains(c)));
        let rating = stats.rating();
        let count = |rows: &[u32]| Histogram {
            stats: count_slots(
                pack,
                rows,
                &bytes,
                rating.width(),
                |row| stats.increment(row),
                S::add_at,
            ),
            rows: match rating.counts_rows() {
                true => Vec::new(),
                false => {
                    count_slots(pack, rows, &bytes, 1, |_| (), |(), start, table| table[start] += 1)
                }
            },
        };
        parallel::reduce(rows, count, Histogram::plus)
    }

    /// The stats of a column's codes, and their rows where rows are counted apart.
    pub(crate) fn of_column(
        &self,
        pack: &PackedColumns,
        index: usize,
        width: usize,
    ) -> (&[N], &[u32]) {
        let slots = pack.slots(index);
        let rows = if self.rows.is_empty() { &[] } else { &self.rows[slots.clone()] };
        (&self.stats[slots.start * width..slots.end * width], rows)
    }

    fn plus(mut self, other: Self) -> Self {
        add(&mut self.stats, &other.stats);
        add(&mut self.rows, &other.rows);
        self
    }

    pub(crate) fn subtract(&mut self, part: &Histogram<N>) {
        crate::stat::subtract(&mut self.stats, &part.stats);
        crate::stat::subtract(&mut self.rows, &part.rows);
    }
}

/// Counts rows in some bytes of a pack, by slot. `add_at` adds the increment of a row to the numbers
/// of a slot, which begin at an index of the table and are `width`.
fn count_slots<N: Num, I: Copy + Default>(
    pack: &PackedColumns,
    rows: &[u32],
    bytes: &[usize],
    width: usize,
    increment: impl Fn(u32) -> I,
    add_at: impl Fn(I, usize, &mut [N]),
) -> Vec<N> {
    let n_slots = pack.n_slots();
    // Where each byte is counted by value: a byte of one column in that column's slots, others
    // after all slots. Among few rows a byte of many values is counted by digit.
    let (mut by_value, mut by_digit) = (Vec::new(), Vec::new());
    let mut end = n_slots;
    for &byte in bytes {
        let PackedByte { members, slots } = &pack.bytes[byte];
        let n_values = slots.len() / members.len();
        if members.len() == 1 {
            by_value.push((byte, pack.starts[members.start]));
        } else if n_values <= rows.len() {
            by_value.push((byte, end));
            end += n_values;
        } else {
            by_digit.push(byte);
        }
    }
    let mut table = vec![N::default(); end * width];
    if !by_value.is_empty() {
        // Loaded together, rows do not wait for each other.
        let mut loaded = [(Record::default(), I::default()); LOADED];
        for rows in rows.chunks(LOADED) {
            let loaded = &mut loaded[..rows.len()];
            for (loaded, &row) in loaded.iter_mut().zip(rows) {
                *loaded = (pack.records[row as usize], increment(row));
            }
            for &(byte, start) in &by_value {
                for &(record, increment) in &*loaded {
                    let slot = start + usize::from(record[byte]);
                    add_at(increment, slot * width, &mut table);
                }
            }
        }
    }
    for &byte in &by_digit {
        let PackedByte { members, slots } = &pack.bytes[byte];
        for &row in rows {
            let at = pack.value(row, byte) * members.len();
            let increment = increment(row);
            for slot in &slots[at..at + members.len()] {
                add_at(increment, slot * width, &mut table);
            }
        }
    }
    let (slots, shared) = table.split_at_mut(n_slots * width);
    for (byte, start) in by_value.into_iter().filter(|(_, start)| *start >= n_slots) {
        unfold(&pack.bytes[byte], &shared[(start - n_slots) * width..], slots, width);
    }
    table.truncate(n_slots * width);
    table
}

/// Adds the stat of each value of a byte to the slots of its digits.
fn unfold<N: Num>(byte: &PackedByte, by_value: &[N], by_slot: &mut [N], width: usize) {
    let values = by_value.chunks_exact(width);
    for (stat, slots) in values.zip(byte.slots.chunks_exact(byte.members.len())) {
        for &slot in slots {
            add(&mut by_slot[slot * width..(slot + 1) * width], stat);
        }
    }
}
