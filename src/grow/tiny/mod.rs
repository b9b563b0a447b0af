//! Tiny nodes have at most [`TINY`] rows. Most nodes of a full tree are tiny, so what each of them
//! costs beside its rows counts.
//!
//! The rows of such a node are copied into a [`TinyTable`], where rows and levels are bytes, and
//! its whole subtree is grown there ([`growth`]). It lies in the innermost cache, and of the nodes
//! below, most need no memory of their own.

mod column;
mod growth;

use std::ops::Range;

use smallvec::SmallVec;

use super::node::OpenNode;
use super::partition::Partition;
use super::partition::branch_map::partition_from;
use super::stored::StoredCodes;
use crate::split::{Candidate, CodeTest, SplitPolicy, TinyScratch};
use crate::stat::{PerTinyRow, Rating, RowStats, TINY, TinyRows, subtract};
use column::TinyColumn;

/// The rows of a tiny node, column by column. The nodes of its subtree have ranges of them.
pub(super) struct TinyTable<S: RowStats> {
    stats: S::Tiny,
    columns: Vec<TinyColumn>,
    /// The columns that are in use.
    n_columns: usize,
    /// The rows of each node, ascending.
    order: PerTinyRow<u8>,
    /// The number of each row in the partition, by row and in the order of `order`.
    numbers: PerTinyRow<u32>,
    numbers_in_order: PerTinyRow<u32>,
    totals: Vec<S::Num>,
    /// Columns that vary in the open nodes, by index.
    varying: Vec<u32>,
    /// The branch of each row of a node that is split.
    branches: PerTinyRow<u8>,
    /// The row here of each row of the partition.
    row_of_number: Vec<u8>,
    candidates: Vec<(u32, Candidate)>,
    scratch: TinyScratch<S::Num>,
    lefts: Vec<S::Num>,
}

type Branches = SmallVec<[Range<usize>; 2]>;

impl<S: RowStats> Default for TinyTable<S> {
    fn default() -> Self {
        TinyTable {
            stats: S::Tiny::default(),
            columns: Vec::new(),
            n_columns: 0,
            order: PerTinyRow::default(),
            numbers: PerTinyRow::default(),
            numbers_in_order: PerTinyRow::default(),
            totals: Vec::new(),
            varying: Vec::new(),
            branches: PerTinyRow::default(),
            row_of_number: Vec::new(),
            candidates: Vec::new(),
            scratch: TinyScratch::default(),
            lefts: Vec::new(),
        }
    }
}

impl<S: RowStats> TinyTable<S> {
    /// Copies the rows of a node, its columns and its stat.
    fn copy(&mut self, partition: &Partition<S>, node: &OpenNode<S::Num>) {
        let range = node.range.clone();
        let numbers = &partition.rows[range.clone()];
        partition.stats.copy_tiny(numbers, &mut self.stats);
        self.numbers.as_mut_slice()[..numbers.len()].copy_from_slice(numbers);
        self.numbers_in_order.as_mut_slice()[..numbers.len()].copy_from_slice(numbers);
        self.row_of_number.resize(partition.branch_map.n_rows().max(self.row_of_number.len()), 0);
        for (&number, row) in numbers.iter().zip(0..) {
            self.row_of_number[number as usize] = row;
            self.order[row] = row;
        }
        self.n_columns = 0;
        for &column in node.columns.iter() {
            let stored = partition.column(column);
            if self.n_columns == self.columns.len() {
                self.columns.push(TinyColumn::default());
            }
            let copy = &mut self.columns[self.n_columns];
            copy.begin(column, stored.kind, stored.missing);
            match stored.codes {
                StoredCodes::Packed { pack, index } => {
                    copy.sort(partition.stored.packs[pack].levels(index), numbers);
                }
                _ => match partition.presorted(column, range.clone()) {
                    Some(view) => copy.rank(view, &self.row_of_number),
                    None => continue,
                },
            }
            self.n_columns += 1;
        }
        self.varying.clear();
        self.varying.extend(0..self.n_columns as u32);
        self.totals.clear();
        self.totals.extend_from_slice(&node.total);
    }

    /// The best candidate of a column at a node, whose stat begins at `total`.
    fn best_of_column(
        &mut self,
        column: u32,
        rows: Range<usize>,
        policy: &SplitPolicy,
        rating: &S::Rating,
        total: usize,
    ) -> Option<Candidate> {
        let column = &self.columns[column as usize];
        let view = column.view::<S>(&self.stats, rows);
        let total = &self.totals[total..total + rating.width()];
        view.best(policy, rating, column.kind, total, &mut self.scratch)
    }

    /// Appends the columns, of some, that vary in a node, and returns where they are.
    fn keep_varying(&mut self, columns: Range<usize>, rows: Range<usize>) -> Range<usize> {
        let start = self.varying.len();
        for at in columns {
            let column = self.varying[at];
            if self.columns[column as usize].varies(&rows) {
                self.varying.push(column);
            }
        }
        start..self.varying.len()
    }

    /// The index of a column of the table, if it is among some columns.
    fn index_of(&self, column: u32, among: Range<usize>) -> Option<u32> {
        let among = &self.varying[among];
        let found = among.binary_search_by_key(&column, |&at| self.columns[at as usize].column);
        found.ok().map(|at| among[at])
    }

    /// Notes each row's branch by a rule on one of the columns that vary. Returns the branches' rows.
    fn route(
        &mut self,
        column: u32,
        candidate: &Candidate,
        varying: Range<usize>,
        rows: Range<usize>,
    ) -> Branches {
        let Some(index) = self.index_of(column, varying) else { return Branches::new() };
        let TinyColumn { order, levels, missing, codes, missing_code, .. } =
            &self.columns[index as usize];
        let of_node = &order.as_slice()[rows.clone()];
        let mut sizes = SmallVec::<[usize; 2]>::from_elem(0, candidate.arity());
        // Codes need not be in order of level; the rows are.
        let mut is_right = false;
        for &row in of_node {
            let code = codes[levels[row]];
            let branch = match &candidate.test {
                CodeTest::AtLeast(cut) if levels[row] != *missing => {
                    is_right |= code == cut.hi;
                    u32::from(is_right)
                }
                _ => candidate.branch(code, *missing_code),
            };
            self.branches[row] = branch as u8;
            sizes[branch as usize] += 1;
        }
        let mut end = rows.start;
        let range = |size| {
            end += size;
            end - size..end
        };
        sizes.into_iter().map(range).collect()
    }

    /// Appends the stats of a node's branches, and returns where they begin. All but the largest
    /// branch are summed; the rest of the node's stat, which begins at `total`, is the largest one's.
    fn add_totals(&mut self, total: usize, branches: &[Range<usize>]) -> usize {
        let (first, width) = (self.totals.len(), self.totals.len() - total);
        let largest = (0..branches.len()).max_by_key(|&branch| branches[branch].len());
        let largest = first + largest.unwrap_or(0) * width;
        self.totals.resize(first + branches.len() * width, S::Num::default());
        self.totals.copy_within(total..first, largest);
        for (branch, rows) in branches.iter().enumerate() {
            let start = first + branch * width;
            if start != largest {
                let rows = &self.order.as_slice()[rows.clone()];
                self.stats.add(rows, &mut self.totals[start..start + width]);
                let sides = [largest..largest + width, start..start + width];
                if let Ok([rest, taken]) = self.totals.get_disjoint_mut(sides) {
                    subtract(rest, taken);
                }
            }
        }
        first
    }

    /// Partitions the order of a node's rows as they are routed.
    fn split_rows(&mut self, branches: &[Range<usize>]) {
        partition(self.order.as_mut_slice(), &self.branches, branches);
        let all = rows_of(branches);
        let numbers = &mut self.numbers_in_order.as_mut_slice()[all.clone()];
        for (number, &row) in numbers.iter_mut().zip(&self.order.as_slice()[all]) {
            *number = self.numbers[row];
        }
    }

    /// Partitions the orders of some columns alike.
    fn split_columns(&mut self, columns: Range<usize>, branches: &[Range<usize>]) {
        for &column in &self.varying[columns] {
            let order = &mut self.columns[column as usize].order;
            partition(order.as_mut_slice(), &self.branches, branches);
        }
    }
}

/// Moves rows to their branches, stably.
#[inline]
fn partition(order: &mut [u8], branch_of: &PerTinyRow<u8>, branches: &[Range<usize>]) {
    let mut spill = [0; TINY + 1];
    if let [left, right] = branches {
        let order = &mut order[left.start..right.end];
        partition_from(order, &mut spill, (0, 0), |row| branch_of[row] == 1);
        return;
    }
    let all = rows_of(branches);
    let mut next = [0; TINY + 1];
    next.iter_mut().zip(branches).for_each(|(next, branch)| *next = branch.start - all.start);
    for &row in &order[all.clone()] {
        let slot = &mut next[usize::from(branch_of[row])];
        spill[*slot] = row;
        *slot += 1;
    }
    let n_rows = all.len();
    order[all].copy_from_slice(&spill[..n_rows]);
}

/// The rows of all branches of a node, which are neighbours.
fn rows_of(branches: &[Range<usize>]) -> Range<usize> {
    let start = branches.first().map_or(0, |branch| branch.start);
    start..branches.last().map_or(start, |branch| branch.end)
}
