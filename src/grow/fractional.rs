//! Fractional cases, C4.5's way with missing values (Quinlan 1993, chapter 3): a row whose value
//! is missing goes down every branch, with the branch's share of the known weight.
//!
//! A row that is in several branches has another weight in each, so such a split copies the
//! rows of every branch into a work of its own. All other splits stay as they are, and a table
//! without missing values never comes here.

use std::ops::Range;

use super::arena::Arena;
use super::work::{Work, WorkColumn};
use super::{Found, Open, Plan};
use crate::column::{Codes, Entry};
use crate::split::Candidate;
use crate::stat::Stat;

/// A work and the one node of it that is open: all its rows.
pub(super) type Forked<S> = (Work<S>, Open);

impl Plan {
    /// Whether a rule shares rows out among its branches.
    pub(super) fn is_shared<S: Stat>(&self, work: &Work<S>, found: &Found) -> bool {
        self.in_fractions() && work.has_missing(found.column, found.node.range.clone())
    }

    /// Gives a node a rule that shares rows out, and opens its branches, each in a work of its
    /// own.
    pub(super) fn fork<S: Stat>(
        &self,
        work: &mut Work<S>,
        arena: &mut Arena,
        found: Found,
    ) -> Vec<Forked<S>> {
        let Found { node, column, candidate, varying } = found;
        let branches = work.share_out(column, &candidate, node.range, &varying);
        arena.split(node.node, work.globally(column, candidate));
        let opened = branches.into_iter().filter_map(|branch| {
            let open = self.push(&branch, arena, node.depth + 1, 0..branch.n_rows(), &varying)?;
            Some((branch, open))
        });
        opened.collect()
    }
}

/// A row's weight in one branch, in units.
struct Share {
    row: u32,
    units: u64,
}

impl<S: Stat> Work<S> {
    /// Whether a column has a missing value among a node's rows.
    fn has_missing(&self, column: u32, range: Range<usize>) -> bool {
        let WorkColumn { codes, missing, .. } = &self.columns[column as usize];
        match codes {
            // Missing comes last.
            Codes::Sorted(entries) => entries[range].last().is_some_and(|e| e.code >= *missing),
            Codes::ByRow(codes) => {
                let rows = &self.rows[range];
                rows.iter().any(|&row| u32::from(codes[row as usize]) == *missing)
            }
        }
    }

    /// The rows of each branch, copied together; those with a missing value are in all of them.
    fn share_out(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        columns: &[u32],
    ) -> Vec<Work<S>> {
        let arity = candidate.arity() as u32;
        let WorkColumn { codes, missing, .. } = &self.columns[column as usize];
        let missing = *missing;
        // One branch more than there are stands for all of them.
        let branch_of =
            |code: u32| if code == missing { arity } else { candidate.branch(code, missing) };
        match codes {
            Codes::Sorted(entries) => {
                let entries = entries[range.clone()].iter();
                self.sent.note(arity as usize + 1, entries.map(|e| (e.row, branch_of(e.code))));
            }
            Codes::ByRow(codes) => {
                let rows = self.rows[range.clone()].iter();
                let sent = rows.map(|&row| (row, branch_of(codes[row as usize].into())));
                self.sent.note(arity as usize + 1, sent);
            }
        }
        let shares = self.shares(arity, range.clone());
        let mut places = vec![u32::MAX; self.sent.n_rows()];
        let mut works = Vec::new();
        for shares in &shares {
            self.rows[range.clone()].iter().for_each(|&row| places[row as usize] = u32::MAX);
            for (place, share) in shares.iter().enumerate() {
                places[share.row as usize] = place as u32;
            }
            works.push(self.copied(shares, range.clone(), columns, &places));
        }
        works
    }

    /// Each branch's rows in row order, where `arity` is the branch of rows that go down all.
    ///
    /// Of a row's units the first b branches together get their share rounded down, so that all
    /// of them together get all: no weight is lost, in any class. A row that stands for copies
    /// is shared out as its copies would be, unit for unit.
    fn shares(&self, arity: u32, range: Range<usize>) -> Vec<Vec<Share>> {
        let rows = &self.rows[range];
        let mut ends = vec![0u128; arity as usize];
        for &row in rows.iter().filter(|&&row| self.sent.branch(row) < arity) {
            ends[self.sent.branch(row) as usize] += u128::from(self.stat.row_units(row));
        }
        let mut known = 0;
        for end in &mut ends {
            known += *end;
            *end = known;
        }
        let mut shares: Vec<Vec<Share>> = ends.iter().map(|_| Vec::new()).collect();
        for &row in rows {
            let units = self.stat.row_units(row);
            let branch = self.sent.branch(row);
            if branch < arity {
                shares[branch as usize].push(Share { row, units });
                continue;
            }
            let copies = self.copies.get(row as usize).copied().unwrap_or(1);
            let mut given = 0;
            for (share, end) in shares.iter_mut().zip(&ends) {
                let of_each = (u128::from(units / copies) * end / known) as u64;
                let up_to = of_each * copies;
                if up_to > given {
                    share.push(Share { row, units: up_to - given });
                }
                given = up_to;
            }
        }
        shares
    }

    /// The rows of one branch as a work of its own; `places` are their places in it.
    fn copied(
        &self,
        shares: &[Share],
        range: Range<usize>,
        columns: &[u32],
        places: &[u32],
    ) -> Work<S> {
        let rows: Vec<u32> = shares.iter().map(|s| s.row).collect();
        let units: Vec<u64> = shares.iter().map(|s| s.units).collect();
        let mut copied: Vec<WorkColumn> =
            self.columns.iter().map(|c| WorkColumn::elsewhere(c.kind)).collect();
        for &c in columns {
            let from = &self.columns[c as usize];
            let codes = match &from.codes {
                Codes::Sorted(entries) => {
                    let local = |e: &Entry| Entry { code: e.code, row: places[e.row as usize] };
                    let entries = entries[range.clone()].iter().map(local);
                    Codes::Sorted(entries.filter(|e| e.row != u32::MAX).collect())
                }
                Codes::ByRow(codes) => {
                    Codes::ByRow(rows.iter().map(|&row| codes[row as usize]).collect())
                }
            };
            copied[c as usize] = WorkColumn {
                kind: from.kind,
                codes,
                missing: from.missing,
                global: from.global.clone(),
            };
        }
        let stat = self.stat.gather(&rows, Some(&units));
        Work::of(copied, stat, rows.len(), self.copies_of(&rows))
    }
}
