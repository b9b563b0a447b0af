//! Fractional cases, C4.5's way with missing values (Quinlan 1993, chapter 3): a row whose value
//! is missing goes down every branch, with the branch's share of the known weight.
//!
//! A row in several branches has another weight in each, so these are *shared branches*: each has
//! entries and weights of its own, in a partition that shares the rows' codes. All other splits are
//! as usual.

use super::arena::Arena;
use super::grower::Grower;
use super::node::{ChosenSplit, OpenNode};
use super::partition::Partition;
use super::partition::share_out::KnownUnits;
use super::scratch::Pool;
use crate::stat::{CountRows, RowStats};
use crate::tree::TreeData;

/// A partition and its one open node, which has all of its rows.
pub(super) type SharedBranch<S> = (Partition<S>, OpenNode<<S as CountRows>::Num>);

impl Grower<'_> {
    /// Whether a rule shares rows out among its branches.
    pub(super) fn shares_rows<S: RowStats>(
        &self,
        partition: &Partition<S>,
        chosen: &ChosenSplit<S::Num>,
    ) -> bool {
        self.is_fractional() && partition.has_missing(chosen.column, chosen.node.range.clone())
    }

    /// Gives a node a rule that shares rows out, and opens each branch in a partition of its own.
    pub(super) fn share_branches<S: RowStats>(
        &self,
        partition: &Partition<S>,
        arena: &mut Arena,
        chosen: ChosenSplit<S::Num>,
        pool: &Pool<S>,
    ) -> Vec<SharedBranch<S>> {
        let ChosenSplit { node, column, candidate, varying, .. } = chosen;
        let range = || node.range.clone();
        let branches =
            pool.with(|s| partition.share_out(column, &candidate, range(), &mut s.of_rows));
        arena.split(node.node, partition.in_table_codes(column, candidate));
        let opened = branches.into_iter().enumerate().filter_map(|(at, shares)| {
            let mut branch = partition.branch_without_columns(shares);
            let (rows, total) = (0..branch.n_rows(), branch.total());
            let open = self.push(&branch, arena, node.path.branch(at), rows, total, &varying)?;
            pool.with(|s| partition.fill_branch(&mut branch, range(), &varying, &mut s.of_rows));
            Some((branch, open))
        });
        opened.collect()
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
