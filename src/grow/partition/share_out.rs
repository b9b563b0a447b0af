//! Branches that hold only a part of some rows, by weight.
//!
//! A branch has rows, weights and entries of its own. It keeps the numbers of the rows, and so
//! shares their codes with the node.

use std::ops::Range;
use std::sync::Arc;

use super::Partition;
use super::gather::{codes_here, unchanged};
use super::rank_bitmap::RankBitmap;
use super::some_rows::{ABSENT, entries_present, layout_of_some, note_entries};
use crate::data::column::{EntryLayout, RowCodes, Sorted};
use crate::grow::stored::{StoredCodes, StoredColumn, StoredColumns};
use crate::split::{Candidate, PresortedView};
use crate::stat::RowStats;
use crate::tree::rule::Test;

/// The rows of a branch, ascending, and the weight units that each has there.
pub(crate) struct Shares {
    rows: Vec<u32>,
    units: Vec<u64>,
}

impl Shares {
    fn with_capacity(n: usize) -> Self {
        Shares { rows: Vec::with_capacity(n), units: Vec::with_capacity(n) }
    }

    fn push(&mut self, row: u32, units: u64) {
        self.rows.push(row);
        self.units.push(units);
    }
}

impl<S: RowStats> Partition<S> {
    /// Whether a column has a missing value among a node's rows.
    pub(crate) fn has_missing(&self, column: u32, range: Range<usize>) -> bool {
        let missing = self.column(column).missing;
        match self.presorted(column, range.clone()) {
            Some(view) => view.n_known() < range.len(),
            None => self.rows[range].iter().any(|&row| self.stored.code(column, row) == missing),
        }
    }

    /// The rows of each branch. Rows with a missing value are in all branches.
    pub(crate) fn share_out(
        &self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        branch_of: &mut Vec<u32>,
    ) -> Vec<Shares> {
        let arity = candidate.arity();
        let rows = &self.rows[range.clone()];
        branch_of.resize(self.branch_map.n_rows().max(branch_of.len()), 0);
        self.branches_or_all(column, candidate, range, branch_of);
        let routed = || {
            let route = |&row: &u32| (row, branch_of[row as usize] as usize);
            rows.iter().map(route).map(|(row, branch)| (row, branch, self.stats.row_units(row)))
        };
        let mut n_rows = vec![0; arity + 1];
        let known = KnownUnits::of(
            arity,
            routed().filter_map(|(_, branch, units)| {
                n_rows[branch] += 1;
                (branch < arity).then_some((branch, units))
            }),
        );
        let mut shares: Vec<Shares> =
            n_rows[..arity].iter().map(|n| Shares::with_capacity(n + n_rows[arity])).collect();
        for (row, branch, units) in routed() {
            if branch < arity {
                shares[branch].push(row, units);
                continue;
            }
            let copies = self.copies.get(row as usize).copied().unwrap_or(1);
            for (shares, units) in shares.iter_mut().zip(known.share_out(units, copies)) {
                if units > 0 {
                    shares.push(row, units);
                }
            }
        }
        shares
    }

    /// The branch of each row of a node; the number of branches stands for all of them.
    fn branches_or_all(
        &self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        branch_of: &mut [u32],
    ) {
        let StoredColumn { codes, missing, .. } = self.column(column);
        let arity = candidate.arity() as u32;
        let of_code =
            |code| if code == *missing { arity } else { candidate.branch(code, *missing) };
        let rows = self.rows[range.clone()].iter().map(|&row| row as usize);
        match codes {
            StoredCodes::Presorted(codes) => match (&**codes, &candidate.test) {
                // Such codes are not in order of level; entries are.
                (RowCodes::Identity(missing_rows), Test::AtLeast(cut)) => {
                    let mut branch = 0;
                    let entries = &self.entries[column as usize][range];
                    for row in entries.iter().map(|&entry| self.layout.row(entry)) {
                        branch = if row == cut.hi { 1 } else { branch };
                        let is_missing = missing_rows.contains(row);
                        branch_of[row as usize] = if is_missing { arity } else { branch };
                    }
                }
                (codes, _) => rows.for_each(|row| branch_of[row] = of_code(codes.of(row as u32))),
            },
            StoredCodes::Unordered(codes) => {
                rows.for_each(|row| branch_of[row] = of_code(codes[row]));
            }
            &StoredCodes::Packed { pack, index } => {
                let pack = &self.stored.packs[pack];
                let (byte, branches) = pack.map_values(index, of_code);
                rows.for_each(|row| branch_of[row] = branches[pack.value(row as u32, byte)]);
            }
            StoredCodes::Constant => {}
        }
    }

    /// A branch's rows, as yet without columns.
    pub(crate) fn branch_without_columns(&self, shares: Shares) -> Partition<S> {
        let stats = self.stats.shared(&shares.rows, &shares.units);
        let StoredColumns { columns, packs } = &self.stored;
        let constant = |column: &StoredColumn| StoredColumn::constant(column.kind);
        let stored = StoredColumns {
            columns: columns.iter().map(constant).collect(),
            packs: Arc::clone(packs),
        };
        let (n_numbers, entries) = (self.branch_map.n_rows(), vec![Vec::new(); columns.len()]);
        let (layout, rows) = (layout_of_some(n_numbers, &stats), shares.rows);
        let copies = Arc::clone(&self.copies);
        Partition::new(stored, entries, stats, layout, rows, n_numbers, copies)
    }

    /// Gives a branch of a node its entries of some columns.
    pub(crate) fn fill_branch(
        &self,
        branch: &mut Partition<S>,
        range: Range<usize>,
        columns: &[u32],
        entry_of: &mut Vec<u32>,
    ) {
        entry_of.resize(self.branch_map.n_rows().max(entry_of.len()), ABSENT);
        self.rows[range.clone()].iter().for_each(|&row| entry_of[row as usize] = ABSENT);
        note_entries(&branch.rows, branch.layout, &branch.stats, entry_of);
        let row_mask = self.layout.row(u32::MAX);
        for &c in columns {
            let column = self.column(c);
            if column.is_presorted() {
                let entries = &self.entries[c as usize][range.clone()];
                branch.entries[c as usize] =
                    entries_present(entries, row_mask, entry_of, branch.n_rows());
            }
            branch.stored.columns[c as usize] = column.clone();
        }
    }

    /// A partition of these rows alone, numbered from 0.
    pub(crate) fn renumbered(&self, columns: &[u32]) -> Partition<S> {
        let mut bitmap = RankBitmap::default();
        bitmap.fill(&self.rows, self.branch_map.n_rows());
        let of_presorted = |view: PresortedView, stats: &S, layout: EntryLayout| {
            let ranks = bitmap.ranks(view.entries.iter().map(|&entry| view.layout.row(entry)));
            let entry = |&row: &u32| layout.entry_by(row, |row| stats.payload(row));
            let order = ranks.iter().map(entry).collect();
            Sorted { codes: codes_here(view, &ranks, &self.rows), order }
        };
        let (stats, range) = (self.stats.gather(&self.rows), 0..self.n_rows());
        let mut copy = self.copied(stats, &self.rows, range, columns, of_presorted, unchanged);
        for &c in columns.iter().filter(|&&c| self.stored.is_identity(c)) {
            let before = &self.column(c).table_codes;
            let in_table = |&row: &u32| before.as_ref().map_or(row, |codes| codes[row as usize]);
            copy.stored.columns[c as usize].table_codes =
                Some(self.rows.iter().map(in_table).collect());
        }
        copy
    }
}

/// Cumulative known units of a node's branches.
pub(crate) struct KnownUnits(Vec<u128>);

impl KnownUnits {
    /// From the branch and units of each row whose value is known.
    pub(crate) fn of(arity: usize, rows: impl Iterator<Item = (usize, u64)>) -> KnownUnits {
        let mut ends = vec![0u128; arity];
        rows.for_each(|(branch, units)| ends[branch] += u128::from(units));
        for branch in 1..arity {
            ends[branch] += ends[branch - 1];
        }
        KnownUnits(ends)
    }

    /// Each branch's part of a row's units. The first b branches together get their share rounded
    /// down, so that all branches together get all units. A row that stands for copies is shared
    /// out as the copies would be.
    pub(crate) fn share_out(&self, units: u64, copies: u64) -> impl Iterator<Item = u64> {
        let known = self.0.last().copied().unwrap_or(0).max(1);
        let of_each = u128::from(units / copies.max(1));
        let up_to = move |end: &u128| (of_each * end / known) as u64 * copies;
        self.0.iter().map(up_to).scan(0, |given, up_to| {
            let units = up_to - *given;
            *given = up_to;
            Some(units)
        })
    }
}
