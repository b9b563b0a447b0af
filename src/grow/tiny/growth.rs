//! The growth of a tiny node's subtree.

use std::ops::Range;

use super::TinyTable;
use crate::grow::arena::Arena;
use crate::grow::best_gain::BestGain;
use crate::grow::grower::Grower;
use crate::grow::node::{NodePath, OpenNode};
use crate::grow::partition::Partition;
use crate::grow::sample::DrawnFeatures;
use crate::split::{Candidate, SplitPolicy};
use crate::stat::{Rating, RowStats, TinyRows};

impl Grower<'_> {
    /// Whether a node of `n_rows` rows is grown in a [`TinyTable`]: not where rows are shared out
    /// among branches, nor where splits are drawn, nor in best-first growth.
    pub(in crate::grow) fn is_tiny<S: RowStats>(&self, n_rows: usize) -> bool {
        n_rows <= S::Tiny::MAX_ROWS
            && !self.is_fractional()
            && self.split_draws.is_none()
            && self.max_leaves.is_none()
    }

    /// Grows the subtree of a tiny node: the same as its nodes split one by one.
    pub(in crate::grow) fn grow_tiny<S: RowStats>(
        &self,
        partition: &Partition<S>,
        arena: &mut Arena,
        root: OpenNode<S::Num>,
        table: &mut TinyTable<S>,
    ) {
        table.copy(partition, &root);
        let OpenNode { node, path, range, impurity, .. } = root;
        let columns = 0..table.varying.len();
        let root = TinyNode { node, path, rows: 0..range.len(), columns, impurity, total: 0 };
        TinyGrowth { grower: self, partition, arena, table, open: vec![root] }.run();
    }
}

struct TinyNode {
    node: u32,
    path: NodePath,
    rows: Range<usize>,
    /// Where its columns are in [`TinyTable::varying`]. The last node is taken first, and what is
    /// behind its columns is no other's.
    columns: Range<usize>,
    impurity: f64,
    /// Where its stat begins in [`TinyTable::totals`]. What is behind it is no other's either.
    total: usize,
}

struct TinyGrowth<'g, S: RowStats> {
    grower: &'g Grower<'g>,
    partition: &'g Partition<S>,
    arena: &'g mut Arena,
    table: &'g mut TinyTable<S>,
    open: Vec<TinyNode>,
}

impl<S: RowStats> TinyGrowth<'_, S> {
    fn run(mut self) {
        let width = self.partition.stats.rating().width();
        while let Some(node) = self.open.pop()
            && !self.grower.is_interrupted()
        {
            self.table.varying.truncate(node.columns.end);
            self.table.totals.truncate(node.total + width);
            let varying = self.table.keep_varying(node.columns.clone(), node.rows.clone());
            self.search(&node, varying.clone());
            let chosen = self.grower.selector.choose(&self.table.candidates);
            if let Some((column, candidate)) = chosen.cloned() {
                self.split(node, column, candidate, varying);
            }
        }
    }

    /// Fills in the candidates of a node, which varies in these columns.
    fn search(&mut self, node: &TinyNode, varying: Range<usize>) {
        let TinyGrowth { grower, partition, table, .. } = self;
        let stats = &partition.stats;
        let policy = grower.policy_at(stats.rating(), node.impurity);
        let best_gain = BestGain::new(grower.selector.goes_by_gain(), true);
        let numbers = &table.numbers_in_order.as_slice()[node.rows.clone()];
        let total = &table.totals[node.total..];
        let highest = grower.rule_bound(&policy, stats, numbers, total, &mut table.lefts);
        table.stats.begin_node(&table.order.as_slice()[node.rows.clone()], total);
        table.candidates.clear();
        // Returns whether a further column may be chosen.
        let search = |index: u32, table: &mut TinyTable<S>| {
            let column = table.columns[index as usize].column;
            let of_column = grower.policy_of(column, &policy);
            let policy = SplitPolicy { gain_floor: best_gain.get(), ..of_column };
            let (rating, rows) = (stats.rating(), node.rows.clone());
            let candidate = table.best_of_column(index, rows, &policy, rating, node.total);
            best_gain.raise(&candidate);
            table.candidates.extend(candidate.map(|candidate| (column, candidate)));
            !best_gain.ends_search(highest)
        };
        let Some(DrawnFeatures { n, order }) = grower.drawn else {
            for at in varying {
                if !search(table.varying[at], table) {
                    break;
                }
            }
            return;
        };
        let index = |column: &u32| table.index_of(*column, varying.clone());
        let drawn: Vec<u32> = order(node.path).iter().filter_map(index).take(n).collect();
        for index in drawn {
            if !search(index, table) {
                break;
            }
        }
    }

    /// Gives a node its rule, and opens its branches.
    fn split(&mut self, node: TinyNode, column: u32, candidate: Candidate, varying: Range<usize>) {
        let TinyGrowth { grower, partition, arena, table, open } = self;
        let branches = table.route(column, &candidate, varying.clone(), node.rows);
        table.split_rows(&branches);
        arena.split(node.node, partition.in_table_codes(column, candidate));
        let first_total = table.add_totals(node.total, &branches);
        let (stats, n_open) = (&partition.stats, open.len());
        let width = stats.rating().width();
        for (branch, rows) in branches.iter().enumerate() {
            let (path, total) = (node.path.branch(branch), first_total + branch * width);
            let numbers = &table.numbers_in_order.as_slice()[rows.clone()];
            let stat = &table.totals[total..total + width];
            let added = grower.add_node(stats, arena, path.depth(), numbers, stat, varying.len());
            open.extend(added.map(|(node, summary)| TinyNode {
                node,
                path,
                rows: rows.clone(),
                columns: varying.clone(),
                impurity: summary.impurity,
                total,
            }));
        }
        if open.len() > n_open {
            table.split_columns(varying, &branches);
        }
    }
}
