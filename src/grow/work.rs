//! The rows of open nodes, column by column: a node is a range, a split a stable partition.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::Open;
use crate::column::{Codes, Column, Entry};
use crate::dtype::Kind;
use crate::split::{self, Candidate, Scratch, Search, View};
use crate::stat::{Num, Stat, Summary};

/// Columns and targets of some rows. The rows of a node are a range of `rows` and the
/// same range of every sorted column.
pub(super) struct Work<S> {
    pub(super) columns: Vec<WorkColumn>,
    pub(super) stat: S,
    pub(super) rows: Vec<u32>,
    pub(super) sent: Sent,
    /// The copies each row stands for, where rows are shared out; none are all one.
    pub(super) copies: Vec<u64>,
}

pub(super) struct WorkColumn {
    pub(super) kind: Kind,
    pub(super) codes: Codes,
    /// The code of a missing value.
    pub(super) missing: u32,
    /// The table's code of each code here, where they differ.
    pub(super) global: Option<Arc<[u32]>>,
}

/// What a thread works with, reused between columns and nodes.
#[derive(Debug, Default)]
pub(super) struct Bench<N> {
    pub(super) scratch: Scratch<N>,
    spill: Vec<Entry>,
    spill_rows: Vec<u32>,
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
        let columns = columns
            .iter_mut()
            .map(|c| WorkColumn {
                kind: c.kind,
                missing: c.missing_code(),
                codes: std::mem::replace(&mut c.codes, Codes::ByRow(Vec::new())),
                global: None,
            })
            .collect();
        Work::of(columns, stat, n_rows, copies)
    }

    pub(super) fn of(columns: Vec<WorkColumn>, stat: S, n_rows: usize, copies: Vec<u64>) -> Self {
        let rows = (0..n_rows as u32).collect();
        Work { columns, stat, rows, sent: Sent::new(n_rows), copies }
    }

    /// The copies of some rows.
    pub(super) fn copies_of(&self, rows: &[u32]) -> Vec<u64> {
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
        self.stat.focus(&self.rows[range]);
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
            Codes::Sorted(entries) => View::Sorted { entries: &entries[range], missing },
            Codes::ByRow(codes) => View::ByRow { codes, rows: &self.rows[range], missing },
        };
        split::best_candidate(search, &self.stat, column.kind, view, &mut bench.scratch)
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
        let column = &self.columns[column as usize];
        let branch_of = |code: u32| candidate.branch(code, column.missing);
        let arity = candidate.arity();
        match &column.codes {
            Codes::Sorted(entries) => {
                let entries = entries[range.clone()].iter();
                self.sent.note(arity, entries.map(|e| (e.row, branch_of(e.code))));
            }
            Codes::ByRow(codes) => {
                let rows = self.rows[range.clone()].iter();
                let sent = rows.map(|&row| (row, branch_of(codes[row as usize].into())));
                self.sent.note(arity, sent);
            }
        }
        let mut branches = vec![0; arity];
        for &row in &self.rows[range.clone()] {
            branches[self.sent.branch(row) as usize] += 1;
        }
        let starts = starts(&branches);
        let sent = &self.sent;
        with_bench(benches, |bench| {
            sent.partition(&mut self.rows[range], &mut bench.spill_rows, &starts, |&row| row);
        });
        branches
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
        let sent = &self.sent;
        let in_order = |column: &mut WorkColumn| {
            if let Codes::Sorted(entries) = &mut column.codes {
                with_bench(benches, |bench| {
                    let entries = &mut entries[range.clone()];
                    sent.partition(entries, &mut bench.spill, &starts, |e| e.row);
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

    /// Copies one node's rows together, numbered afresh in row order. Only a work whose codes are
    /// the table's is copied from.
    pub(super) fn gather(&self, node: &Open, places: &[u32]) -> Work<S> {
        let rows = &self.rows[node.range.clone()];
        let local = |row: u32| places[row as usize] - node.range.start as u32;
        let mut columns: Vec<WorkColumn> =
            self.columns.iter().map(|c| WorkColumn::elsewhere(c.kind)).collect();
        for &c in node.columns.iter() {
            let (from, to) = (&self.columns[c as usize], &mut columns[c as usize]);
            *to = match &from.codes {
                Codes::Sorted(entries) => {
                    let entries = entries[node.range.clone()].iter();
                    let entries = entries.map(|e| Entry { code: e.code, row: local(e.row) });
                    WorkColumn {
                        kind: from.kind,
                        missing: from.missing,
                        codes: Codes::Sorted(entries.collect()),
                        global: None,
                    }
                }
                Codes::ByRow(codes) => {
                    let codes = rows.iter().map(|&row| codes[row as usize]);
                    from.condensed(codes)
                }
            };
        }
        Work::of(columns, self.stat.gather(rows, None), rows.len(), self.copies_of(rows))
    }
}

impl WorkColumn {
    /// A column that tells no rows of this work apart.
    pub(super) fn elsewhere(kind: Kind) -> Self {
        WorkColumn { kind, codes: Codes::ByRow(Vec::new()), missing: 0, global: None }
    }

    fn is_here(&self) -> bool {
        match &self.codes {
            Codes::ByRow(codes) => !codes.is_empty(),
            Codes::Sorted(entries) => !entries.is_empty(),
        }
    }

    /// Some rows' codes with only the levels they have: few of them are counted, many sorted
    /// once for the whole subtree.
    fn condensed(&self, codes: impl ExactSizeIterator<Item = u16>) -> WorkColumn {
        let mut entries: Vec<Entry> = codes
            .enumerate()
            .map(|(row, code)| Entry { code: code.into(), row: row as u32 })
            .collect();
        // Codes and rows packed into one word sort faster than by key.
        entries.sort_unstable_by_key(|e| u64::from(e.code) << 32 | u64::from(e.row));
        let mut global: Vec<u32> = Vec::new();
        for e in entries.iter_mut().filter(|e| e.code < self.missing) {
            if global.last() != Some(&e.code) {
                global.push(e.code);
            }
            e.code = global.len() as u32 - 1;
        }
        let missing = global.len() as u32;
        entries.iter_mut().rev().take_while(|e| e.code == self.missing).for_each(|e| {
            e.code = missing;
        });
        let codes = if global.len() < SMALL_TABLE {
            let mut codes = vec![0; entries.len()];
            entries.iter().for_each(|e| codes[e.row as usize] = e.code as u16);
            Codes::ByRow(codes)
        } else {
            Codes::Sorted(entries)
        };
        WorkColumn { kind: self.kind, codes, missing, global: Some(global.into()) }
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

    /// Stable partition of items by their row's branch, in time linear in the items.
    fn partition<T: Copy + Default>(
        &self,
        items: &mut [T],
        spill: &mut Vec<T>,
        starts: &[usize],
        row: impl Fn(&T) -> u32,
    ) {
        if spill.len() < items.len() {
            spill.resize(items.len(), T::default());
        }
        if self.is_two_way {
            // Without a jump: each item is written to both sides, and only the side it belongs
            // to moves on.
            let (mut to_left, mut to_right) = (0, 0);
            for i in 0..items.len() {
                let item = items[i];
                let goes_right = self.is_right(row(&item));
                items[to_left] = item;
                spill[to_right] = item;
                to_left += 1 - goes_right;
                to_right += goes_right;
            }
            items[to_left..].copy_from_slice(&spill[..to_right]);
            return;
        }
        let mut next = starts.to_vec();
        for item in items.iter() {
            let slot = &mut next[self.branches[row(item) as usize] as usize];
            spill[*slot] = *item;
            *slot += 1;
        }
        items.copy_from_slice(&spill[..items.len()]);
    }
}
