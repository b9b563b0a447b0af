//! Columns of few levels, side by side, and the counts of their codes at open nodes.
//!
//! The codes of a row lie next to each other, so that one look at a row counts it in all columns
//! of a panel. And of a node's branches all but the largest are counted: its counts are the
//! node's less those of the others.

use std::ops::Range;

use crate::stat::{Num, Stat};

/// Columns of a panel. More make a row's look-up cheaper, fewer leave panels enough for the
/// threads.
const LANES: usize = 8;

/// Numbers of a panel's counts, unless one column alone has more: they stay in the second-level
/// cache.
const LARGEST_TABLE: usize = 1 << 15;

/// Some columns of few levels of a work.
pub(super) struct Panel {
    /// The columns, by lane.
    pub(super) columns: Vec<u32>,
    /// The codes of each row, by lane.
    codes: Vec<[u8; LANES]>,
    /// The slot of each lane's first code, and the end of the last.
    starts: Vec<usize>,
}

/// A column as it is put into a panel.
pub(super) struct Lane {
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
    pub(super) fn arrange(lanes: Vec<Lane>, width: usize) -> Vec<Panel> {
        let evenly = lanes.len().div_ceil(lanes.len().div_ceil(LANES).max(1));
        let mut panels = Vec::new();
        let mut open: Vec<Lane> = Vec::new();
        let mut n_codes = 0;
        for lane in lanes {
            let is_full = open.len() == evenly || (n_codes + lane.n_codes) * width > LARGEST_TABLE;
            if is_full && !open.is_empty() {
                panels.push(Panel::of(std::mem::take(&mut open)));
                n_codes = 0;
            }
            n_codes += lane.n_codes;
            open.push(lane);
        }
        if !open.is_empty() {
            panels.push(Panel::of(open));
        }
        panels
    }

    fn of(lanes: Vec<Lane>) -> Panel {
        let n_rows = lanes.first().map_or(0, |lane| lane.codes.len());
        let mut codes = vec![[0; LANES]; n_rows];
        let mut starts = vec![0];
        for (at, lane) in lanes.iter().enumerate() {
            codes.iter_mut().zip(&lane.codes).for_each(|(row, &code)| row[at] = code);
            starts.push(starts[at] + lane.n_codes);
        }
        Panel { columns: lanes.iter().map(|lane| lane.column).collect(), codes, starts }
    }

    #[inline]
    pub(super) fn code(&self, row: u32, lane: usize) -> u32 {
        self.codes[row as usize][lane].into()
    }

    /// The codes of some rows.
    pub(super) fn gather(&self, rows: &[u32]) -> Vec<[u8; LANES]> {
        rows.iter().map(|&row| self.codes[row as usize]).collect()
    }

    /// The slots of a lane's codes.
    fn slots(&self, lane: usize) -> Range<usize> {
        self.starts[lane]..self.starts[lane + 1]
    }

    fn n_slots(&self) -> usize {
        self.starts[self.columns.len()]
    }

    /// Counts the codes of some rows in some lanes; the slots of the others stay empty.
    pub(super) fn count<S: Stat>(&self, stat: &S, rows: &[u32], lanes: &[usize]) -> Counts<S::Num> {
        let starts: Vec<(usize, usize)> = lanes.iter().map(|&l| (l, self.starts[l])).collect();
        let mut stats = vec![S::Num::default(); self.n_slots() * stat.width()];
        for &row in rows {
            let codes = self.codes[row as usize];
            let slots = starts.iter().map(|&(lane, start)| start + usize::from(codes[lane]));
            stat.add_at(row, slots, &mut stats);
        }
        let mut counts = Counts { stats, rows: Vec::new() };
        if !stat.counts_rows() {
            counts.rows.resize(self.n_slots(), 0);
            for &row in rows {
                let codes = self.codes[row as usize];
                starts.iter().for_each(|&(l, start)| {
                    counts.rows[start + usize::from(codes[l])] += 1;
                });
            }
        }
        counts
    }

    /// Whether the counts of a node of so many rows are worth keeping. Those of open nodes then
    /// never take more numbers than the panel has codes.
    pub(super) fn is_worth_keeping(&self, n_rows: usize, lanes: usize, width: usize) -> bool {
        self.n_slots() * width <= n_rows * lanes
    }
}

impl<N: Num> Counts<N> {
    /// The stats of a lane's codes, and their rows where those are kept apart.
    pub(super) fn of_lane(&self, panel: &Panel, lane: usize, width: usize) -> (&[N], &[u32]) {
        let slots = panel.slots(lane);
        let rows = if self.rows.is_empty() { &[] } else { &self.rows[slots.clone()] };
        (&self.stats[slots.start * width..slots.end * width], rows)
    }

    /// Takes the counts of some of the rows away.
    pub(super) fn subtract(&mut self, part: &Counts<N>) {
        self.stats.iter_mut().zip(&part.stats).for_each(|(n, &p)| *n -= p);
        self.rows.iter_mut().zip(&part.rows).for_each(|(n, &p)| *n -= p);
    }
}
