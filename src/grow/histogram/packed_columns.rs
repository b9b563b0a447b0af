//! Columns of few levels, side by side.
//!
//! The codes of a row lie next to each other, so that one look at a row counts it in all columns
//! of a panel. Columns of very few codes share a lane: a row's codes are the digits of a number
//! there. It took 45 % off the growth on 54 columns of 0 and 1.

use std::ops::Range;

use rayon::prelude::*;

use crate::grow::SMALL_NODE;
use crate::util::parallel::{PART, Tasks};

/// Lanes of a panel: more would leave its counts no room in cache.
const LANES: usize = 8;

/// Numbers of a panel's counts, unless one column alone has more: they stay in the second-level
/// cache.
const LARGEST_TABLE: usize = 1 << 15;

/// Numbers of a lane of several columns. In a work of few rows they are soon more than the rows.
const LANE_NUMBERS: usize = 1 << u8::BITS;
const LANE_NUMBERS_OF_FEW_ROWS: usize = 32;

/// Some columns of few levels of a work.
pub(crate) struct PackedColumns {
    /// The columns, by place.
    pub(crate) columns: Vec<u32>,
    /// The number of each row, by lane.
    pub(crate) numbers: Vec<[u8; LANES]>,
    pub(crate) lanes: Vec<Lane>,
    /// By place, the slot of the first code; and the end of the last.
    pub(crate) starts: Vec<usize>,
}

/// Columns whose codes are the digits of one number.
pub(crate) struct Lane {
    /// The places of the columns.
    pub(crate) places: Range<usize>,
    /// The slots of the digits of each number in turn.
    pub(crate) slots: Vec<usize>,
}

/// A column as it is put into a panel.
pub(crate) struct PanelColumn {
    pub(crate) column: u32,
    pub(crate) codes: Vec<u8>,
    /// Codes, the missing one counted.
    pub(crate) n_codes: usize,
}

impl PackedColumns {
    /// Puts columns into panels, in order; a stat is `width` numbers.
    pub(crate) fn arrange(columns: Vec<PanelColumn>, width: usize) -> Vec<PackedColumns> {
        let groups = in_lanes(columns, width);
        let n_panels = groups.len().div_ceil(LANES);
        let evenly = groups.len().div_ceil(n_panels.max(1));
        let mut panels: Vec<Vec<Vec<Digit>>> = Vec::new();
        let mut open = Vec::new();
        let mut n_codes = 0;
        for group in groups {
            let more: usize = group.iter().map(|digit| digit.n_codes).sum();
            let is_full = open.len() == evenly || (n_codes + more) * width > LARGEST_TABLE;
            if is_full && !open.is_empty() {
                panels.push(std::mem::take(&mut open));
                n_codes = 0;
            }
            n_codes += more;
            open.push(group);
        }
        if !open.is_empty() {
            panels.push(open);
        }
        panels.into_par_iter().one_item_per_task().map(PackedColumns::of).collect()
    }

    fn of(groups: Vec<Vec<Digit>>) -> PackedColumns {
        let n_rows = groups.first().map_or(0, |group| group[0].codes.len());
        let (mut columns, mut lanes, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for group in &groups {
            let first = columns.len();
            for digit in group {
                columns.push(digit.column);
                starts.push(starts[starts.len() - 1] + digit.n_codes);
            }
            let bases: Vec<usize> = group.iter().map(|digit| digit.base).collect();
            let slots = slots_of_numbers(&starts[first..columns.len()], &bases);
            lanes.push(Lane { places: first..columns.len(), slots });
        }
        let of_lanes: Vec<Vec<u8>> =
            groups.into_par_iter().with_min_len(columns_a_thread(n_rows)).map(numbers_of).collect();
        let mut numbers = vec![[0; LANES]; n_rows];
        let part = |(part, rows): (usize, &mut [[u8; LANES]])| {
            for (lane, of_lane) in of_lanes.iter().enumerate() {
                let of_lane = &of_lane[part * PART..];
                rows.iter_mut().zip(of_lane).for_each(|(row, &number)| row[lane] = number);
            }
        };
        numbers.par_chunks_mut(PART).enumerate().for_each(part);
        PackedColumns { columns, numbers, lanes, starts }
    }

    fn lane_of(&self, place: usize) -> usize {
        self.lanes.partition_point(|lane| lane.places.end <= place)
    }

    /// The lane of a column, and what its code in each number of that lane comes to.
    pub(crate) fn by_number<T>(&self, place: usize, of: impl Fn(u32) -> T) -> (usize, Vec<T>) {
        let lane = self.lane_of(place);
        let Lane { places, slots } = &self.lanes[lane];
        let slots = slots.iter().skip(place - places.start).step_by(places.len());
        (lane, slots.map(|slot| of((slot - self.starts[place]) as u32)).collect())
    }

    #[inline]
    pub(crate) fn number(&self, row: u32, lane: usize) -> usize {
        self.numbers[row as usize][lane].into()
    }

    pub(crate) fn code(&self, row: u32, place: usize) -> u32 {
        let lane = self.lane_of(place);
        let Lane { places, slots } = &self.lanes[lane];
        let slot = slots[self.number(row, lane) * places.len() + place - places.start];
        (slot - self.starts[place]) as u32
    }

    /// The numbers of some rows.
    pub(crate) fn gather(&self, rows: &[u32]) -> Vec<[u8; LANES]> {
        rows.iter().map(|&row| self.numbers[row as usize]).collect()
    }

    /// The slots of a column's codes.
    pub(crate) fn slots(&self, place: usize) -> Range<usize> {
        self.starts[place]..self.starts[place + 1]
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.starts[self.columns.len()]
    }
}

/// A column as a digit of the numbers of a lane.
struct Digit {
    column: u32,
    codes: Vec<u8>,
    n_codes: usize,
    /// What its codes are below: that of a missing value counts if any row has it.
    base: usize,
}

impl Digit {
    fn of(PanelColumn { column, codes, n_codes }: PanelColumn) -> Self {
        let highest = codes.iter().fold(0, |highest, &code| code.max(highest));
        Digit { column, codes, n_codes, base: usize::from(highest) + 1 }
    }
}

/// Columns in lanes, in order.
fn in_lanes(columns: Vec<PanelColumn>, width: usize) -> Vec<Vec<Digit>> {
    let n_rows = columns.first().map_or(0, |column| column.codes.len());
    let few = if n_rows > SMALL_NODE { LANE_NUMBERS } else { LANE_NUMBERS_OF_FEW_ROWS };
    let most = few.min(LARGEST_TABLE / LANES / width);
    let digits = columns.into_par_iter().with_min_len(columns_a_thread(n_rows)).map(Digit::of);
    let mut groups: Vec<Vec<Digit>> = Vec::new();
    let mut n_numbers = usize::MAX;
    for digit in digits.collect::<Vec<_>>() {
        // A column of one code counts as two, or a lane could have any number of them.
        let base = digit.base.max(2);
        match groups.last_mut() {
            Some(group) if n_numbers.saturating_mul(base) <= most => {
                n_numbers *= base;
                group.push(digit);
            }
            _ => {
                n_numbers = base;
                groups.push(vec![digit]);
            }
        }
    }
    groups
}

/// How many columns of so many rows are worth a thread of their own.
fn columns_a_thread(n_rows: usize) -> usize {
    PART.div_ceil(n_rows.max(1))
}

/// The slots of the digits of each number in turn, the first of each column at its start.
fn slots_of_numbers(starts: &[usize], bases: &[usize]) -> Vec<usize> {
    let n_numbers: usize = bases.iter().product();
    let mut slots = Vec::with_capacity(n_numbers * bases.len());
    let mut digits = starts.to_vec();
    for _ in 0..n_numbers {
        slots.extend_from_slice(&digits);
        // The next number: a digit that comes to its base is 0 again, and the one after it
        // moves on.
        for ((digit, base), start) in digits.iter_mut().zip(bases).zip(starts) {
            *digit += 1;
            if *digit < start + base {
                break;
            }
            *digit = *start;
        }
    }
    slots
}

/// The numbers of the rows in a lane of these columns: they fit a byte.
fn numbers_of(lane: Vec<Digit>) -> Vec<u8> {
    let mut digits = lane.into_iter();
    let Some(Digit { codes: mut numbers, base, .. }) = digits.next() else { return Vec::new() };
    let mut stride = base;
    for Digit { codes, base, .. } in digits {
        let digits = numbers.iter_mut().zip(&codes);
        digits.for_each(|(number, code)| *number += code * stride as u8);
        stride *= base;
    }
    numbers
}
