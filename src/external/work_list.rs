//! The nodes that wait: large ones are counted and split together, small ones are gathered and
//! grown in memory.

use std::collections::HashSet;

use super::counted_node::{CountedNode, Decided, NodeCuts, NodeRater};
use super::counting::Counter;
use super::growing_tree::{GrowingNode, WaitingNode};
use super::passes::{ExternalReport, changed};
use super::row_store::{MomentRequest, Moments};
use super::stats::CountedStats;
use crate::data::dtype::Value;
use crate::error::Result;
use crate::grow::{Arena, Grower, SplitQueue};
use crate::spec::TreeSpec;
use crate::stat::{Rating, StatVec, Summary};
use crate::util::parallel;

pub(super) struct WorkList<'a, 'p, S: CountedStats> {
    pub(super) counter: Counter<'a, 'p>,
    pub(super) rater: NodeRater<'a, S>,
    pub(super) arena: Arena<Value>,
    /// Leaves whose moments are not counted yet.
    leaves: Vec<UncountedLeaf<S::Num>>,
}

/// A leaf whose moments are all that is asked of it.
struct UncountedLeaf<N> {
    at: u32,
    node: u32,
    total: StatVec<N>,
}

pub(super) type GrownFromStore = (Arena<Value>, ExternalReport);

impl<'a, 'p, S: CountedStats> WorkList<'a, 'p, S> {
    pub(super) fn new(stats: S, spec: &'a TreeSpec, counter: Counter<'a, 'p>) -> Self {
        let prepared = counter.prepared;
        let policies = prepared.columns.iter().map(|c| c.policy(spec, prepared.rows)).collect();
        let grower = Grower::new(spec, policies, None, None);
        WorkList {
            arena: Arena::default(),
            rater: NodeRater { spec, grower, stats, prepared },
            counter,
            leaves: Vec::new(),
        }
    }

    pub(super) fn grow(mut self) -> Result<GrownFromStore> {
        let prepared = self.rater.prepared;
        let at = self.arena.push_rows(prepared.rows, self.width());
        let root = WaitingNode::root(at, prepared.rows, prepared.columns.len());
        match self.rater.spec.max_leaves {
            None => self.grow_all(root)?,
            Some(max_leaves) => self.grow_best_first(root, max_leaves)?,
        }
        self.count_leaves()?;
        Ok((self.arena, self.counter.passes.report))
    }

    fn width(&self) -> usize {
        self.rater.prepared.coding.target.width()
    }

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

    /// Grows the nodes that best-first growth asks for, and keeps the splits that it makes.
    fn grow_best_first(&mut self, root: WaitingNode<S::Num>, max_leaves: u32) -> Result<()> {
        let mut waiting = vec![root];
        loop {
            let wanted_at: HashSet<u32> = waiting.iter().map(|node| node.at).collect();
            let found = best_first(&self.arena, max_leaves, |at| wanted_at.contains(&at));
            if found.wanted.is_empty() {
                // Nodes that wait no more are leaves.
                let leaf = |WaitingNode { at, node, total, .. }| {
                    Some(UncountedLeaf { at, node, total: total? })
                };
                self.leaves.extend(waiting.into_iter().filter_map(leaf));
                self.arena.keep(&found.kept);
                return Ok(());
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

    /// Counts nodes, and splits each node that finds a rule. Returns the branches that wait.
    fn split(&mut self, nodes: Vec<WaitingNode<S::Num>>) -> Result<Vec<WaitingNode<S::Num>>> {
        let mut branches = Vec::new();
        let mut nodes = nodes.into_iter().peekable();
        while nodes.peek().is_some() {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            while let Some(node) = nodes.next_if(|node| {
                batch.is_empty() || bytes + self.bin_bytes(node) <= self.counter.room()
            }) {
                bytes += self.bin_bytes(&node);
                batch.push(node);
            }
            branches.extend(self.split_batch(batch)?);
        }
        Ok(branches)
    }

    pub(super) fn bin_bytes(&self, node: &WaitingNode<S::Num>) -> u64 {
        node.columns.iter().map(|&column| self.counter.bin_bytes(node, column)).sum()
    }

    /// Counts the bins of nodes, and the moments of numbers as far as their mean is known.
    fn count_bins(&mut self, batch: Vec<WaitingNode<S::Num>>) -> Result<Vec<CountedNode<S>>> {
        let of_node = |node: &WaitingNode<S::Num>| {
            let request = |&column: &u32| self.counter.bin_request::<S>(node, column);
            node.columns.iter().map(request).collect::<Vec<_>>()
        };
        let bins = batch.iter().flat_map(of_node).collect();
        let request =
            |node: &WaitingNode<S::Num>| S::moment_request(node.node, node.total.as_ref()?);
        let mut moments = self.moments_of_leaves();
        let n_leaves = moments.len();
        moments.extend(batch.iter().filter_map(request));
        let answers = self.counter.count(batch.len(), bins, moments, Vec::new())?;
        let (of_leaves, of_nodes) = answers.moments.split_at(n_leaves);
        let (mut of_nodes, mut bins) = (of_nodes.iter(), &answers.bins[..]);
        let answered = batch.into_iter().map(|node| {
            let moments = request(&node).and_then(|_| of_nodes.next());
            let (of_columns, rest) = bins.split_at(node.columns.len());
            bins = rest;
            (node, of_columns, moments)
        });
        let counted = parallel::try_map(answered, |(node, bins, moments)| {
            CountedNode::new(node, bins, moments, &self.rater)
        })?;
        self.summarize_leaves(of_leaves)?;
        self.keep_summaries(&counted);
        Ok(counted)
    }

    /// Keeps what nodes predict, as far as it is known.
    fn keep_summaries(&mut self, nodes: &[CountedNode<S>]) {
        for node in nodes {
            if let Some(summary) = node.summary {
                self.arena.summarize(node.waiting.at, summary, &node.values);
            }
        }
    }

    fn moments_of_leaves(&self) -> Vec<MomentRequest> {
        let of = |leaf: &UncountedLeaf<S::Num>| S::moment_request(leaf.node, &leaf.total);
        self.leaves.iter().filter_map(of).collect()
    }

    /// Counts the moments of the leaves that no pass has counted.
    fn count_leaves(&mut self) -> Result<()> {
        let moments = self.moments_of_leaves();
        if moments.is_empty() {
            return Ok(());
        }
        let n_leaves = self.leaves.len();
        let answers = self.counter.count(n_leaves, Vec::new(), moments, Vec::new())?;
        self.summarize_leaves(&answers.moments)
    }

    fn summarize_leaves(&mut self, moments: &[Moments]) -> Result<()> {
        let leaves = std::mem::take(&mut self.leaves);
        if leaves.len() != moments.len() {
            return Err(changed("nodes have no moments"));
        }
        for (UncountedLeaf { at, total, .. }, moments) in leaves.into_iter().zip(moments) {
            let (stats, mut values) = (&self.rater.stats, Vec::new());
            if let Some(summary) = stats.summarize_counted(&total, Some(moments), &mut values) {
                self.arena.summarize(at, summary, &values);
            }
        }
        Ok(())
    }

    fn split_batch(&mut self, batch: Vec<WaitingNode<S::Num>>) -> Result<Vec<WaitingNode<S::Num>>> {
        let mut counted = self.count_bins(batch)?;
        let levels = counted.iter().map(|node| node.waiting.depth + 1);
        let report = &mut self.counter.passes.report;
        report.levels = levels.fold(report.levels, u32::max);
        let rater = &self.rater;
        counted.retain(|node| !node.is_leaf(rater));
        self.counter.find_cuts(&mut NodeCuts { nodes: &mut counted, rater })?;
        let decide =
            |node: &CountedNode<S>| (!node.is_leaf(rater)).then(|| node.decide(rater)).transpose();
        let decided = parallel::try_map(&counted, decide)?;
        self.keep_summaries(&counted);
        let mut branches = Vec::new();
        for (node, decided) in counted.iter().zip(decided) {
            if let Some(decided) = decided.flatten() {
                self.open_branches(node, decided, &mut branches);
            }
        }
        self.counter.passes.nodes_so_far = self.arena.len();
        Ok(branches)
    }

    fn open_branches(
        &mut self,
        node: &CountedNode<S>,
        decided: Decided<S::Num>,
        open: &mut Vec<WaitingNode<S::Num>>,
    ) {
        let Decided { rule, candidate, branches } = decided;
        self.arena.split(node.waiting.at, (rule.column, candidate));
        let WaitingNode { node: growing, depth, .. } = node.waiting;
        let width = self.width();
        let (NodeRater { grower, stats, .. }, tree) = (&self.rater, &mut self.counter.tree);
        let (rating, columns) = (stats.rating(), node.varying());
        tree.nodes[growing as usize].rule = Some(rule);
        tree.nodes[growing as usize].first_branch = tree.nodes.len() as u32;
        for (branch, (rows, total)) in (0..).zip(branches) {
            let at = self.arena.push_rows(rows, width);
            let parent = Some((growing, branch));
            tree.nodes.push(GrowingNode { parent, ..GrowingNode::default() });
            let node = tree.nodes.len() as u32 - 1;
            // What is known of numbers before their moments is their weight.
            let mut values = Vec::new();
            let known = stats.summarize_counted(&total, None, &mut values);
            let summary = known.unwrap_or_else(|| Summary {
                weight: rating.weight(rating.units(&total)),
                impurity: f64::NAN,
                is_pure: false,
            });
            if known.is_some() {
                self.arena.summarize(at, summary, &values);
            }
            if grower.is_leaf(depth + 1, rows as usize, columns.len(), summary) {
                if known.is_none() {
                    self.leaves.push(UncountedLeaf { at, node, total });
                }
                continue;
            }
            open.push(WaitingNode {
                at,
                node,
                depth: depth + 1,
                rows,
                total: Some(total),
                columns: columns.clone(),
            });
        }
    }
}

/// How far best-first growth comes.
pub(super) struct BestFirst {
    /// Whether the split of each node is made.
    pub(super) kept: Vec<bool>,
    /// Waiting nodes that must be found before it goes on, or soon after.
    pub(super) wanted: HashSet<u32>,
}

/// Best-first growth in the order that it has in memory, as far as the nodes are known.
fn best_first(
    arena: &Arena<Value>,
    max_leaves: u32,
    is_waiting: impl Fn(u32) -> bool,
) -> BestFirst {
    let (mut kept, mut wanted) = (vec![false; arena.len()], HashSet::new());
    let (mut queue, mut open) = (SplitQueue::new(max_leaves), vec![0]);
    loop {
        for at in open.drain(..) {
            if is_waiting(at) {
                wanted.insert(at);
            } else if let Some(split) = arena.candidate(at) {
                queue.push(split.gain, arena.weight(at), split.arity(), at);
            }
        }
        if !wanted.is_empty() {
            // The nodes that wait below the next splits are asked for in the same pass.
            let next = queue.into_next().flat_map(|at| arena.branches(at));
            wanted.extend(next.filter(|&at| is_waiting(at)));
            return BestFirst { kept, wanted };
        }
        let Some(at) = queue.pop() else { return BestFirst { kept, wanted } };
        kept[at as usize] = true;
        open.extend(arena.branches(at));
        if queue.is_full() {
            return BestFirst { kept, wanted };
        }
    }
}
