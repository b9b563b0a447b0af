//! Depth-first growth, and the steps of one node that best-first growth shares.

use std::ops::Range;
use std::sync::Arc;

use super::SMALL_NODE;
use super::arena::Arena;
use super::fractional::SharedBranch;
use super::grower::Grower;
use super::node::{ChosenSplit, NodePath, OpenNode};
use super::partition::Partition;
use super::scratch::Pool;
use super::search::NodeSearch;
use super::tiny::TinyTable;
use crate::stat::{RowStats, StatVec, Summary};
use crate::util::parallel;
use crate::util::scratch_pool::ScratchPool;

/// The most branches of few rows that wait: each remembers all rows of its partition by number.
/// The nodes a thread whose subtrees wait for each other.
const MAX_DEFERRED: usize = 64;

/// Memory that threads reuse between nodes.
struct Memory<S: RowStats> {
    threads: Pool<S>,
    tiny: ScratchPool<TinyTable<S>>,
}

impl<S: RowStats> Default for Memory<S> {
    fn default() -> Self {
        Memory { threads: Pool::<S>::default(), tiny: ScratchPool::default() }
    }
}

impl Grower<'_> {
    pub(super) fn grow<S: RowStats>(&self, partition: Partition<S>) -> Arena {
        match self.max_leaves {
            None => self.grow_fully(partition, NodePath::ROOT, &Memory::default()),
            Some(max_leaves) => self.grow_best_first(partition, max_leaves),
        }
    }

    /// Grows the subtree of all rows of a partition, whose root has this path.
    fn grow_fully<S: RowStats>(
        &self,
        partition: Partition<S>,
        path: NodePath,
        memory: &Memory<S>,
    ) -> Arena {
        if partition.n_rows() <= SMALL_NODE {
            return self.grow_small(partition, path, memory);
        }
        let mut arena = Arena::default();
        let mut shared_branches: Vec<SharedBranch<S>> =
            self.root(partition, &mut arena, path).into_iter().collect();
        let mut deferred_branches = Vec::new();
        while let Some((mut partition, root)) = shared_branches.pop() {
            if partition.is_deferred(root.range.len()) {
                deferred_branches.push((partition, root));
                if deferred_branches.len() == MAX_DEFERRED {
                    self.grow_deferred(&mut deferred_branches, &mut arena, memory);
                }
                continue;
            }
            let mut deferred = Vec::new();
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if partition.is_deferred(node.range.len()) {
                    deferred.push(node);
                } else {
                    self.split(
                        &mut partition,
                        &mut arena,
                        node,
                        &memory.threads,
                        &mut open,
                        &mut shared_branches,
                    );
                }
            }
            let grow = |node: &OpenNode<S::Num>| self.grow_gathered(&partition, node, memory);
            // Not all at once: a subtree's memory serves the later ones.
            for deferred in deferred.chunks(MAX_DEFERRED * rayon::current_num_threads()) {
                for (node, subtree) in deferred.iter().zip(parallel::map(deferred, grow)) {
                    arena.graft(node.node, subtree);
                }
            }
        }
        self.grow_deferred(&mut deferred_branches, &mut arena, memory);
        arena
    }

    /// Grows the subtrees of branches whose rows are gathered first.
    fn grow_deferred<S: RowStats>(
        &self,
        shared_branches: &mut Vec<SharedBranch<S>>,
        arena: &mut Arena,
        memory: &Memory<S>,
    ) {
        let grow = |(partition, root): SharedBranch<S>| {
            (root.node, self.grow_gathered(&partition, &root, memory))
        };
        for (node, subtree) in parallel::map(std::mem::take(shared_branches), grow) {
            arena.graft(node, subtree);
        }
    }

    /// Grows the subtree of a node whose rows are gathered first.
    fn grow_gathered<S: RowStats>(
        &self,
        partition: &Partition<S>,
        node: &OpenNode<S::Num>,
        memory: &Memory<S>,
    ) -> Arena {
        let gathered = memory.threads.with(|scratch| partition.gather(node, &mut scratch.bitmap));
        let subtree = self.grow_fully(gathered, node.path, memory);
        subtree.recoded(|column, code| partition.code_before_gather(node, column, code))
    }

    /// Grows the subtree of all rows of a partition that fits the cache.
    fn grow_small<S: RowStats>(
        &self,
        partition: Partition<S>,
        path: NodePath,
        memory: &Memory<S>,
    ) -> Arena {
        memory.tiny.with(|tiny| {
            let mut arena = Arena::default();
            let mut shared_branches: Vec<SharedBranch<S>> =
                self.root(partition, &mut arena, path).into_iter().collect();
            while let Some((mut partition, root)) = shared_branches.pop() {
                let mut open = vec![root];
                while let Some(node) = open.pop() {
                    if self.is_tiny::<S>(node.range.len()) {
                        self.grow_tiny(&partition, &mut arena, node, tiny);
                        continue;
                    }
                    let (pool, shared) = (&memory.threads, &mut shared_branches);
                    self.split(&mut partition, &mut arena, node, pool, &mut open, shared);
                }
            }
            arena
        })
    }

    /// Adds the node of all rows of a partition, and opens it as `push` does.
    pub(super) fn root<S: RowStats>(
        &self,
        partition: Partition<S>,
        arena: &mut Arena,
        path: NodePath,
    ) -> Option<SharedBranch<S>> {
        let (rows, total) = (0..partition.n_rows(), partition.total());
        let columns = partition.all_columns();
        let open = self.push(&partition, arena, path, rows, total, &columns)?;
        Some((partition, open))
    }

    /// Adds a node of the stat `total`, and opens it unless it is a leaf whatever its columns hold.
    pub(super) fn push<S: RowStats>(
        &self,
        partition: &Partition<S>,
        arena: &mut Arena,
        path: NodePath,
        range: Range<usize>,
        total: StatVec<S::Num>,
        columns: &Arc<[u32]>,
    ) -> Option<OpenNode<S::Num>> {
        let rows = &partition.rows[range.clone()];
        let (stats, depth, n_columns) = (&partition.stats, path.depth(), columns.len());
        let (node, summary) = self.add_node(stats, arena, depth, rows, &total, n_columns)?;
        Some(OpenNode {
            node,
            path,
            range,
            columns: Arc::clone(columns),
            weight: summary.weight,
            impurity: summary.impurity,
            total,
            histograms: Vec::new(),
        })
    }

    /// Adds a node of some rows, whose stat is `total`. Returns its index and summary unless it is
    /// a leaf whatever its columns hold. `n_columns` of them may vary.
    pub(super) fn add_node<S: RowStats>(
        &self,
        stats: &S,
        arena: &mut Arena,
        depth: u32,
        rows: &[u32],
        total: &[S::Num],
        n_columns: usize,
    ) -> Option<(u32, Summary)> {
        let summary = stats.summarize(rows, total, &mut arena.values);
        let node = arena.push(rows.len(), summary);
        let is_leaf = self.is_leaf(depth, rows.len(), n_columns, summary);
        (!is_leaf && !self.is_interrupted()).then_some((node, summary))
    }

    /// Splits a node if it finds a rule, and opens its branches: in `open`, or in `shared_branches`
    /// where they share rows.
    fn split<S: RowStats>(
        &self,
        partition: &mut Partition<S>,
        arena: &mut Arena,
        node: OpenNode<S::Num>,
        pool: &Pool<S>,
        open: &mut Vec<OpenNode<S::Num>>,
        shared_branches: &mut Vec<SharedBranch<S>>,
    ) {
        let Some(chosen) = self.find(partition, node, pool) else { return };
        // The first branch is taken first, so that the work-list stays short.
        if self.shares_rows(partition, &chosen) {
            shared_branches
                .extend(self.share_branches(partition, arena, chosen, pool).into_iter().rev());
        } else {
            open.extend(self.apply(partition, arena, chosen, pool).into_iter().rev());
        }
    }

    pub(super) fn find<S: RowStats>(
        &self,
        partition: &Partition<S>,
        mut node: OpenNode<S::Num>,
        pool: &Pool<S>,
    ) -> Option<ChosenSplit<S::Num>> {
        let NodeSearch { candidates, varying, histograms } =
            self.search(partition, &mut node, pool);
        let (column, candidate) = self.selector.choose(&candidates)?.clone();
        Some(ChosenSplit { node, column, candidate, varying, histograms })
    }

    /// Gives a node its rule, and opens its branches.
    pub(super) fn apply<S: RowStats>(
        &self,
        partition: &mut Partition<S>,
        arena: &mut Arena,
        chosen: ChosenSplit<S::Num>,
        pool: &Pool<S>,
    ) -> Vec<OpenNode<S::Num>> {
        let ChosenSplit { node, column, candidate, varying, histograms } = chosen;
        let is_large = node.is_large();
        let branches = partition.route(column, &candidate, node.range.clone(), pool);
        arena.split(node.node, partition.in_table_codes(column, candidate));
        let mut start = node.range.start;
        let range = |rows: &usize| {
            start += rows;
            start - rows..start
        };
        let ranges: Vec<Range<usize>> = branches.iter().map(range).collect();
        let totals = partition.totals_of_branches(column, &ranges, node.total);
        let push = |(branch, (range, total)): (usize, (&Range<usize>, _))| {
            self.push(partition, arena, node.path.branch(branch), range.clone(), total, &varying)
        };
        let mut children: Vec<Option<OpenNode<S::Num>>> =
            ranges.iter().zip(totals).enumerate().map(push).collect();
        // Where every branch is a leaf the order of its columns is not needed any more.
        if children.iter().any(Option::is_some) {
            partition.split_columns(&varying, column, node.range, &branches, is_large, pool);
            // Branches that draw their columns count others, and tiny ones count none.
            let largest = ranges.iter().map(Range::len).max();
            if self.drawn.is_none() && largest.is_some_and(|n_rows| !self.is_tiny::<S>(n_rows)) {
                partition.subtract_siblings(histograms, &varying, &ranges, &mut children, is_large);
            }
        }
        children.into_iter().flatten().collect()
    }
}
