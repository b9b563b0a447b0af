//! Nodes of few rows: which of them are gathered, and their growth in memory.

use std::f64::consts::SQRT_2;

use super::growing_tree::WaitingNode;
use super::passes::{PassTask, changed};
use super::stats::CountedStats;
use super::work_list::WorkList;
use crate::error::Result;
use crate::util::parallel;

/// One pass counts bins, mostly one fetches values, and sometimes one counts finer bins.
const PASSES_A_LEVEL: u64 = 3;

impl<S: CountedStats> WorkList<'_, '_, S> {
    /// Bytes that a gathered row takes while its node is grown.
    fn row_bytes(&self) -> u64 {
        // Cells, codes and indices of each column; target, weight, class and index of the row.
        32 + 24 * self.rater.prepared.columns.len() as u64
    }

    fn rows_in_memory(&self) -> u64 {
        (self.counter.budget.memory / self.row_bytes()).max(1)
    }

    /// The most rows that are gathered at a time, unless one node has more.
    pub(super) fn rows_of_gather(&self) -> u64 {
        self.rows_in_memory().min(self.counter.passes.store.limits().rows)
    }

    pub(super) fn gathered_rows(&self) -> u64 {
        let by_store =
            || self.counter.passes.store.limits().rows_of_node.min(self.rows_of_gather());
        self.counter.budget.gathered_rows.unwrap_or_else(by_store).min(self.rows_in_memory())
    }

    /// Whether the small ones of some nodes are gathered, rather than counted and split.
    pub(super) fn are_gathered(&self, nodes: &[WaitingNode<S::Num>]) -> bool {
        let most = self.gathered_rows();
        let small = || nodes.iter().filter(|node| node.rows <= most);
        let rows: u64 = small().map(|node| node.rows).sum();
        let gathers = rows.div_ceil(self.rows_of_gather());
        self.counter.budget.gathered_rows.is_some()
            || gathers <= self.passes_of_counts(small, gathers)
    }

    /// About how many passes it takes to count some nodes and all below, or `enough` if it takes
    /// that many.
    fn passes_of_counts<'n, I>(&self, nodes: impl Fn() -> I, enough: u64) -> u64
    where
        I: Iterator<Item = &'n WaitingNode<S::Num>>,
        S::Num: 'n,
    {
        let levels = nodes().map(|node| self.levels_below(node)).max().unwrap_or(0);
        let bytes: u64 = nodes().map(|node| self.bin_bytes(node)).sum();
        let (mut rooms, mut passes) = (bytes as f64 / (self.counter.budget.memory as f64 / 2.0), 0);
        for _ in 0..levels {
            passes += PASSES_A_LEVEL * (rooms.ceil() as u64).max(1);
            if passes >= enough {
                return enough;
            }
            // Twice as many nodes have half as many rows each, and bins by the root.
            rooms *= SQRT_2;
        }
        passes
    }

    /// About how many levels of the tree are below a node.
    fn levels_below(&self, node: &WaitingNode<S::Num>) -> u32 {
        let spec = self.rater.spec;
        let least = spec.min_samples_split.max(spec.min_samples_leaf.saturating_mul(2)).max(2);
        let by_rows = (node.rows / least).max(1).ilog2() + 1;
        spec.max_depth.map_or(by_rows, |most| by_rows.min(most.saturating_sub(node.depth)))
    }

    /// Gathers the rows of nodes, as many at a time as fit, and grows their subtrees.
    pub(super) fn gather(&mut self, nodes: Vec<WaitingNode<S::Num>>) -> Result<()> {
        let most = self.rows_of_gather();
        let mut rest = &nodes[..];
        while !rest.is_empty() {
            let mut rows = 0;
            let fits = rest.iter().take_while(|node| {
                rows += node.rows;
                rows <= most
            });
            let n = fits.count().max(1);
            let (batch, others) = rest.split_at(n);
            rest = others;
            self.counter.passes.begin(PassTask::Gather, n)?;
            let indices: Vec<u32> = batch.iter().map(|node| node.node).collect();
            let gathered = self.counter.passes.store.gather(&self.counter.tree, &indices)?;
            if gathered.len() != n {
                return Err(changed("nodes have no rows"));
            }
            let rows: u64 = batch.iter().map(|node| node.rows).sum();
            self.counter.passes.report.rows_gathered += rows;
            self.counter.passes.took(rows * self.row_bytes());
            let (gathered, rater) = (batch.iter().zip(gathered), &self.rater);
            let subtrees =
                parallel::try_map(gathered, |(node, rows)| rater.grow_subtree(node, rows))?;
            for (node, subtree) in batch.iter().zip(subtrees) {
                self.arena.graft(node.at, subtree);
            }
            self.counter.passes.nodes_so_far = self.arena.len();
        }
        Ok(())
    }
}
