//! The counts of a panel's codes at open nodes.
//!
//! Rows are counted by the number they have in a lane, and each number's count is then added to
//! those of its digits. Of a node's branches all but the largest are counted: its counts are the
//! node's less those of the others.

pub(crate) mod packed_columns;

use crate::grow::histogram::packed_columns::{Lane, PackedColumns};
use crate::stat::{Num, Stat, in_parts};

/// What a panel's codes come to at a node, a slot a code.
#[derive(Debug)]
pub(crate) struct Counts<N> {
    stats: Vec<N>,
    /// The rows of each slot, where stats do not tell.
    rows: Vec<u32>,
}

impl PackedColumns {
    /// Counts the codes of some rows in the lanes of some columns; other slots stay empty.
    pub(crate) fn count<S: Stat>(
        &self,
        stat: &S,
        rows: &[u32],
        places: &[usize],
    ) -> Counts<S::Num> {
        let mut lanes: Vec<usize> = (0..self.lanes.len()).collect();
        lanes.retain(|&lane| places.iter().any(|place| self.lanes[lane].places.contains(place)));
        let of = |rows: &[u32]| Counts {
            stats: self.counted(rows, &lanes, stat.width(), &OfStat(stat)),
            rows: match stat.counts_rows() {
                true => Vec::new(),
                false => self.counted(rows, &lanes, 1, &OfRows),
            },
        };
        in_parts(rows, of, Counts::add)
    }

    /// What some rows come to in some lanes, by slot.
    fn counted<N: Num>(
        &self,
        rows: &[u32],
        lanes: &[usize],
        width: usize,
        add: &impl Add<N>,
    ) -> Vec<N> {
        let n_slots = self.n_slots();
        // Where counts by number begin: those of one column are its slots', others' come after all.
        let (mut by_number, mut by_digit) = (Vec::new(), Vec::new());
        let mut end = n_slots;
        for &lane in lanes {
            let Lane { places, slots } = &self.lanes[lane];
            let n_numbers = slots.len() / places.len();
            if places.len() == 1 {
                by_number.push((lane, self.starts[places.start]));
            } else if n_numbers <= rows.len() {
                by_number.push((lane, end));
                end += n_numbers;
            } else {
                by_digit.push(lane);
            }
        }
        let mut table = vec![N::default(); end * width];
        if !by_number.is_empty() {
            for &row in rows {
                let numbers = self.numbers[row as usize];
                let at = |&(lane, start): &(usize, usize)| start + usize::from(numbers[lane]);
                add.add(row, by_number.iter().map(at), &mut table);
            }
        }
        for &lane in &by_digit {
            let Lane { places, slots } = &self.lanes[lane];
            for &row in rows {
                let at = self.number(row, lane) * places.len();
                add.add(row, slots[at..at + places.len()].iter().copied(), &mut table);
            }
        }
        let (slots, shared) = table.split_at_mut(n_slots * width);
        for (lane, start) in by_number.into_iter().filter(|(_, start)| *start >= n_slots) {
            self.lanes[lane].spread(&shared[(start - n_slots) * width..], slots, width);
        }
        table.truncate(n_slots * width);
        table
    }

    /// Whether the counts of a node of so many rows are worth keeping. Those of open nodes then
    /// never take more numbers than the panel has codes.
    pub(crate) fn is_worth_keeping(&self, n_rows: usize, columns: usize, width: usize) -> bool {
        self.n_slots() * width <= n_rows * columns
    }
}

impl Lane {
    /// Adds what each number comes to to each of its digits.
    fn spread<N: Num>(&self, by_number: &[N], by_slot: &mut [N], width: usize) {
        let numbers = by_number.chunks_exact(width);
        for (stat, slots) in numbers.zip(self.slots.chunks_exact(self.places.len())) {
            for &slot in slots {
                let sums = &mut by_slot[slot * width..(slot + 1) * width];
                sums.iter_mut().zip(stat).for_each(|(sum, &n)| *sum += n);
            }
        }
    }
}

/// What a row adds to the table of a count.
trait Add<N> {
    fn add(&self, row: u32, slots: impl Iterator<Item = usize>, table: &mut [N]);
}

struct OfStat<'a, S>(&'a S);

impl<S: Stat> Add<S::Num> for OfStat<'_, S> {
    #[inline]
    fn add(&self, row: u32, slots: impl Iterator<Item = usize>, table: &mut [S::Num]) {
        self.0.add_at(row, slots, table);
    }
}

struct OfRows;

impl Add<u32> for OfRows {
    #[inline]
    fn add(&self, _: u32, slots: impl Iterator<Item = usize>, table: &mut [u32]) {
        slots.for_each(|slot| table[slot] += 1);
    }
}

impl<N: Num> Counts<N> {
    /// The stats of a column's codes, and their rows where those are kept apart.
    pub(crate) fn of_column(
        &self,
        panel: &PackedColumns,
        place: usize,
        width: usize,
    ) -> (&[N], &[u32]) {
        let slots = panel.slots(place);
        let rows = if self.rows.is_empty() { &[] } else { &self.rows[slots.clone()] };
        (&self.stats[slots.start * width..slots.end * width], rows)
    }

    /// The counts of other rows too.
    fn add(mut self, other: Self) -> Self {
        self.stats.iter_mut().zip(other.stats).for_each(|(n, more)| *n += more);
        self.rows.iter_mut().zip(other.rows).for_each(|(n, more)| *n += more);
        self
    }

    /// Takes the counts of some of the rows away.
    pub(crate) fn subtract(&mut self, part: &Counts<N>) {
        self.stats.iter_mut().zip(&part.stats).for_each(|(n, &p)| *n -= p);
        self.rows.iter_mut().zip(&part.rows).for_each(|(n, &p)| *n -= p);
    }
}
