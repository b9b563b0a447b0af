//! Growth: a work-list of open nodes. Stop? search, split, partition, push; no maths here, and
//! no recursion, so depth never overflows a stack.
//!
//! Large nodes are taken one at a time, their columns in parallel. A node of a small share of the
//! rows is put aside until they are done, then copied together and its whole subtree grown by
//! itself, in the end within the cache; those are taken in parallel. What a node becomes depends
//! on its rows alone, so threads and order change nothing.

mod arena;
mod best_first;
mod fractional;
mod histogram;
mod node_candidates;
mod partition;
mod prepare;
mod search;

pub use node_candidates::{NodeCandidate, node_candidates};

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::data::column::Column;
use crate::encode::table::Table;
use crate::error::Result;
use crate::spec::{Criterion, Pruning, TreeSpec};
use crate::split::select::Selector;
use crate::split::{Candidate, Search};
use crate::stat::{ClassStat, Count, NumberStat, Stat, StatVec, StatWork, Summary};
use crate::tree::TreeData;
use crate::util::parallel::Tasks;
use crate::util::scratch_pool::ScratchPool;
use arena::Arena;
use fractional::Forked;
use partition::{Partition, ThreadScratch};
use prepare::{check, shared_weights};
use search::{NodeCounts, NodeSearch};

/// Nodes of at most this many rows are finished in cache.
const SMALL_NODE: usize = 4096;

/// A larger node is copied together too once it has but one in so many rows of its work: the
/// rows it looks up then lie close together. It took a third off the growth on columns of few
/// levels, and a seventh off that of a full tree on distinct ones.
const COPIED_SHARE: usize = 16;

/// Rows times columns from which a node's columns are worth taking in parallel.
const PARALLEL_CELLS: usize = 20_000;

/// Grows a tree in the current pool; it is not pruned yet. `O(m n)` a level for m columns of n
/// rows.
///
/// # Errors
/// No feature, no rows, one class, missing values under
/// [`Missing::Error`](crate::Missing::Error), or a spec that contradicts itself.
pub fn grow(mut table: Table, spec: &TreeSpec) -> Result<TreeData> {
    check(&table, spec)?;
    let weights = table.target.class_weighted(table.weights.take(), &spec.class_weights)?;
    let (weights, sharing) = shared_weights(spec, weights, &table);
    let Table { mut columns, target, .. } = table;
    let n_rows = target.len();
    if sharing.is_some() {
        // Rows are then in several works, and no longer go by one number.
        columns = columns.into_par_iter().one_item_per_task().map(Column::ranked).collect();
    }
    // Growth takes the codes out of the columns.
    let has_missing: Vec<bool> = columns.iter().map(|c| c.first_missing().is_some()).collect();
    let plan = Plan::new(spec, &columns, n_rows, sharing.as_ref());
    let copies = sharing.map_or(Vec::new(), |s| s.copies);
    let growth = Growth { plan, columns: &mut columns, n_rows, copies };
    let grown = growth.on(&target, weights.as_ref(), spec.criterion, spec.log_base);
    let mut spec = spec.clone();
    if target.labels().is_empty() {
        // What a tree of numbers is grown by, whatever the preset says of classes.
        spec.criterion = Criterion::Variance;
        if let Pruning::Pessimistic { .. } = spec.pruning {
            spec.pruning = Pruning::None;
        }
    }
    Ok(grown.into_tree(spec, &columns, &has_missing, &target))
}

struct Growth<'a> {
    plan: Plan,
    columns: &'a mut [Column],
    n_rows: usize,
    /// As in [`Sharing`].
    copies: Vec<u64>,
}

impl StatWork for Growth<'_> {
    type Out = Arena;

    fn of_classes<N: Count>(self, stat: ClassStat<N>) -> Arena {
        self.plan.grow(Partition::new(self.columns, stat, self.n_rows, self.copies))
    }

    fn of_numbers(self, stat: NumberStat) -> Arena {
        self.plan.grow(Partition::new(self.columns, stat, self.n_rows, self.copies))
    }
}

/// What is the same for all nodes.
struct Plan {
    search: Search,
    selector: Selector,
    max_depth: u32,
    max_leaves: Option<u32>,
    min_samples_split: u64,
}

/// A node waiting for its rule: its rows are a range of the work's.
struct Open<N> {
    node: u32,
    depth: u32,
    range: Range<usize>,
    /// Columns that may still tell its rows apart.
    columns: Arc<[u32]>,
    /// The weight of its rows.
    weight: f64,
    /// What its rows come to, of a stat that is the same everywhere.
    total: StatVec<N>,
    /// What panels come to at it, where that is known already.
    counts: NodeCounts<N>,
}

impl<N> Open<N> {
    /// Whether its columns are worth taking in parallel.
    fn is_large(&self) -> bool {
        self.range.len() * self.columns.len() >= PARALLEL_CELLS
    }
}

/// A node with its rule.
struct Found<N> {
    node: Open<N>,
    column: u32,
    /// In the work's codes.
    candidate: Candidate,
    /// Columns that vary in the node.
    varying: Arc<[u32]>,
    counts: NodeCounts<N>,
}

/// ScratchOf lent to the threads that work on the columns of a node.
type ScratchOf<S> = ScratchPool<ThreadScratch<<S as Stat>::Num>>;

impl Plan {
    /// Whether a node is a leaf whatever its columns hold.
    fn is_leaf(&self, depth: u32, rows: usize, summary: Summary) -> bool {
        let limits = &self.search.limits;
        let is_large = limits.reach(self.min_samples_split, rows as u64, || summary.weight);
        depth >= self.max_depth || !is_large || summary.pure
    }

    /// Whether rows may be in several branches in part.
    fn in_fractions(&self) -> bool {
        self.search.limits.row_weight.is_some()
    }

    fn grow<S: Stat>(&self, work: Partition<S>) -> Arena {
        match self.max_leaves {
            None => self.grow_fully(work, 0, &ScratchPool::default()),
            Some(max_leaves) => self.grow_best_first(work, max_leaves),
        }
    }

    fn grow_fully<S: Stat>(&self, work: Partition<S>, depth: u32, benches: &ScratchOf<S>) -> Arena {
        if work.n_rows() <= SMALL_NODE {
            return self.grow_small(work, depth, benches);
        }
        let mut arena = Arena::default();
        let mut works: Vec<Forked<S>> = self.root(work, &mut arena, depth).into_iter().collect();
        let mut small_works = Vec::new();
        while let Some((mut work, root)) = works.pop() {
            if root.range.len() <= SMALL_NODE {
                small_works.push((work, root));
                continue;
            }
            let mut aside = Vec::new();
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if work.is_set_aside(node.range.len()) {
                    aside.push(node);
                } else {
                    self.split(&mut work, &mut arena, node, benches, &mut open, &mut works);
                }
            }
            let subtrees: Vec<Arena> = aside
                .par_iter()
                .one_item_per_task()
                .map(|node| {
                    let copied = benches.with(|bench| work.gather(node, &mut bench.places));
                    let subtree = self.grow_fully(copied, node.depth, benches);
                    subtree.recoded(|column, code| work.code_in(node, column, code))
                })
                .collect();
            for (node, subtree) in aside.iter().zip(subtrees) {
                arena.graft(node.node, subtree);
            }
        }
        let subtrees: Vec<(u32, Arena)> = small_works
            .into_par_iter()
            .one_item_per_task()
            .map(|(work, root)| (root.node, self.grow_small(work, root.depth, benches)))
            .collect();
        for (node, subtree) in subtrees {
            arena.graft(node, subtree);
        }
        arena
    }

    fn grow_small<S: Stat>(&self, work: Partition<S>, depth: u32, benches: &ScratchOf<S>) -> Arena {
        let mut arena = Arena::default();
        let mut works: Vec<Forked<S>> = self.root(work, &mut arena, depth).into_iter().collect();
        while let Some((mut work, root)) = works.pop() {
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                self.split(&mut work, &mut arena, node, benches, &mut open, &mut works);
            }
        }
        arena
    }

    /// Adds the node of all rows of a work, and opens it as `push` does.
    fn root<S: Stat>(
        &self,
        work: Partition<S>,
        arena: &mut Arena,
        depth: u32,
    ) -> Option<Forked<S>> {
        let (rows, total) = (0..work.n_rows(), work.total());
        let open = self.push(&work, arena, depth, rows, total, &work.all_columns())?;
        Some((work, open))
    }

    /// Adds a node of a total, and opens it unless it is a leaf whatever its columns hold.
    fn push<S: Stat>(
        &self,
        work: &Partition<S>,
        arena: &mut Arena,
        depth: u32,
        range: Range<usize>,
        total: StatVec<S::Num>,
        columns: &Arc<[u32]>,
    ) -> Option<Open<S::Num>> {
        let summary = work.summarize(range.clone(), &total, &mut arena.values);
        let node = arena.push(range.len(), summary);
        let is_leaf = columns.is_empty() || self.is_leaf(depth, range.len(), summary);
        let (columns, weight) = (Arc::clone(columns), summary.weight);
        (!is_leaf).then_some(Open {
            node,
            depth,
            range,
            columns,
            weight,
            total,
            counts: Vec::new(),
        })
    }

    /// Splits a node if it finds a rule, and opens its branches: in `open`, or in `works` of
    /// their own.
    fn split<S: Stat>(
        &self,
        work: &mut Partition<S>,
        arena: &mut Arena,
        node: Open<S::Num>,
        benches: &ScratchOf<S>,
        open: &mut Vec<Open<S::Num>>,
        works: &mut Vec<Forked<S>>,
    ) {
        let Some(found) = self.find(work, node, benches) else { return };
        // The first branch is taken first, so that the work-list stays short.
        if self.is_shared(work, &found) {
            works.extend(self.fork(work, arena, found).into_iter().rev());
        } else {
            open.extend(self.apply(work, arena, found, benches).into_iter().rev());
        }
    }

    /// The node's rule, if there is one.
    fn find<S: Stat>(
        &self,
        work: &mut Partition<S>,
        mut node: Open<S::Num>,
        benches: &ScratchOf<S>,
    ) -> Option<Found<S::Num>> {
        work.focus(node.range.clone(), std::mem::take(&mut node.total));
        let NodeSearch { candidates, varying, counts } = self.search(work, &mut node, benches);
        node.total = work.unfocus();
        let (column, candidate) = self.selector.choose(&candidates)?.clone();
        Some(Found { column, candidate, varying, counts, node })
    }

    /// Gives a node its rule, and opens its branches.
    fn apply<S: Stat>(
        &self,
        work: &mut Partition<S>,
        arena: &mut Arena,
        found: Found<S::Num>,
        benches: &ScratchOf<S>,
    ) -> Vec<Open<S::Num>> {
        let Found { node, column, candidate, varying, counts } = found;
        let is_large = node.is_large();
        let branches = work.send(column, &candidate, node.range.clone(), benches);
        arena.split(node.node, work.globally(column, candidate));
        let mut start = node.range.start;
        let range = |rows: &usize| {
            start += rows;
            start - rows..start
        };
        let ranges: Vec<Range<usize>> = branches.iter().map(range).collect();
        let totals = work.totals_of_branches(column, &ranges, node.total);
        let push = |(range, total): (&Range<usize>, _)| {
            self.push(work, arena, node.depth + 1, range.clone(), total, &varying)
        };
        let mut children: Vec<Option<Open<S::Num>>> = ranges.iter().zip(totals).map(push).collect();
        // Where every branch is a leaf its columns' order is never asked for again.
        if children.iter().any(Option::is_some) {
            work.partition(&varying, column, node.range.clone(), &branches, is_large, benches);
            work.inherit(counts, &varying, &ranges, &mut children, is_large);
        }
        children.into_iter().flatten().collect()
    }
}
