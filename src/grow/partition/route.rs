//! The rows of a node, and its columns' entries, parted among its branches.

use std::ops::Range;

use rayon::prelude::*;

use crate::data::column::{EntryLayout, RowCodes, Sorted};
use crate::grow::ScratchOf;
use crate::grow::partition::branch_map::part_by_all;
use crate::grow::partition::{Held, Partition, ThreadScratch, WorkColumn};
use crate::split::Candidate;
use crate::stat::{Stat, StatVec};
use crate::util::parallel::Tasks;

impl<S: Stat> Partition<S> {
    /// Sends a node's rows down the branches: notes each row's branch, puts the node's rows in
    /// order of branch (unless they [wait](Self::rows_wait)), and counts each branch's rows.
    pub(crate) fn send(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        benches: &ScratchOf<S>,
    ) -> Vec<usize> {
        let arity = candidate.arity();
        let missing = self.columns[column as usize].missing;
        if arity == 2 {
            let n_right = self.send_two_ways(column, candidate, range.clone(), benches);
            return vec![range.len() - n_right, n_right];
        }
        self.note(column, range.clone(), arity, |code| candidate.branch(code, missing));
        let mut branches = vec![0; arity];
        for &row in &self.rows[range.clone()] {
            branches[self.sent.branch(row) as usize] += 1;
        }
        let starts = starts(&branches);
        let sent = &self.sent;
        benches.with(|bench| {
            sent.partition(&mut self.rows[range], &mut bench.spill, &starts, EntryLayout::ROWS);
        });
        branches
    }

    /// The same of a split in two, in one pass; how many rows go right.
    fn send_two_ways(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        benches: &ScratchOf<S>,
    ) -> usize {
        let (waits, packing) = (self.rows_wait(column), self.packing);
        let WorkColumn { held, missing, .. } = &mut self.columns[column as usize];
        let (rows, sent) = (&mut self.rows[range.clone()], &mut self.sent);
        match (held, candidate.right_range(*missing)) {
            (Held::Sorted(Sorted { codes: codes @ RowCodes::Identity(_), order }), Some(right)) => {
                let order = &mut order[range];
                let n_known = order.partition_point(|&e| codes.of(packing.row(e)) < *missing);
                let first_right = |&entry: &u32| packing.row(entry) == right.start;
                let mut at = order[..n_known].iter().position(first_right).unwrap_or(n_known);
                if !right.contains(missing) {
                    // Rows without a value go left, and are last there.
                    order[at..].rotate_left(n_known - at);
                    at += order.len() - n_known;
                }
                sent.note_cut(order, at, packing);
                if !waits {
                    benches.with(|bench| {
                        sent.partition(rows, &mut bench.spill, &[], EntryLayout::ROWS);
                    });
                }
                order.len() - at
            }
            (Held::Sorted(Sorted { codes: RowCodes::Stored(codes), .. }), Some(right)) => {
                sent.send(rows, benches, |row| right.contains(&codes[row as usize]))
            }
            // A node of more rows than levels asks each level once.
            (Held::Sorted(Sorted { codes, .. }), None) if rows.len() > *missing as usize => {
                let goes_right = right_by_code(candidate, *missing);
                sent.send(rows, benches, |row| goes_right[codes.of(row) as usize])
            }
            (Held::Sorted(Sorted { codes, .. }), None) => {
                sent.send(rows, benches, |row| candidate.branch(codes.of(row), *missing) == 1)
            }
            (&mut Held::InPanel { panel, place }, _) => {
                let panel = &self.panels[panel];
                let right = |code| candidate.branch(code, *missing) == 1;
                let (lane, goes_right) = panel.by_number(place, right);
                let goes_right = |row| goes_right[panel.number(row, lane)];
                // Entries alone ask where a row went.
                match self.columns.iter().any(|c| matches!(c.held, Held::Sorted(_))) {
                    true => sent.send(rows, benches, goes_right),
                    false => part_by_all(rows, None, benches, &goes_right),
                }
            }
            (Held::Elsewhere, _) => 0,
        }
    }

    /// Notes the branch of each row of a node by its code. In row order, whatever the column: the
    /// codes are read and the branches written in order.
    pub(crate) fn note(
        &mut self,
        column: u32,
        range: Range<usize>,
        arity: usize,
        branch_of: impl Fn(u32) -> u32,
    ) {
        let rows = self.rows[range].iter();
        match &self.columns[column as usize].held {
            Held::Sorted(Sorted { codes, .. }) => {
                self.sent.note(arity, rows.map(|&row| (row, branch_of(codes.of(row)))));
            }
            &Held::InPanel { panel, place } => {
                let panel = &self.panels[panel];
                let (lane, branch) = panel.by_number(place, branch_of);
                self.sent.note(arity, rows.map(|&row| (row, branch[panel.number(row, lane)])));
            }
            Held::Elsewhere => {}
        }
    }

    /// Whether rows that went by this column are only put in order with the columns' entries: side
    /// by side with them, as a cut of tagged entries needs no rows to tell what its branches hold.
    fn rows_wait(&self, column: u32) -> bool {
        self.packing.has_tags() && self.is_cut_in_place(column)
    }

    /// Whether a cut of a column parts its own entries where they are.
    fn is_cut_in_place(&self, column: u32) -> bool {
        matches!(
            self.columns[column as usize].held,
            Held::Sorted(Sorted { codes: RowCodes::Identity(_), .. })
        )
    }

    /// What each branch's rows come to, which went by the column `by`, unless that depends on the
    /// focus. All but the largest branch are summed, and what is left of the node's is its.
    pub(crate) fn totals_of_branches(
        &self,
        by: u32,
        branches: &[Range<usize>],
        whole: StatVec<S::Num>,
    ) -> Vec<StatVec<S::Num>> {
        let mut totals = vec![StatVec::new(); branches.len()];
        let largest = (0..branches.len()).max_by_key(|&branch| branches[branch].len());
        let Some(largest) = largest.filter(|_| self.stat.is_the_same_everywhere()) else {
            return totals;
        };
        let mut rest = whole;
        for (branch, range) in branches.iter().enumerate().filter(|(at, _)| *at != largest) {
            totals[branch] = self.total_of_branch(by, range.clone());
            rest.iter_mut().zip(&totals[branch]).for_each(|(rest, &part)| *rest -= part);
        }
        totals[largest] = rest;
        totals
    }

    fn total_of_branch(&self, by: u32, range: Range<usize>) -> StatVec<S::Num> {
        match &self.columns[by as usize].held {
            Held::Sorted(Sorted { order, .. }) if self.rows_wait(by) => {
                self.stat.total(&order[range], self.packing)
            }
            _ => self.stat.total(&self.rows[range], EntryLayout::ROWS),
        }
    }

    /// Puts some columns' entries of a node in order of branch, as `send` sent the rows by the
    /// column `by`, and the rows that waited.
    pub(crate) fn partition(
        &mut self,
        columns: &[u32],
        by: u32,
        range: Range<usize>,
        branches: &[usize],
        parallel: bool,
        benches: &ScratchOf<S>,
    ) {
        let starts = starts(branches);
        let (is_parted, waits) = (self.is_cut_in_place(by), self.rows_wait(by));
        let (sent, packing) = (&self.sent, self.packing);
        let columns = columns.iter().filter(|&&c| !(is_parted && c == by));
        let of_column = |column: &mut WorkColumn, bench: &mut ThreadScratch<S::Num>| {
            if let Held::Sorted(sorted) = &mut column.held {
                let entries = &mut sorted.order[range.clone()];
                sent.partition(entries, &mut bench.spill, &starts, packing);
            }
        };
        let rows = &mut self.rows[range.clone()];
        let mut of_rows = |bench: &mut ThreadScratch<S::Num>| {
            if waits {
                sent.partition(rows, &mut bench.spill, &starts, EntryLayout::ROWS);
            }
        };
        if parallel {
            let mut wanted = vec![false; self.columns.len()];
            columns.for_each(|&c| wanted[c as usize] = true);
            let columns = self.columns.par_iter_mut().zip(wanted).one_item_per_task();
            let wanted = columns.filter(|(_, is_wanted)| *is_wanted);
            rayon::join(
                || benches.with(of_rows),
                || wanted.for_each(|(column, _)| benches.with(|b| of_column(column, b))),
            );
        } else {
            benches.with(|bench| {
                of_rows(bench);
                columns.for_each(|&c| of_column(&mut self.columns[c as usize], bench));
            });
        }
    }
}

/// Of each code, whether it goes right.
fn right_by_code(candidate: &Candidate, missing: u32) -> Vec<bool> {
    (0..=missing).map(|code| candidate.branch(code, missing) == 1).collect()
}

/// Where each branch's rows begin.
fn starts(branches: &[usize]) -> Vec<usize> {
    let ends = branches.iter().scan(0, |end, rows| {
        *end += rows;
        Some(*end)
    });
    std::iter::once(0).chain(ends).take(branches.len()).collect()
}
