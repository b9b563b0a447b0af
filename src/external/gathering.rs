//! Nodes of few rows: which of them are gathered, and their growth in memory.

use std::f64::consts::SQRT_2;

use super::counted_node::NodeRater;
use super::growing_tree::WaitingNode;
use super::passes::{PassTask, changed};
use super::row_store::{GatheredRows, GatheredTarget};
use super::stats::CountedStats;
use super::work_list::WorkList;
use crate::data::dtype::Value;
use crate::data::target::{Target, TargetValues};
use crate::data::weights::Weights;
use crate::encode::RawColumn;
use crate::encode::table::{EncodeContext, Table};
use crate::error::Result;
use crate::grow::{Arena, grow_part};
use crate::spec::{ClassWeights, Grouping};
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

    /// About how many passes it takes to count some nodes and all below, but at most `enough`.
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

impl<S: CountedStats> NodeRater<'_, S> {
    /// The subtree, with levels by the codes of the whole table; an error if the rows are not the node's.
    pub(super) fn grow_subtree(
        &self,
        node: &WaitingNode<S::Num>,
        rows: GatheredRows,
    ) -> Result<Arena<Value>> {
        self.check(node, &rows)?;
        let GatheredRows { columns, target, units } = rows;
        let n_rows = node.rows as usize;
        let mut encoded = Vec::with_capacity(columns.len());
        for (cells, of) in columns.into_iter().zip(&self.prepared.columns) {
            cells.check(&of.name, &of.dtype)?;
            if cells.len() != n_rows {
                return Err(changed("a column has other rows than its node"));
            }
            let column = RawColumn::new(of.name.clone(), of.dtype.clone(), of.kind, cells)?;
            encoded.push(column.encode());
        }
        let whole = &self.prepared.target;
        let values = match (target, &whole.values) {
            (GatheredTarget::Classes(codes), TargetValues::Classes { labels, .. }) => {
                TargetValues::Classes { labels: labels.clone(), codes }
            }
            (GatheredTarget::Numbers(numbers), TargetValues::Numbers { scale, .. }) => {
                TargetValues::Numbers { numbers, distances: None, scale: *scale }
            }
            _ => return Err(changed("the target is of another kind")),
        };
        let target = Target { name: whole.name.clone(), dtype: whole.dtype.clone(), values };
        let weights = self.prepared.weights.as_ref().zip(units);
        let weights = weights.map(|(whole, units)| Weights { units, ..whole.clone() });
        let context = EncodeContext {
            target: whole.name.clone(),
            n_given: n_rows,
            kept: None,
            monitor: self.spec.monitor.clone(),
        };
        let mut spec = self.spec.clone();
        // The units count the classes' weights already.
        spec.class_weights = ClassWeights::Equal;
        spec.max_depth = spec.max_depth.map(|depth| depth - node.depth);
        // A tree of n leaves is at most n deep. A limit of leaves is no limit here: a multiway rule
        // that has room for its branches here may have none in the whole tree, which then takes
        // rules that would be passed over here.
        if spec.grouping == Grouping::Multiway
            && let Some(leaves) = spec.max_leaves.take()
        {
            spec.max_depth = Some(spec.max_depth.map_or(leaves, |depth| depth.min(leaves)));
        }
        let table = Table { columns: encoded, target, weights, context };
        let code = |column: u32, level: &str| self.prepared.columns[column as usize].code(level);
        grow_part(table, &spec, self.grower.columns.clone(), code)
    }

    fn check(&self, node: &WaitingNode<S::Num>, rows: &GatheredRows) -> Result<()> {
        let GatheredRows { columns, target, units } = rows;
        let n_rows = match target {
            GatheredTarget::Classes(classes) => classes.len(),
            GatheredTarget::Numbers(numbers) => numbers.len(),
        };
        let has_units = self.prepared.weights.is_some();
        let is_whole = n_rows as u64 == node.rows
            && columns.len() == self.prepared.columns.len()
            && units.is_some() == has_units
            && units.as_ref().is_none_or(|units| units.len() == n_rows);
        let others = || changed("a node has other rows than were counted");
        if !is_whole {
            return Err(others());
        }
        // The root has no stat to compare with before it is counted.
        let Some(total) = &node.total else { return Ok(()) };
        let mut sum = vec![0i128; total.len()];
        for row in 0..n_rows {
            let units = units.as_ref().map_or(1, |units| i128::from(units[row]));
            match (target, &self.prepared.target.values) {
                (GatheredTarget::Classes(classes), _) => {
                    let of_class = sum.get_mut(classes[row] as usize);
                    *of_class.ok_or_else(|| changed("there is a new class"))? += units;
                }
                (GatheredTarget::Numbers(numbers), TargetValues::Numbers { scale, .. }) => {
                    sum[0] += units;
                    sum[1] += units * i128::from(scale.distance(numbers[row]));
                }
                (GatheredTarget::Numbers(_), TargetValues::Classes { .. }) => {}
            }
        }
        if S::stat(&sum) == *total { Ok(()) } else { Err(others()) }
    }
}
