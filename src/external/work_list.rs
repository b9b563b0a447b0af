//! The nodes that wait: large ones are counted and split together, small ones are gathered and
//! grown in memory.

use std::collections::HashSet;
use std::f64::consts::SQRT_2;

use super::best_first;
use super::counted_node::{CountedNode, Decided};
use super::growing_tree::{GrowingNode, GrowingTree};
use super::grown_nodes::{GrownNodes, LevelIndices};
use super::passes::{Passes, changed};
use super::prepare::Prepared;
use super::report::{ExternalReport, PassTask};
use super::stats::CountedStats;
use super::subtree::SubtreeGrowth;
use super::waiting_node::WaitingNode;
use crate::error::Result;
use crate::grow::Grower;
use crate::spec::{Budget, TreeSpec};
use crate::stat::{Rating, StatVec, Summary};
use crate::util::parallel;

/// Bins, mostly values, and now and then finer bins.
const PASSES_A_LEVEL: u64 = 3;

/// A growth under way.
pub(super) struct WorkList<'a, 'p, S: CountedStats> {
    pub(super) stats: S,
    pub(super) prepared: &'a Prepared,
    spec: &'a TreeSpec,
    pub(super) budget: &'a Budget,
    pub(super) passes: Passes<'p>,
    pub(super) grower: Grower<'a>,
    pub(super) tree: GrowingTree,
    pub(super) arena: GrownNodes,
    /// Nodes that nothing but their moments is asked of, each with its index in the arena.
    pub(super) leaves: Vec<(u32, u32, StatVec<S::Num>)>,
    level_indices: LevelIndices,
}

/// The nodes, which of their splits stay if not all do, and how it went.
pub(super) type Grown = (GrownNodes, Option<Vec<bool>>, ExternalReport);

impl<'a, 'p, S: CountedStats> WorkList<'a, 'p, S> {
    pub(super) fn new(
        stats: S,
        prepared: &'a Prepared,
        spec: &'a TreeSpec,
        budget: &'a Budget,
        passes: Passes<'p>,
    ) -> Self {
        let policies = prepared.columns.iter().map(|c| c.policy(spec, prepared.rows)).collect();
        WorkList {
            grower: Grower::new(spec, policies, None, None),
            arena: GrownNodes::new(prepared.coding.target.width()),
            stats,
            prepared,
            spec,
            budget,
            passes,
            tree: GrowingTree::default(),
            leaves: Vec::new(),
            level_indices: LevelIndices::default(),
        }
    }

    pub(super) fn grow(mut self) -> Result<Grown> {
        let at = self.arena.push(None, 0, self.prepared.rows);
        let root = WaitingNode::root(at, self.prepared.rows, self.prepared.columns.len());
        self.tree.nodes.push(GrowingNode::default());
        let kept = match self.spec.max_leaves {
            None => {
                self.grow_all(root)?;
                None
            }
            Some(max_leaves) => Some(self.grow_best_first(root, max_leaves)?),
        };
        self.count_leaves()?;
        Ok((self.arena, kept, self.passes.report))
    }

    /// Grows all nodes.
    fn grow_all(&mut self, root: WaitingNode<S::Num>) -> Result<()> {
        let (mut large, mut small) = (vec![root], Vec::new());
        loop {
            if self.are_gathered(&large) {
                let most = self.gathered_rows();
                small.extend(large.extract_if(.., |node| node.rows <= most));
            }
            // Small nodes wait until they fill the memory.
            let rows: u64 = small.iter().map(|node| node.rows).sum();
            if !small.is_empty() && (large.is_empty() || rows > self.rows_of_gather()) {
                self.gather(std::mem::take(&mut small))?;
            }
            if large.is_empty() {
                return Ok(());
            }
            large = self.split(large)?;
        }
    }

    /// Grows the nodes that best-first growth asks for, and says whose splits stay.
    fn grow_best_first(&mut self, root: WaitingNode<S::Num>, max_leaves: u32) -> Result<Vec<bool>> {
        let mut waiting = vec![root];
        loop {
            let wanted_at: HashSet<u32> = waiting.iter().map(|node| node.at).collect();
            let found = best_first::simulate(&self.arena, max_leaves, |at| wanted_at.contains(&at));
            if found.wanted.is_empty() {
                // Nodes that wait no more are leaves.
                let leaves = waiting.into_iter();
                self.leaves
                    .extend(leaves.filter_map(|node| Some((node.node, node.at, node.total?))));
                return Ok(found.kept);
            }
            let wanted = waiting.extract_if(.., |node| found.wanted.contains(&node.at));
            let mut large: Vec<_> = wanted.collect();
            let small: Vec<_> =
                large.extract_if(.., |node| node.rows <= self.gathered_rows()).collect();
            if !small.is_empty() {
                self.gather(small)?;
            }
            if !large.is_empty() {
                waiting.extend(self.split(large)?);
            }
        }
    }

    /// Bytes that a gathered row takes while its node is grown.
    fn row_bytes(&self) -> u64 {
        // Cells, codes and indices of each column; target, weight, class and index of the row.
        32 + 24 * self.prepared.columns.len() as u64
    }

    fn rows_in_memory(&self) -> u64 {
        (self.budget.memory / self.row_bytes()).max(1)
    }

    /// The most rows that are gathered at a time, unless one node has more.
    fn rows_of_gather(&self) -> u64 {
        self.rows_in_memory().min(self.passes.store.limits().rows)
    }

    /// The most rows of a node that is gathered.
    fn gathered_rows(&self) -> u64 {
        let by_store = || self.passes.store.limits().rows_of_node.min(self.rows_of_gather());
        self.budget.gathered_rows.unwrap_or_else(by_store).min(self.rows_in_memory())
    }

    /// Whether the small ones of some nodes are gathered, rather than counted and split.
    fn are_gathered(&self, nodes: &[WaitingNode<S::Num>]) -> bool {
        let most = self.gathered_rows();
        let small = || nodes.iter().filter(|node| node.rows <= most);
        let rows: u64 = small().map(|node| node.rows).sum();
        let gathers = rows.div_ceil(self.rows_of_gather());
        self.budget.gathered_rows.is_some() || gathers <= self.passes_of_counts(small, gathers)
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
        let (mut rooms, mut passes) = (bytes as f64 / (self.budget.memory as f64 / 2.0), 0);
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
        let least =
            self.spec.min_samples_split.max(self.spec.min_samples_leaf.saturating_mul(2)).max(2);
        let by_rows = (node.rows / least).max(1).ilog2() + 1;
        self.spec.max_depth.map_or(by_rows, |most| by_rows.min(most.saturating_sub(node.depth)))
    }

    /// Gathers the rows of nodes, as many at a time as fit, and grows their subtrees.
    fn gather(&mut self, nodes: Vec<WaitingNode<S::Num>>) -> Result<()> {
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
            self.passes.begin(PassTask::Gather, n)?;
            let indices: Vec<u32> = batch.iter().map(|node| node.node).collect();
            let gathered = self.passes.store.gather(&self.tree, &indices)?;
            if gathered.len() != n {
                return Err(changed("nodes have no rows"));
            }
            let rows: u64 = batch.iter().map(|node| node.rows).sum();
            self.passes.report.rows_gathered += rows;
            self.passes.took(rows * self.row_bytes());
            let growth = SubtreeGrowth {
                prepared: self.prepared,
                spec: self.spec,
                policies: &self.grower.columns,
            };
            let gathered = batch.iter().zip(gathered);
            let subtrees =
                parallel::try_map(gathered, |(node, rows)| growth.grow::<S>(node, rows))?;
            for (node, (subtree, weights)) in batch.iter().zip(subtrees) {
                let (level_indices, columns) = (&mut self.level_indices, &self.prepared.columns);
                self.arena.graft(node.at, subtree, &weights, level_indices, columns);
            }
            self.passes.nodes_so_far = self.arena.nodes.len();
        }
        Ok(())
    }

    /// Counts nodes and splits those that find a rule. Returns the branches that wait.
    fn split(&mut self, nodes: Vec<WaitingNode<S::Num>>) -> Result<Vec<WaitingNode<S::Num>>> {
        let mut branches = Vec::new();
        let mut nodes = nodes.into_iter().peekable();
        while nodes.peek().is_some() {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            while let Some(node) = nodes.next_if(|node| {
                batch.is_empty() || bytes + self.bin_bytes(node) <= self.budget.memory / 2
            }) {
                bytes += self.bin_bytes(&node);
                batch.push(node);
            }
            self.passes.took(bytes);
            branches.extend(self.split_batch(batch)?);
        }
        Ok(branches)
    }

    /// Bytes that the bins of a node take.
    fn bin_bytes(&self, node: &WaitingNode<S::Num>) -> u64 {
        let bins = node
            .columns
            .iter()
            .map(|&c| self.prepared.columns[c as usize].bins.for_rows(node.rows).len() + 1);
        bins.sum::<usize>() as u64 * self.prepared.cell_bytes()
    }

    fn split_batch(&mut self, batch: Vec<WaitingNode<S::Num>>) -> Result<Vec<WaitingNode<S::Num>>> {
        let mut counted = self.count_bins(batch)?;
        let levels = counted.iter().map(|node| node.waiting.depth + 1);
        self.passes.report.levels = levels.fold(self.passes.report.levels, u32::max);
        counted.retain(|node| !node.is_leaf(&self.grower));
        self.count_values(&mut counted)?;
        let (grower, stats, prepared) = (&self.grower, &self.stats, self.prepared);
        let decide = |node: &CountedNode<S>| {
            (!node.is_leaf(grower)).then(|| node.decide(grower, stats, prepared)).transpose()
        };
        let decided = parallel::try_map(&counted, decide)?;
        let mut branches = Vec::new();
        for (node, decided) in counted.iter().zip(decided) {
            if let Some(decided) = decided.flatten() {
                self.open_branches(node, decided, &mut branches);
            }
        }
        self.passes.nodes_so_far = self.arena.nodes.len();
        Ok(branches)
    }

    /// Gives a node its rule and opens its branches.
    fn open_branches(
        &mut self,
        node: &CountedNode<S>,
        decided: Decided<S::Num>,
        open: &mut Vec<WaitingNode<S::Num>>,
    ) {
        let Decided { rule, mut split, branches } = decided;
        let WaitingNode { at, node: growing, depth, .. } = node.waiting;
        let (rating, columns) = (self.stats.rating(), node.varying());
        self.tree.nodes[growing as usize].rule = Some(rule);
        self.tree.nodes[growing as usize].first_branch = self.tree.nodes.len() as u32;
        for (branch, (rows, total)) in (0..).zip(branches) {
            let child = self.arena.push(Some(at), depth + 1, rows);
            split.branches.push(child);
            let parent = Some((growing, branch));
            self.tree.nodes.push(GrowingNode { parent, rule: None, first_branch: 0 });
            let growing = self.tree.nodes.len() as u32 - 1;
            // What is known of numbers before their moments is their weight.
            let mut values = Vec::new();
            let known = self.stats.summarize_counted(&total, None, &mut values);
            let summary = known.unwrap_or_else(|| Summary {
                weight: rating.weight(rating.units(&total)),
                impurity: f64::NAN,
                is_pure: false,
            });
            if known.is_some() {
                self.arena.summarize(child, summary, &values);
            }
            if self.grower.is_leaf(depth + 1, rows as usize, columns.len(), summary) {
                if known.is_none() {
                    self.leaves.push((growing, child, total));
                }
                continue;
            }
            open.push(WaitingNode {
                at: child,
                node: growing,
                depth: depth + 1,
                rows,
                total: Some(total),
                columns: columns.clone(),
            });
        }
        self.arena.nodes[at as usize].split = Some(split);
    }
}
