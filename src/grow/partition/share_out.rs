//! Branches that some rows are in only in part, by weight.
//!
//! A branch has rows, weights and entries of its own. It keeps the numbers of the rows, and so
//! shares their codes with the node; a branch of few of the rows gets its own numbers and codes.

use std::ops::Range;
use std::sync::Arc;

use super::branch_map::BranchMap;
use super::rank_bitmap::RankBitmap;
use super::gather::unchanged;
use super::{Partition, PartitionColumn, Storage};
use crate::data::column::{EntryLayout, RowCodes, Sorted};
use crate::grow::known_units::KnownUnits;
use crate::split::{Candidate, PresortedView};
use crate::stat::RowStats;

/// The rows of a branch, ascending, and the weight units that each has there.
#[derive(Default)]
pub(crate) struct Shares {
    rows: Vec<u32>,
    units: Vec<u64>,
}

impl Shares {
    fn push(&mut self, row: u32, units: u64) {
        self.rows.push(row);
        self.units.push(units);
    }
}

impl<S: RowStats> Partition<S> {
    /// Whether a column has a missing value among a node's rows.
    pub(crate) fn has_missing(&self, column: u32, range: Range<usize>) -> bool {
        let missing = self.columns[column as usize].missing;
        match self.presorted(column, range.clone()) {
            Some(view) => view.n_known() < range.len(),
            None => self.rows[range].iter().any(|&row| self.code(column, row) == missing),
        }
    }

    /// The rows of each branch. Those with a missing value are in all branches.
    pub(crate) fn share_out(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
    ) -> Vec<Shares> {
        let arity = candidate.arity();
        let missing = self.columns[column as usize].missing;
        // One branch more than there are stands for all branches.
        let branch_of =
            |code| if code == missing { arity as u32 } else { candidate.branch(code, missing) };
        self.record(column, range.clone(), arity + 1, branch_of);
        let routed = || {
            let rows = self.rows[range.clone()].iter();
            rows.map(|&row| {
                (row, self.branch_map.branch(row) as usize, self.stats.row_units(row))
            })
        };
        let known = routed().filter(|&(_, branch, _)| branch < arity);
        let known = KnownUnits::of(arity, known.map(|(_, branch, units)| (branch, units)));
        let mut shares: Vec<Shares> = (0..arity).map(|_| Shares::default()).collect();
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

    /// A branch's rows, as yet without columns.
    pub(crate) fn branch_without_columns(&self, shares: &Shares) -> Partition<S> {
        let stats = self.stats.shared(&shares.rows, &shares.units);
        let n_numbers = self.branch_map.n_rows();
        let constant = |column: &PartitionColumn| PartitionColumn::constant(column.kind);
        Partition {
            columns: self.columns.iter().map(constant).collect(),
            packs: Arc::clone(&self.packs),
            layout: EntryLayout::new(n_numbers, stats.tag_bits()),
            stats,
            rows: shares.rows.clone(),
            branch_map: BranchMap::new(n_numbers),
            copies: Arc::clone(&self.copies),
        }
    }

    /// Gives a branch of a node its entries of some columns.
    pub(crate) fn fill_branch(
        &self,
        mut branch: Partition<S>,
        range: Range<usize>,
        columns: &[u32],
        bitmap: &mut RankBitmap,
    ) -> Partition<S> {
        bitmap.fill(&branch.rows, self.branch_map.n_rows());
        for &c in columns {
            let from = &self.columns[c as usize];
            let storage = match &from.storage {
                Storage::Presorted { codes, order } => {
                    let entries = order[range.clone()].iter();
                    let rows = entries.map(|&entry| self.layout.row(entry));
                    let order = branch.entries_of(rows, bitmap);
                    Storage::Presorted { codes: Arc::clone(codes), order }
                }
                &Storage::Packed { pack, index } => Storage::Packed { pack, index },
                Storage::Constant => Storage::Constant,
            };
            branch.columns[c as usize] = PartitionColumn { storage, ..from.without_codes() };
        }
        match self.is_set_aside(branch.n_rows()) {
            true => branch.renumbered(columns, bitmap),
            false => branch,
        }
    }

    /// The entries of those of some rows that are in this branch.
    fn entries_of(&self, rows: impl Iterator<Item = u32>, bitmap: &RankBitmap) -> Vec<u32> {
        let mut entries = vec![0; self.rows.len() + 1];
        let mut n = 0;
        // Branchless: each entry is written, and the next one over it if its row is not here.
        for row in rows {
            entries[n] = self.layout.entry_by(row, |row| self.stats.tag(row));
            n += usize::from(bitmap.contains(row));
        }
        entries.truncate(n);
        entries
    }

    /// The same rows with numbers of their own.
    fn renumbered(&self, columns: &[u32], bitmap: &RankBitmap) -> Partition<S> {
        let stats = self.stats.gather(&self.rows);
        let of_presorted = |view: PresortedView, stats: &S, layout: EntryLayout| {
            let ranks = bitmap.ranks(view.entries.iter().map(|&entry| view.layout.row(entry)));
            let entry = |&row: &u32| layout.entry_by(row, |row| stats.tag(row));
            let order = ranks.iter().map(entry).collect();
            Sorted { codes: RowCodes::Stored(view.codes_of(&self.rows)), order }
        };
        self.copied(stats, &self.rows, 0..self.n_rows(), columns, of_presorted, unchanged)
    }
}
