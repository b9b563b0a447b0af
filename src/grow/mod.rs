//! Growth: a work-list of open nodes. Take one, search it, split it, partition its rows, push its
//! branches. Nothing recurses with depth, so a deep tree cannot overflow the stack.
//!
//! Large nodes are taken one at a time, with their columns in parallel. A node with a small share
//! of the rows is deferred until the large ones are done; its rows are then gathered together
//! and its whole subtree is grown by itself, in the end within the cache, such nodes in parallel.
//! What a node becomes depends on its rows alone, so threads and order change nothing.
//!
//! # Words
//!
//! - *grower*: what is the same for all nodes of a tree, limits and selection ([`Grower`]).
//! - *split policy*: what is the same for all columns of a node
//!   ([`SplitPolicy`](crate::split::SplitPolicy)).
//! - *partition*: the rows of some open nodes, column by column ([`partition`]).
//! - *open node*: one that waits for its rule; its rows are a range of a partition.
//! - *entry*: a row in an order of rows, as 32 bits: its number and, if there is room, its payload.
//! - *payload*: what a stat needs to know of a row; entries that have it save the row's look-up.
//! - *presorted*: of a column of many levels, whose entries are kept in order of level.
//! - *pack*, *histogram*: columns of few levels, their codes side by side; their counts at a node.
//! - *deferred*: of a node of few rows, which is gathered and grown when the large ones are done.
//! - *gathered*: copied into a partition of its own, rows numbered from 0.
//! - *shared branch*: one with parts of rows, below a rule that shares out rows without a value.
//! - *units*: the whole numbers that weights are counted in; a row without weight is one unit.
//! - *arena*: the nodes grown so far, in any order ([`Arena`]).

mod arena;
mod best_first;
mod depth_first;
mod fractional;
mod grower;
mod grown_rows;
mod histogram;
mod known_units;
mod node;
mod node_candidates;
mod partition;
mod prepare;
mod scratch;
mod search;
mod selector;

pub(crate) use arena::{feature_of, rule_of};
pub(crate) use fractional::units_at;
pub(crate) use grower::Grower;
pub(crate) use grown_rows::GrownRows;
pub(crate) use known_units::KnownUnits;
pub(crate) use node_candidates::{NodeRows, RatedCandidate, rated_candidates};
pub(crate) use prepare::{check, check_spec, missing_values, shared_weights};
pub(crate) use selector::has_many_levels;

use crate::data::column::Column;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::spec::{Criterion, Pruning, TreeSpec};
use crate::stat::{ClassRows, Count, NumberRows, ROWS_IN_CACHE, RowStats, TargetVisitor};
use crate::tree::TreeData;
use crate::util::parallel::Tasks;
use arena::Arena;
use grown_rows::StoredCodes;
use partition::Partition;
use rayon::prelude::*;
use std::sync::Arc;

/// Nodes of at most this many rows are finished within the cache.
const SMALL_NODE: usize = ROWS_IN_CACHE;

/// A larger node is gathered too once it has one in so many rows of its partition: rows that are
/// looked up then lie close together.
const GATHERED_SHARE: usize = 16;

/// Grows a tree in the current pool, and does not prune it. The table is encoded and sorted already; growth is
/// `O(m n)` a level for m columns of n rows.
///
/// # Errors
/// No feature, no rows, one class, missing values under
/// [`Missing::Error`](crate::Missing::Error), or a spec that contradicts itself.
pub(crate) fn grow(table: Table, spec: &TreeSpec) -> Result<TreeData> {
    grow_keeping_rows(table, spec).map(|(tree, _)| tree)
}

/// [`grow`] that returns the rows too.
pub(crate) fn grow_keeping_rows(
    mut table: Table,
    spec: &TreeSpec,
) -> Result<(TreeData, GrownRows)> {
    check(&table, spec)?;
    let weights = table.target.class_weighted(table.weights.take(), &spec.class_weights)?;
    let (weights, sharing) = shared_weights(spec, weights, &table);
    let Table { mut columns, target, .. } = table;
    let n_rows = target.len();
    // Branches that share rows number them anew, and codes may not depend on it.
    let may_renumber = sharing.is_some() && spec.max_leaves.is_some();
    let ranked = |column: Column| if may_renumber { column.ranked() } else { column };
    columns = columns.into_par_iter().one_item_per_task().map(ranked).collect();
    // Growth takes the codes out of the columns.
    let has_missing: Vec<bool> = columns.iter().map(|c| c.first_missing().is_some()).collect();
    let grower = Grower::new(spec, &columns, n_rows, sharing.as_ref());
    let copies = sharing.map(|s| s.copies);
    let growth = GrowthVisitor {
        grower,
        columns: &mut columns,
        n_rows,
        copies: copies.clone().unwrap_or_default(),
    };
    let (arena, codes) = growth.visit(&target, weights.as_ref(), spec.criterion, spec.log_base);
    let mut spec = spec.clone();
    if spec.interrupt.take().is_some_and(|interrupt| interrupt.is_raised()) {
        return Err(Error::interrupted());
    }
    if target.labels().is_empty() {
        // What a regression tree is grown by, whatever the preset says of classes.
        spec.criterion = Criterion::Variance;
        if let Pruning::Pessimistic { .. } = spec.pruning {
            spec.pruning = Pruning::None;
        }
    }
    let tree = arena.into_tree(spec, &columns, &has_missing, &target);
    Ok((tree, GrownRows { columns, codes, target, weights, copies }))
}

/// Grows the subtree of some rows of a larger table, without checks. Target, units of weights and
/// `many_levels` are those of the larger table, and the weights count classes already; depths are
/// the subtree's own. Rules name levels by the part's own columns. Returns the nodes' weights too.
pub(crate) fn grow_part(
    table: Table,
    spec: &TreeSpec,
    many_levels: Vec<bool>,
) -> Result<(TreeData, Vec<f64>)> {
    let Table { mut columns, target, weights, .. } = table;
    let n_rows = target.len();
    let grower = Grower::with_many_levels(spec, many_levels, None);
    let growth = GrowthVisitor { grower, columns: &mut columns, n_rows, copies: Arc::default() };
    let (arena, _) = growth.visit(&target, weights.as_ref(), spec.criterion, spec.log_base);
    if spec.interrupt.as_ref().is_some_and(|interrupt| interrupt.is_raised()) {
        return Err(Error::interrupted());
    }
    let (has_missing, weights) = (vec![false; columns.len()], arena.weights());
    Ok((arena.into_tree(spec.clone(), &columns, &has_missing, &target), weights))
}

struct GrowthVisitor<'a> {
    grower: Grower,
    columns: &'a mut [Column],
    n_rows: usize,
    /// As in [`Sharing`](prepare::Sharing).
    copies: Arc<[u64]>,
}

impl GrowthVisitor<'_> {
    fn grow<S: RowStats>(self, stats: S) -> (Arena, StoredCodes) {
        let partition = Partition::new(self.columns, stats, self.n_rows, self.copies);
        let codes = StoredCodes::of(&partition);
        (self.grower.grow(partition), codes)
    }
}

impl TargetVisitor for GrowthVisitor<'_> {
    type Output = (Arena, StoredCodes);

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        self.grow(rows)
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        self.grow(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::dtype::{DType, key_of_i64};
    use crate::engine::{ColumnData, Kinds, Source};
    use crate::spec::Interrupt;

    struct Numbers(DType, Vec<u64>);

    impl Source for Numbers {
        fn name(&self) -> &str {
            "x"
        }

        fn dtype(&self) -> &DType {
            &self.0
        }

        fn cells(&self) -> ColumnData {
            ColumnData::Keys(self.1.clone(), None)
        }
    }

    /// What is open when the flag is raised becomes a leaf, so that growth ends at once.
    #[test]
    fn no_node_is_split_once_the_flag_is_raised() {
        let numbers = |of: fn(i64) -> i64| {
            Numbers(DType::I64, (0..3000).map(|i| key_of_i64(of(i))).collect())
        };
        let (x, y) = (numbers(|i| i), numbers(|i| i / 7 % 3));
        let table = Table::encode(&[x], &y, None, Kinds::default()).expect("encodes");
        let n_nodes = |spec: &TreeSpec| {
            let (mut columns, n_rows) = (table.columns.clone(), table.target.len());
            let grower = Grower::new(spec, &columns, n_rows, None);
            let growth =
                GrowthVisitor { grower, columns: &mut columns, n_rows, copies: Arc::default() };
            growth.visit(&table.target, None, spec.criterion, spec.log_base).0.weights().len()
        };
        let interrupt = Interrupt::default();
        let specs = [TreeSpec::cart(), TreeSpec::c45(), TreeSpec::cart().max_leaves(99)];
        let specs = specs.map(|spec| spec.interrupt(interrupt.clone()));
        assert!(specs.iter().all(|spec| n_nodes(spec) > 100));
        interrupt.raise();
        assert!(specs.iter().all(|spec| n_nodes(spec) == 1));
    }
}
