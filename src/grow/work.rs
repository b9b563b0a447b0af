//! The rows of open nodes, column by column: a node is a range, a split a stable partition.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::Open;
use crate::column::{Codes, Column, Packing, Sorted};
use crate::dtype::Kind;
use crate::encode::order_by_counting;
use crate::split::{self, Candidate, Scratch, Search, SortedView, View};
use crate::stat::{Num, Stat, Summary};

/// Columns and targets of some rows. The rows of a node are a range of `rows` and the
/// same range of every sorted column, whose order holds entries.
pub(super) struct Work<S: Stat> {
    pub(super) columns: Vec<WorkColumn>,
    pub(super) stat: S,
    /// How the entries of sorted columns are laid out.
    packing: Packing,
    pub(super) rows: Vec<u32>,
    /// The stat of the node in focus.
    total: Vec<S::Num>,
    pub(super) sent: Sent,
    /// The copies each row stands for, where rows are shared out; none are all one.
    pub(super) copies: Vec<u64>,
}

pub(super) struct WorkColumn {
    pub(super) kind: Kind,
    pub(super) codes: Codes,
    /// The code of a missing value.
    pub(super) missing: u32,
    /// No two rows with a value share a level.
    distinct: bool,
    /// The table's code of each code here, where they differ.
    pub(super) global: Option<Arc<[u32]>>,
}

/// What a thread works with, reused between columns and nodes.
#[derive(Debug, Default)]
pub(super) struct Bench<N> {
    pub(super) scratch: Scratch<N>,
    spill: Vec<u32>,
}

/// A column of so many levels in a small subtree is kept sorted, a lesser one counted: its
/// table is then no longer than a typical node.
const SMALL_TABLE: usize = 32;

/// Lends a free bench.
pub(super) fn with_bench<N: Num, R>(
    benches: &Mutex<Vec<Bench<N>>>,
    work: impl FnOnce(&mut Bench<N>) -> R,
) -> R {
    let free = benches.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut bench = free.unwrap_or_default();
    let result = work(&mut bench);
    benches.lock().unwrap_or_else(PoisonError::into_inner).push(bench);
    result
}

impl<S: Stat> Work<S> {
    /// Takes the codes out of the columns, which keep their levels.
    pub(super) fn new(columns: &mut [Column], stat: S, n_rows: usize, copies: Vec<u64>) -> Self {
        let packing = Packing::new(n_rows, stat.tag_bits());
        let columns = columns
            .par_iter_mut()
            .map(|c| {
                let (missing, distinct) = (c.missing_code(), c.is_distinct());
                let mut codes = std::mem::replace(&mut c.codes, Codes::ByRow(Vec::new()));
                if let Codes::Sorted(sorted) = &mut codes
                    && packing.has_tags()
                {
                    let rows = sorted.order.iter_mut();
                    rows.for_each(|row| *row = packing.entry(*row, stat.tag(*row)));
                }
                WorkColumn { kind: c.kind, missing, distinct, codes, global: None }
            })
            .collect();
        Work::of(columns, stat, packing, n_rows, copies)
    }

    /// A work whose sorted columns hold entries of that packing.
    fn of(
        columns: Vec<WorkColumn>,
        stat: S,
        packing: Packing,
        n_rows: usize,
        copies: Vec<u64>,
    ) -> Self {
        let (rows, sent) = ((0..n_rows as u32).collect(), Sent::new(n_rows));
        Work { columns, stat, packing, rows, total: Vec::new(), sent, copies }
    }

    /// The copies of some rows.
    fn copies_of(&self, rows: &[u32]) -> Vec<u64> {
        if self.copies.is_empty() {
            return Vec::new();
        }
        rows.iter().map(|&row| self.copies[row as usize]).collect()
    }

    pub(super) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn all_columns(&self) -> Arc<[u32]> {
        (0..self.columns.len() as u32).filter(|&c| self.columns[c as usize].is_here()).collect()
    }

    /// Makes ready to search a node.
    pub(super) fn focus(&mut self, range: Range<usize>) {
        let rows = &self.rows[range];
        self.stat.focus(rows);
        self.total.clear();
        self.total.resize(self.stat.width(), S::Num::default());
        self.stat.take(rows, Packing::ROWS, &mut self.total);
    }

    /// A node's values, appended, and how impure they are; totals are taken in row order.
    pub(super) fn summarize(&self, range: Range<usize>, values: &mut Vec<f64>) -> Summary {
        self.stat.summarize(&self.rows[range], values)
    }

    pub(super) fn best_candidate(
        &self,
        search: &Search,
        column: u32,
        range: Range<usize>,
        bench: &mut Bench<S::Num>,
    ) -> Option<Candidate> {
        let column = &self.columns[column as usize];
        let missing = column.missing;
        let view = match &column.codes {
            Codes::Sorted(Sorted { codes, order }) => View::Sorted(SortedView {
                entries: &order[range],
                packing: self.packing,
                codes,
                missing,
                distinct: column.distinct,
            }),
            Codes::ByRow(codes) => View::ByRow { codes, rows: &self.rows[range], missing },
        };
        let scratch = &mut bench.scratch;
        split::best_candidate(search, &self.stat, &self.total, column.kind, view, scratch)
    }

    /// A chosen candidate in the table's codes.
    pub(super) fn globally(&self, column: u32, mut candidate: Candidate) -> (u32, Candidate) {
        if let Some(global) = &self.columns[column as usize].global {
            candidate.test = candidate.test.map(|code| global[code as usize]);
        }
        (column, candidate)
    }

    /// Sends a node's rows down the branches: notes each row's branch, puts the node's rows in
    /// order of branch, and counts each branch's rows.
    pub(super) fn send(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        benches: &Mutex<Vec<Bench<S::Num>>>,
    ) -> Vec<usize> {
        let arity = candidate.arity();
        let missing = self.columns[column as usize].missing;
        self.note(column, range.clone(), arity, |code| candidate.branch(code, missing));
        let mut branches = vec![0; arity];
        for &row in &self.rows[range.clone()] {
            branches[self.sent.branch(row) as usize] += 1;
        }
        let starts = starts(&branches);
        let sent = &self.sent;
        with_bench(benches, |bench| {
            sent.partition(&mut self.rows[range], &mut bench.spill, &starts, Packing::ROWS);
        });
        branches
    }

    /// Notes the branch of each row of a node by its code. In row order, whatever the column: the
    /// codes are read and the branches written in order.
    pub(super) fn note(
        &mut self,
        column: u32,
        range: Range<usize>,
        arity: usize,
        branch_of: impl Fn(u32) -> u32,
    ) {
        let rows = self.rows[range].iter();
        match &self.columns[column as usize].codes {
            Codes::Sorted(Sorted { codes, .. }) => {
                self.sent.note(arity, rows.map(|&row| (row, branch_of(codes[row as usize]))));
            }
            Codes::ByRow(codes) => {
                let branch_of = |&row: &u32| (row, branch_of(codes[row as usize].into()));
                self.sent.note(arity, rows.map(branch_of));
            }
        }
    }

    /// Puts some columns' entries of a node in order of branch, as `send` left the rows.
    pub(super) fn partition(
        &mut self,
        columns: &[u32],
        range: Range<usize>,
        branches: &[usize],
        parallel: bool,
        benches: &Mutex<Vec<Bench<S::Num>>>,
    ) {
        let starts = starts(branches);
        let (sent, packing) = (&self.sent, self.packing);
        let in_order = |column: &mut WorkColumn| {
            if let Codes::Sorted(sorted) = &mut column.codes {
                with_bench(benches, |bench| {
                    let entries = &mut sorted.order[range.clone()];
                    sent.partition(entries, &mut bench.spill, &starts, packing);
                });
            }
        };
        if parallel {
            let mut wanted = vec![false; self.columns.len()];
            columns.iter().for_each(|&c| wanted[c as usize] = true);
            let wanted = self.columns.par_iter_mut().zip(wanted).filter(|(_, w)| *w);
            wanted.for_each(|(column, _)| in_order(column));
        } else {
            columns.iter().for_each(|&c| in_order(&mut self.columns[c as usize]));
        }
    }

    /// Each row's place in `rows`.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.rows.len()];
        for (place, &row) in self.rows.iter().enumerate() {
            places[row as usize] = place as u32;
        }
        places
    }

    /// Copies one node's rows together, numbered afresh in row order, with only the levels they
    /// have. Only a work whose codes are the table's is copied from.
    pub(super) fn gather(&self, node: &Open, places: &[u32]) -> Work<S> {
        let rows = &self.rows[node.range.clone()];
        let stat = self.stat.gather(rows, None);
        let start = node.range.start as u32;
        let place = |row: u32| Some(places[row as usize] - start);
        self.copied(stat, rows, node.range.clone(), &node.columns, place, WorkColumn::condensed)
    }

    /// Copies some of a node's rows together; `place` is a row's new number, if it has one, and
    /// `stat` is of the new rows. Columns counted by row become what `by_row` makes of them.
    pub(super) fn copied(
        &self,
        stat: S,
        rows: &[u32],
        range: Range<usize>,
        columns: &[u32],
        place: impl Fn(u32) -> Option<u32>,
        by_row: impl Fn(&WorkColumn, Vec<u8>, &dyn Fn(u32) -> u32) -> WorkColumn,
    ) -> Work<S> {
        let packing = Packing::new(rows.len(), stat.tag_bits());
        let entry = |row: u32| packing.entry(row, stat.tag(row));
        let mut copied: Vec<WorkColumn> =
            self.columns.iter().map(|c| WorkColumn::elsewhere(c.kind)).collect();
        for &c in columns {
            let from = &self.columns[c as usize];
            copied[c as usize] = match &from.codes {
                Codes::Sorted(Sorted { codes, order }) => {
                    let entries = order[range.clone()].iter();
                    let rows_here = entries.filter_map(|&e| place(self.packing.row(e)));
                    from.with(Codes::Sorted(Sorted {
                        codes: rows.iter().map(|&row| codes[row as usize]).collect(),
                        order: rows_here.map(entry).collect(),
                    }))
                }
                Codes::ByRow(codes) => {
                    by_row(from, rows.iter().map(|&row| codes[row as usize]).collect(), &entry)
                }
            };
        }
        Work::of(copied, stat, packing, rows.len(), self.copies_of(rows))
    }
}

impl WorkColumn {
    /// A column that tells no rows of this work apart.
    fn elsewhere(kind: Kind) -> Self {
        WorkColumn {
            kind,
            codes: Codes::ByRow(Vec::new()),
            missing: 0,
            distinct: false,
            global: None,
        }
    }

    fn is_here(&self) -> bool {
        match &self.codes {
            Codes::ByRow(codes) => !codes.is_empty(),
            Codes::Sorted(sorted) => !sorted.order.is_empty(),
        }
    }

    /// The column with other rows.
    pub(super) fn with(&self, codes: Codes) -> WorkColumn {
        let WorkColumn { kind, missing, distinct, .. } = *self;
        WorkColumn { kind, codes, missing, distinct, global: self.global.clone() }
    }

    /// Some rows' codes with only the levels they have: few of them are counted, many put in
    /// order once for the whole subtree. `entry` is that of a row.
    fn condensed(&self, codes: Vec<u8>, entry: &dyn Fn(u32) -> u32) -> WorkColumn {
        let mut is_here = [false; 1 << u8::BITS];
        codes.iter().for_each(|&code| is_here[usize::from(code)] = true);
        let global: Vec<u32> = (0..self.missing).filter(|&code| is_here[code as usize]).collect();
        let mut local = [global.len() as u8; 1 << u8::BITS];
        for (code, &global) in global.iter().enumerate() {
            local[global as usize] = code as u8;
        }
        let missing = global.len() as u32;
        let codes = codes.iter().map(|&code| local[usize::from(code)]);
        let (codes, distinct) = if global.len() < SMALL_TABLE {
            (Codes::ByRow(codes.collect()), false)
        } else {
            let codes: Vec<u32> = codes.map(u32::from).collect();
            let mut order = order_by_counting(&codes, global.len() + 1);
            order.iter_mut().for_each(|row| *row = entry(*row));
            (Codes::Sorted(Sorted { codes, order }), false)
        };
        let global = Some(global.into());
        WorkColumn { kind: self.kind, codes, missing, distinct, global }
    }
}

/// Where each branch's rows begin.
fn starts(branches: &[usize]) -> Vec<usize> {
    let ends = branches.iter().scan(0, |end, rows| {
        *end += rows;
        Some(*end)
    });
    std::iter::once(0).chain(ends).take(branches.len()).collect()
}

/// The branch each row of a node is sent down, while the node is being split.
pub(super) struct Sent {
    /// Of a two-way split, a bit a row: it is asked at random, and so stays in the cache.
    right: Vec<u64>,
    /// Of a multiway split; empty until there is one.
    branches: Vec<u32>,
    n_rows: usize,
    is_two_way: bool,
}

impl Sent {
    fn new(n_rows: usize) -> Self {
        let right = vec![0; n_rows.div_ceil(64)];
        Sent { right, branches: Vec::new(), n_rows, is_two_way: true }
    }

    pub(super) fn note(&mut self, arity: usize, sent: impl Iterator<Item = (u32, u32)>) {
        self.is_two_way = arity == 2;
        if self.is_two_way {
            for (row, branch) in sent {
                let (word, bit) = (&mut self.right[row as usize / 64], row % 64);
                *word = *word & !(1 << bit) | u64::from(branch) << bit;
            }
        } else {
            self.branches.resize(self.n_rows, 0);
            sent.for_each(|(row, branch)| self.branches[row as usize] = branch);
        }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(super) fn branch(&self, row: u32) -> u32 {
        if self.is_two_way { self.is_right(row) as u32 } else { self.branches[row as usize] }
    }

    #[inline]
    fn is_right(&self, row: u32) -> usize {
        (self.right[row as usize / 64] >> (row % 64) & 1) as usize
    }

    /// Stable partition of entries by their row's branch, in time linear in them.
    fn partition(
        &self,
        entries: &mut [u32],
        spill: &mut Vec<u32>,
        starts: &[usize],
        packing: Packing,
    ) {
        if spill.len() < entries.len() {
            spill.resize(entries.len(), 0);
        }
        if self.is_two_way {
            // Without a jump: each entry is written to both sides, and only the side it belongs
            // to moves on.
            let (mut to_left, mut to_right) = (0, 0);
            for i in 0..entries.len() {
                let entry = entries[i];
                let goes_right = self.is_right(packing.row(entry));
                entries[to_left] = entry;
                spill[to_right] = entry;
                to_left += 1 - goes_right;
                to_right += goes_right;
            }
            entries[to_left..].copy_from_slice(&spill[..to_right]);
            return;
        }
        let mut next = starts.to_vec();
        for &entry in entries.iter() {
            let slot = &mut next[self.branches[packing.row(entry) as usize] as usize];
            spill[*slot] = entry;
            *slot += 1;
        }
        entries.copy_from_slice(&spill[..entries.len()]);
    }
}
