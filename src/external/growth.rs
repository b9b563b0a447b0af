//! The whole course of a growth.

use super::counting::Counter;
use super::passes::{ExternalReport, Pass, Passes};
use super::prepare::Prepared;
use super::row_store::RowStore;
use super::work_list::{GrownFromStore, WorkList};
use crate::data::dtype::Value;
use crate::encode::table::Kinds;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::grow::{schema_of, spec_of_tree};
use crate::spec::{Budget, Grouping, Pruning, TreeSpec};
use crate::split::Candidate;
use crate::stat::{ClassRows, Count, NumberRows, TargetVisitor};
use crate::tree::Schema;
use crate::tree::rule::Rule;

/// Grows a tree from the rows of a store, and prunes it if the spec says so: the tree, byte for
/// byte, that [`grow`](crate::engine::grow) makes of the same rows in memory. `progress` hears of
/// each pass before it begins.
///
/// # Errors
/// As [`grow`](crate::engine::grow); what the store says; a spec that needs all rows at once
/// (fractional missing values, subtree raising); a tree that may outgrow the budget; data that
/// changed between two passes.
pub fn grow_from_store(
    store: &mut dyn RowStore,
    spec: &TreeSpec,
    budget: &Budget,
    progress: &mut dyn FnMut(Pass),
) -> Result<(Tree, ExternalReport)> {
    spec.pruning.check()?;
    check_size_early(store, spec, budget)?;
    let mut passes = Passes::<dyn RowStore + '_>::new(store, spec.monitor.clone(), progress);
    let kinds = Kinds { task: spec.task, ordered: &spec.ordered, nominal: &spec.nominal };
    let prepared = Prepared::new(&mut passes, kinds, &spec.class_weights, Some(spec), budget)?;
    passes.report.rows = prepared.rows;
    if spec.raises_subtrees() && !prepared.target.labels().is_empty() {
        return Err(Error::spec(
            "subtree raising needs all rows in memory: set subtree_raising = false, or fit in \
             memory",
        ));
    }
    TreeSize::of(&prepared, spec).check(spec, budget)?;
    let (target, weights) = (prepared.target.clone(), prepared.weights.clone());
    let growth = StoreGrowthVisitor { spec, counter: Counter::new(passes, &prepared, budget) };
    let (arena, report) = growth.visit(&target, weights.as_ref(), spec.criterion, spec.log_base)?;
    let spec = spec_of_tree(spec, &target);
    let columns = prepared.columns.iter().map(|column| (&column.info, column.has_missing));
    let schema = |used: &[bool]| Schema {
        class_weights: prepared.class_weights.clone(),
        ..schema_of(&target, columns, used)
    };
    let rule = |feature: u32, of: &Candidate<Value>| Rule {
        feature,
        test: of.test.clone(),
        missing_to: of.missing_to,
    };
    let mut tree = arena.into_tree(spec, prepared.columns.len(), schema, rule);
    tree.tie_balanced_classes();
    let tree = match tree.spec.pruning {
        Pruning::None => tree,
        pruning => tree.prune(pruning)?,
    };
    Ok((Tree::from(tree), report))
}

/// Bytes that a node takes, without its values.
const NODE_BYTES: u64 = 256;

/// Refuses a tree above the budget before the first pass, if the store knows its number of rows.
fn check_size_early(store: &mut dyn RowStore, spec: &TreeSpec, budget: &Budget) -> Result<()> {
    // Rows of weight 0 do not count, and classes are not known yet.
    let by_spec = TreeSize { rows: u64::MAX, width: 1, is_two_way: true };
    if by_spec.bytes(spec) <= budget.memory || store.weight().is_some() {
        return Ok(());
    }
    match store.n_rows()? {
        Some(rows) => TreeSize { rows, ..by_spec }.check(spec, budget),
        None => Ok(()),
    }
}

/// What the size of a tree depends on, beside its spec.
struct TreeSize {
    rows: u64,
    /// Numbers in a node's stat.
    width: u64,
    /// Whether every rule has two branches.
    is_two_way: bool,
}

impl TreeSize {
    fn of(prepared: &Prepared, spec: &TreeSpec) -> TreeSize {
        TreeSize {
            rows: prepared.rows,
            width: prepared.coding.target.width() as u64,
            is_two_way: spec.grouping != Grouping::Multiway
                || prepared.columns.iter().all(|c| c.texts().is_none()),
        }
    }

    fn leaves(&self, spec: &TreeSpec) -> u64 {
        let by_rows = self.rows / spec.min_samples_leaf.max(1);
        let by_leaves = spec.max_leaves.map_or(u64::MAX, u64::from);
        let by_depth = match spec.max_depth {
            Some(depth) if self.is_two_way => 1u64.checked_shl(depth).unwrap_or(u64::MAX),
            Some(_) | None => u64::MAX,
        };
        by_rows.min(by_leaves).min(by_depth).max(1)
    }

    fn bytes(&self, spec: &TreeSpec) -> u64 {
        self.leaves(spec).saturating_mul(2).saturating_mul(NODE_BYTES + 8 * self.width)
    }

    /// An error if a tree may take more than the budget.
    fn check(&self, spec: &TreeSpec, budget: &Budget) -> Result<()> {
        let bytes = self.bytes(spec);
        if bytes <= budget.memory {
            return Ok(());
        }
        Err(Error::spec(format!(
            "a tree on {} rows may have {} leaves and take {} MiB, and the memory budget is {} \
             MiB: set max_depth, max_leaves or min_samples_leaf, or allow more memory",
            self.rows,
            self.leaves(spec),
            bytes.div_ceil(1 << 20),
            budget.memory >> 20
        )))
    }
}

struct StoreGrowthVisitor<'a, 'p> {
    spec: &'a TreeSpec,
    counter: Counter<'a, 'p>,
}

impl TargetVisitor for StoreGrowthVisitor<'_, '_> {
    type Output = Result<GrownFromStore>;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        WorkList::new(rows, self.spec, self.counter).grow()
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        WorkList::new(rows, self.spec, self.counter).grow()
    }
}
