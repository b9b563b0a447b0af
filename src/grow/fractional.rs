//! Fractional cases, C4.5's way with missing values (Quinlan 1993, chapter 3): a row whose value
//! is missing goes down every branch, with the branch's share of the known weight.
//!
//! A row in several branches has another weight in each, so such a split is a *fork*: the rows
//! of every branch are copied into a partition of their own. All other splits are as usual.

use std::ops::Range;

use super::arena::Arena;
use super::node::{ChosenSplit, OpenNode};
use super::partition::Partition;
use super::partition::gather::unchanged;
use super::plan::Plan;
use crate::data::column::{EntryLayout, RowCodes, Sorted};
use crate::split::{Candidate, PresortedView};
use crate::stat::RowStats;
use crate::tree::TreeData;

/// A partition and its one open node, which has all of its rows.
pub(super) type Fork<S> = (Partition<S>, OpenNode<<S as RowStats>::Num>);

impl Plan {
    /// Whether a rule shares rows out among its branches.
    pub(super) fn is_forked<S: RowStats>(
        &self,
        partition: &Partition<S>,
        chosen: &ChosenSplit<S::Num>,
    ) -> bool {
        self.is_fractional() && partition.has_missing(chosen.column, chosen.node.range.clone())
    }

    /// Gives a node a rule that shares rows out, and opens its branches, each in a partition of
    /// its own.
    pub(super) fn fork<S: RowStats>(
        &self,
        partition: &mut Partition<S>,
        arena: &mut Arena,
        chosen: ChosenSplit<S::Num>,
    ) -> Vec<Fork<S>> {
        let ChosenSplit { node, column, candidate, varying, .. } = chosen;
        let branches = partition.share_out(column, &candidate, node.range, &varying);
        arena.split(node.node, partition.in_original_codes(column, candidate));
        let opened = branches.into_iter().filter_map(|branch| {
            let (rows, total) = (0..branch.n_rows(), branch.total());
            let open = self.push(&branch, arena, node.depth + 1, rows, total, &varying)?;
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

/// Cumulative known units of a node's branches.
struct KnownUnits(Vec<u128>);

impl KnownUnits {
    /// From the branch and units of each row whose value is known.
    fn of(arity: usize, rows: impl Iterator<Item = (usize, u64)>) -> KnownUnits {
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
    fn share_out(&self, units: u64, copies: u64) -> impl Iterator<Item = u64> {
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

/// The weight units of each training row at a node of its tree, as growth shared them out; 0 for
/// a row that does not reach the node. `parts` are the nodes each row ended in, ascending.
pub(crate) fn units_at(
    tree: &TreeData,
    node: u32,
    parts: &[Vec<u32>],
    mut units: Vec<u64>,
    copies: &[u64],
) -> Vec<u64> {
    let mut path = vec![node];
    while let Some(parent) = path.last().and_then(|&id| tree.nodes[id as usize].parent) {
        path.push(parent);
    }
    path.reverse();
    for step in path.windows(2) {
        let Some(split) = &tree.nodes[step[0] as usize].split else { continue };
        // In preorder a branch's nodes lie between its root and the next branch's. A row in two
        // branches is in all of them.
        let branch_of = |id: u32| split.branches.partition_point(|&b| b <= id).checked_sub(1);
        let end = tree.end_of_subtree(step[0]);
        let its_branch = |row: usize| -> Option<usize> {
            let mut here = parts[row].iter().filter(|&&id| id > step[0] && id < end);
            let first = branch_of(*here.next()?)?;
            here.all(|&id| branch_of(id) == Some(first)).then_some(first)
        };
        let arity = split.branches.len();
        let present = |&(_, &units): &(usize, &u64)| units > 0;
        let known = units.iter().enumerate().filter(present);
        let known =
            KnownUnits::of(arity, known.filter_map(|(r, &units)| Some((its_branch(r)?, units))));
        let wanted = branch_of(step[1]);
        for (row, units) in units.iter_mut().enumerate() {
            *units = match its_branch(row) {
                Some(branch) if Some(branch) == wanted => *units,
                Some(_) => 0,
                None => {
                    let copies = copies.get(row).copied().unwrap_or(1);
                    let mut shares = known.share_out(*units, copies);
                    wanted.and_then(|branch| shares.nth(branch)).unwrap_or(0)
                }
            };
        }
    }
    units
}

impl<S: RowStats> Partition<S> {
    /// Whether a column has a missing value among a node's rows.
    fn has_missing(&self, column: u32, range: Range<usize>) -> bool {
        let missing = self.columns[column as usize].missing;
        self.rows[range].iter().any(|&row| self.code(column, row) == missing)
    }

    /// A partition per branch. Rows with a missing value are in all of them.
    fn share_out(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        columns: &[u32],
    ) -> Vec<Partition<S>> {
        let arity = candidate.arity() as u32;
        let missing = self.columns[column as usize].missing;
        // One branch more than there are stands for all branches.
        let branch_of =
            |code: u32| if code == missing { arity } else { candidate.branch(code, missing) };
        self.record(column, range.clone(), arity as usize + 1, branch_of);
        let shares = self.shares(arity, range.clone());
        let mut new_rows = vec![u32::MAX; self.branch_map.n_rows()];
        let mut branches = Vec::new();
        for shares in &shares {
            self.rows[range.clone()].iter().for_each(|&row| new_rows[row as usize] = u32::MAX);
            for (new_row, share) in shares.iter().enumerate() {
                new_rows[share.row as usize] = new_row as u32;
            }
            let rows: Vec<u32> = shares.iter().map(|s| s.row).collect();
            let units: Vec<u64> = shares.iter().map(|s| s.units).collect();
            let stats = self.stats.gather(&rows, Some(&units));
            let of_presorted = |view: PresortedView, stats: &S, layout: EntryLayout| {
                let here = view.entries.iter().map(|&e| new_rows[view.layout.row(e) as usize]);
                let here = here.filter(|&row| row != u32::MAX);
                let order = here.map(|row| layout.entry_by(row, |row| stats.tag(row))).collect();
                Sorted { codes: RowCodes::Stored(view.codes_of(&rows)), order }
            };
            let range = range.clone();
            branches.push(self.copied(stats, &rows, range, columns, of_presorted, unchanged));
        }
        branches
    }

    /// The rows of each branch, ascending. The branch `arity` stands for all branches.
    fn shares(&self, arity: u32, range: Range<usize>) -> Vec<Vec<Share>> {
        let rows = &self.rows[range];
        let known = rows.iter().filter(|&&row| self.branch_map.branch(row) < arity);
        let known =
            known.map(|&row| (self.branch_map.branch(row) as usize, self.stats.row_units(row)));
        let known = KnownUnits::of(arity as usize, known);
        let mut shares: Vec<Vec<Share>> = (0..arity).map(|_| Vec::new()).collect();
        for &row in rows {
            let units = self.stats.row_units(row);
            let branch = self.branch_map.branch(row);
            if branch < arity {
                shares[branch as usize].push(Share { row, units });
                continue;
            }
            let copies = self.copies.get(row as usize).copied().unwrap_or(1);
            for (shares, units) in shares.iter_mut().zip(known.share_out(units, copies)) {
                if units > 0 {
                    shares.push(Share { row, units });
                }
            }
        }
        shares
    }
}
