//! Columns of few levels, side by side, and the counts of their codes at open nodes.
//!
//! The codes of a row lie next to each other, so that one look at a row counts it in all columns
//! of a panel. Columns of very few codes share a lane: a row's codes are the digits of a number
//! there, rows are counted by number, and each number's count is then added to those of its digits.
//! It took 45 % off the growth on 54 columns of 0 and 1. And of a node's branches all but the
//! largest are counted: its counts are the node's less those of the others.

use std::ops::Range;

use super::SMALL_NODE;
use crate::stat::{Num, Stat};

/// Lanes of a panel. More make a row's look-up cheaper, fewer leave panels enough for the threads.
const LANES: usize = 8;

/// Panels, at least, where there are lanes for them: a task each for two threads.
const PANELS: usize = 2;

/// Numbers of a panel's counts, unless one column alone has more: they stay in the second-level
/// cache.
const LARGEST_TABLE: usize = 1 << 15;

/// Numbers of a lane of several columns. In a work of few rows they are soon more than the rows.
const LANE_NUMBERS: usize = 1 << u8::BITS;
const LANE_NUMBERS_OF_FEW_ROWS: usize = 32;

/// Some columns of few levels of a work.
pub(super) struct Panel {
    /// The columns, by place.
    pub(super) columns: Vec<u32>,
    /// The number of each row, by lane.
    numbers: Vec<[u8; LANES]>,
    lanes: Vec<Lane>,
    /// By place, the slot of the first code; and the end of the last.
    starts: Vec<usize>,
}

/// Columns whose codes are the digits of one number.
struct Lane {
    /// The places of the columns.
    places: Range<usize>,
    /// The slots of the digits of each number in turn.
    slots: Vec<usize>,
}

/// A column as it is put into a panel.
pub(super) struct PanelColumn {
    pub(super) column: u32,
    pub(super) codes: Vec<u8>,
    /// Codes, the missing one counted.
    pub(super) n_codes: usize,
}

/// What a panel's codes come to at a node, a slot a code.
#[derive(Debug)]
pub(super) struct Counts<N> {
    stats: Vec<N>,
    /// The rows of each slot, where stats do not tell.
    rows: Vec<u32>,
}

impl Panel {
    /// Puts columns into panels, in order; a stat is `width` numbers.
    pub(super) fn arrange(columns: Vec<PanelColumn>, width: usize) -> Vec<Panel> {
        let groups = in_lanes(columns, width);
        let n_panels = groups.len().div_ceil(LANES).max(PANELS.min(groups.len()));
        let evenly = groups.len().div_ceil(n_panels.max(1));
        let mut panels = Vec::new();
        let mut open: Vec<Vec<PanelColumn>> = Vec::new();
        let mut n_codes = 0;
        for group in groups {
            let more: usize = group.iter().map(|column| column.n_codes).sum();
            let is_full = open.len() == evenly || (n_codes + more) * width > LARGEST_TABLE;
            if is_full && !open.is_empty() {
                panels.push(Panel::of(std::mem::take(&mut open)));
                n_codes = 0;
            }
            n_codes += more;
            open.push(group);
        }
        if !open.is_empty() {
            panels.push(Panel::of(open));
        }
        panels
    }

    fn of(groups: Vec<Vec<PanelColumn>>) -> Panel {
        let n_rows = groups.first().map_or(0, |group| group[0].codes.len());
        let (columns, lanes) = (Vec::new(), Vec::new());
        let numbers = vec![[0; LANES]; n_rows];
        let mut panel = Panel { columns, numbers, lanes, starts: vec![0] };
        for (at, group) in groups.into_iter().enumerate() {
            let numbers = panel.add_lane(group);
            panel.numbers.iter_mut().zip(numbers).for_each(|(row, number)| row[at] = number);
        }
        panel
    }

    /// Adds the columns of a lane; the numbers of the rows there.
    fn add_lane(&mut self, group: Vec<PanelColumn>) -> Vec<u8> {
        let first = self.columns.len();
        let bases: Vec<usize> = group.iter().map(PanelColumn::n_used).collect();
        let mut numbers: Vec<u8> = Vec::new();
        let mut stride = 1;
        for (column, base) in group.into_iter().zip(&bases) {
            self.columns.push(column.column);
            self.starts.push(self.starts[self.starts.len() - 1] + column.n_codes);
            match numbers.is_empty() {
                true => numbers = column.codes,
                // The numbers of a lane fit a byte.
                false => numbers.iter_mut().zip(&column.codes).for_each(|(number, code)| {
                    *number += code * stride as u8;
                }),
            }
            stride *= base;
        }
        let starts = &self.starts[first..first + bases.len()];
        let mut slots = Vec::with_capacity(stride * bases.len());
        let mut digits = starts.to_vec();
        for _ in 0..stride {
            slots.extend_from_slice(&digits);
            // The next number: a digit that comes to its base is 0 again, and the one after it
            // moves on.
            for ((digit, base), start) in digits.iter_mut().zip(&bases).zip(starts) {
                *digit += 1;
                if *digit < start + base {
                    break;
                }
                *digit = *start;
            }
        }
        self.lanes.push(Lane { places: first..self.columns.len(), slots });
        numbers
    }

    /// The lane of a column, and what its code in each number of that lane comes to.
    pub(super) fn by_number<T>(&self, place: usize, of: impl Fn(u32) -> T) -> (usize, Vec<T>) {
        let lane = self.lanes.partition_point(|lane| lane.places.end <= place);
        let Lane { places, slots } = &self.lanes[lane];
        let slots = slots.iter().skip(place - places.start).step_by(places.len());
        (lane, slots.map(|slot| of((slot - self.starts[place]) as u32)).collect())
    }

    #[inline]
    pub(super) fn number(&self, row: u32, lane: usize) -> usize {
        self.numbers[row as usize][lane].into()
    }

    pub(super) fn code(&self, row: u32, place: usize) -> u32 {
        let lane = self.lanes.partition_point(|lane| lane.places.end <= place);
        let Lane { places, slots } = &self.lanes[lane];
        let slot = slots[self.number(row, lane) * places.len() + place - places.start];
        (slot - self.starts[place]) as u32
    }

    /// The numbers of some rows.
    pub(super) fn gather(&self, rows: &[u32]) -> Vec<[u8; LANES]> {
        rows.iter().map(|&row| self.numbers[row as usize]).collect()
    }

    /// The slots of a column's codes.
    fn slots(&self, place: usize) -> Range<usize> {
        self.starts[place]..self.starts[place + 1]
    }

    fn n_slots(&self) -> usize {
        self.starts[self.columns.len()]
    }

    /// Counts the codes of some rows in the lanes of some columns; other slots stay empty.
    pub(super) fn count<S: Stat>(
        &self,
        stat: &S,
        rows: &[u32],
        places: &[usize],
    ) -> Counts<S::Num> {
        let mut lanes: Vec<usize> = (0..self.lanes.len()).collect();
        lanes.retain(|&lane| places.iter().any(|place| self.lanes[lane].places.contains(place)));
        let stats = self.counted(rows, &lanes, stat.width(), &OfStat(stat));
        let rows = match stat.counts_rows() {
            true => Vec::new(),
            false => self.counted(rows, &lanes, 1, &OfRows),
        };
        Counts { stats, rows }
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
    pub(super) fn is_worth_keeping(&self, n_rows: usize, columns: usize, width: usize) -> bool {
        self.n_slots() * width <= n_rows * columns
    }
}

/// Columns in lanes, in order.
fn in_lanes(columns: Vec<PanelColumn>, width: usize) -> Vec<Vec<PanelColumn>> {
    let n_rows = columns.first().map_or(0, |column| column.codes.len());
    let few = if n_rows > SMALL_NODE { LANE_NUMBERS } else { LANE_NUMBERS_OF_FEW_ROWS };
    let most = few.min(LARGEST_TABLE / LANES / width);
    let mut groups: Vec<Vec<PanelColumn>> = Vec::new();
    let mut n_numbers = usize::MAX;
    for column in columns {
        // A column of one code counts as two, or a lane could have any number of them.
        let n_used = column.n_used().max(2);
        match groups.last_mut() {
            Some(group) if n_numbers.saturating_mul(n_used) <= most => {
                n_numbers *= n_used;
                group.push(column);
            }
            _ => {
                n_numbers = n_used;
                groups.push(vec![column]);
            }
        }
    }
    groups
}

impl PanelColumn {
    /// Codes up to the highest that a row has: the missing one is, if any has it.
    fn n_used(&self) -> usize {
        usize::from(self.codes.iter().fold(0, |highest, &code| code.max(highest))) + 1
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
    pub(super) fn of_column(&self, panel: &Panel, place: usize, width: usize) -> (&[N], &[u32]) {
        let slots = panel.slots(place);
        let rows = if self.rows.is_empty() { &[] } else { &self.rows[slots.clone()] };
        (&self.stats[slots.start * width..slots.end * width], rows)
    }

    /// Takes the counts of some of the rows away.
    pub(super) fn subtract(&mut self, part: &Counts<N>) {
        self.stats.iter_mut().zip(&part.stats).for_each(|(n, &p)| *n -= p);
        self.rows.iter_mut().zip(&part.rows).for_each(|(n, &p)| *n -= p);
    }
}
