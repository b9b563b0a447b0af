//! One split: the rows of a node, and its columns' entries, partitioned among its branches.

use std::ops::Range;

use super::Partition;
use super::branch_map::{BranchMap, partition_parallel};
use crate::data::column::{EntryLayout, RowCodes};
use crate::grow::histogram::few_rows::FEW_ROWS;
use crate::grow::scratch::{Pool, ThreadScratch};
use crate::grow::stored::{StoredCodes, StoredColumn, StoredColumns};
use crate::split::{Candidate, RowLevels};
use crate::stat::{Num, RowStats, StatVec, subtract};
use crate::util::parallel;
use crate::util::scratch_pool::ScratchPool;

impl<S: RowStats> Partition<S> {
    /// Routes a node's rows: records each row's branch, partitions the node's rows (unless they
    /// [follow later](Self::rows_follow)), and returns each branch's rows.
    pub(crate) fn route(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        pool: &Pool<S>,
    ) -> Vec<usize> {
        let arity = candidate.arity();
        let missing = self.column(column).missing;
        if arity == 2 {
            let n_right = self.route_two_way(column, candidate, range.clone(), pool);
            return vec![range.len() - n_right, n_right];
        }
        self.record(column, range.clone(), arity, |code| candidate.branch(code, missing));
        let mut branches = vec![0; arity];
        for &row in &self.rows[range.clone()] {
            branches[self.branch_map.branch(row) as usize] += 1;
        }
        let (starts, map) = (starts(&branches), &self.branch_map);
        pool.with(|scratch| {
            let rows = &mut self.rows[range];
            map.partition(rows, &mut scratch.spill, &starts, EntryLayout::ROWS);
        });
        branches
    }

    /// A two-way split in one pass; returns how many rows go right.
    fn route_two_way(
        &mut self,
        column: u32,
        candidate: &Candidate,
        range: Range<usize>,
        pool: &Pool<S>,
    ) -> usize {
        let (rows_follow, layout) = (self.rows_follow(column), self.layout);
        let StoredColumns { columns, packs } = &self.stored;
        let StoredColumn { ref codes, missing, .. } = columns[column as usize];
        let (rows, map) = (&mut self.rows[range.clone()], &mut self.branch_map);
        let right = candidate.right_range(missing);
        // Only presorted columns ask the map.
        let asks = |map| columns.iter().any(StoredColumn::is_presorted).then_some(map);
        let is_right = |code| candidate.branch(code, missing) == 1;
        let codes = match codes {
            StoredCodes::Presorted(codes) => &**codes,
            StoredCodes::Unordered(codes) => {
                return route(asks(map), rows, pool, |row| is_right(codes[row as usize]));
            }
            &StoredCodes::Packed { pack, index } => {
                let (pack, map) = (&packs[pack], asks(map));
                if rows.len() <= FEW_ROWS {
                    let levels = pack.levels(index);
                    return route(map, rows, pool, |row| is_right(levels.code(row)));
                }
                let (byte, goes_right) = pack.map_values(index, is_right);
                return route(map, rows, pool, |row| goes_right[pack.value(row, byte)]);
            }
            StoredCodes::Constant => return 0,
        };
        match (codes, right) {
            (RowCodes::Identity(_), Some(right)) => {
                let order = &mut self.entries[column as usize][range];
                let n_known = order.partition_point(|&e| codes.of(layout.row(e)) < missing);
                let is_first_right = |&entry: &u32| layout.row(entry) == right.start;
                let mut at = order[..n_known].iter().position(is_first_right).unwrap_or(n_known);
                if !right.contains(&missing) {
                    // Missing values go left, and are last there.
                    order[at..].rotate_left(n_known - at);
                    at += order.len() - n_known;
                }
                map.record_cut(order, at, layout);
                if !rows_follow {
                    pool.with(|scratch| {
                        map.partition(rows, &mut scratch.spill, &[], EntryLayout::ROWS);
                    });
                }
                order.len() - at
            }
            (RowCodes::Stored(codes), Some(right)) => {
                map.route(rows, pool, |row| right.contains(&codes[row as usize]))
            }
            // In a node of more rows than levels each level is tested once.
            (codes, None) if rows.len() > missing as usize => {
                let goes_right: Vec<bool> =
                    (0..=missing).map(|code| candidate.branch(code, missing) == 1).collect();
                map.route(rows, pool, |row| goes_right[codes.of(row) as usize])
            }
            (codes, None) => {
                map.route(rows, pool, |row| candidate.branch(codes.of(row), missing) == 1)
            }
        }
    }

    /// Records the branch of each row of a node by its code: in row order, so that codes are read
    /// and branches written sequentially.
    pub(crate) fn record(
        &mut self,
        column: u32,
        range: Range<usize>,
        arity: usize,
        branch_of: impl Fn(u32) -> u32,
    ) {
        let rows = self.rows[range].iter();
        match &self.stored.columns[column as usize].codes {
            StoredCodes::Presorted(codes) => {
                self.branch_map.record(arity, rows.map(|&row| (row, branch_of(codes.of(row)))));
            }
            StoredCodes::Unordered(codes) => {
                let branch = |&row: &u32| (row, branch_of(codes[row as usize]));
                self.branch_map.record(arity, rows.map(branch));
            }
            &StoredCodes::Packed { pack, index } => {
                let pack = &self.stored.packs[pack];
                let (byte, branches) = pack.map_values(index, branch_of);
                let branch = |&row: &u32| (row, branches[pack.value(row, byte)]);
                self.branch_map.record(arity, rows.map(branch));
            }
            StoredCodes::Constant => {}
        }
    }

    /// Whether rows routed by this column are partitioned only together with the columns'
    /// entries: a cut of entries with payloads tells the branches' stats without the rows.
    fn rows_follow(&self, column: u32) -> bool {
        self.stats.payloads_are_stats()
            && self.layout.has_payloads()
            && self.stored.is_identity(column)
    }

    /// The stats of the branches of a node routed by the column `by`, whose stat is `whole`. All
    /// but the largest branch are summed; the rest is the largest one's.
    pub(crate) fn totals_of_branches(
        &self,
        by: u32,
        branches: &[Range<usize>],
        whole: StatVec<S::Num>,
    ) -> Vec<StatVec<S::Num>> {
        let mut totals = vec![StatVec::new(); branches.len()];
        let largest = (0..branches.len()).max_by_key(|&branch| branches[branch].len());
        let Some(largest) = largest else { return totals };
        let mut rest = whole;
        for (branch, range) in branches.iter().enumerate().filter(|(at, _)| *at != largest) {
            totals[branch] = self.total_of_branch(by, range.clone());
            subtract(&mut rest, &totals[branch]);
        }
        totals[largest] = rest;
        totals
    }

    fn total_of_branch(&self, by: u32, range: Range<usize>) -> StatVec<S::Num> {
        match self.rows_follow(by) {
            true => self.stats.total(&self.entries[by as usize][range], self.layout),
            false => self.stats.total(&self.rows[range], EntryLayout::ROWS),
        }
    }

    /// Partitions some columns' entries of a node as `route` routed the rows by the column `by`,
    /// and the rows that follow.
    pub(crate) fn split_columns(
        &mut self,
        columns: &[u32],
        by: u32,
        range: Range<usize>,
        branches: &[usize],
        in_parallel: bool,
        pool: &Pool<S>,
    ) {
        let starts = starts(branches);
        // A cut of such a column leaves its own entries partitioned.
        let (is_done, rows_follow) = (self.stored.is_identity(by), self.rows_follow(by));
        let (map, layout) = (&self.branch_map, self.layout);
        let columns = columns.iter().filter(|&&c| !(is_done && c == by));
        let split = |entries: &mut Vec<u32>, scratch: &mut ThreadScratch<S::Num>| {
            if let Some(entries) = entries.get_mut(range.clone()) {
                map.partition(entries, &mut scratch.spill, &starts, layout);
            }
        };
        let rows = &mut self.rows[range.clone()];
        let mut split_rows = |scratch: &mut ThreadScratch<S::Num>| {
            if rows_follow {
                map.partition(rows, &mut scratch.spill, &starts, EntryLayout::ROWS);
            }
        };
        if in_parallel {
            let mut wanted = vec![false; self.entries.len()];
            columns.for_each(|&c| wanted[c as usize] = true);
            let entries = self.entries.iter_mut().zip(wanted).filter(|(_, is_wanted)| *is_wanted);
            rayon::join(
                || pool.with(split_rows),
                || {
                    parallel::for_each(entries, |(entries, _)| {
                        pool.with(|scratch| split(entries, scratch));
                    });
                },
            );
        } else {
            pool.with(|scratch| {
                split_rows(scratch);
                columns.for_each(|&c| split(&mut self.entries[c as usize], scratch));
            });
        }
    }
}

/// Moves rows that go right behind the others, and records their sides if a map is given. Returns
/// how many go right.
fn route<N: Num>(
    map: Option<&mut BranchMap>,
    rows: &mut [u32],
    pool: &ScratchPool<ThreadScratch<N>>,
    goes_right: impl Fn(u32) -> bool + Sync,
) -> usize {
    match map {
        Some(map) => map.route(rows, pool, goes_right),
        None => partition_parallel(rows, None, pool, &goes_right),
    }
}

fn starts(branches: &[usize]) -> Vec<usize> {
    let ends = branches.iter().scan(0, |end, rows| {
        *end += rows;
        Some(*end)
    });
    std::iter::once(0).chain(ends).take(branches.len()).collect()
}
