//! The growth of one tree: checks, the weights that rows count with, and the tree of the nodes.

use std::borrow::Cow;
use std::sync::Arc;

use super::arena::{Arena, rule_of, schema_of};
use super::column_policy::ColumnPolicy;
use super::drawn_splits::SplitDraws;
use super::grower::Grower;
use super::grown_rows::GrownRows;
use super::growth_table::GrowthTable;
use super::prepare::{Sharing, check_spec, sharing, spec_of_tree};
use super::sample::{Sample, SampleWeights};
use crate::data::dtype::Value;
use crate::data::weights::Weights;
use crate::encode::table::Table;
use crate::error::Result;
use crate::spec::TreeSpec;
use crate::split::Candidate;
use crate::stat::{ClassRows, Count, NumberRows, RowStats, TargetVisitor};
use crate::tree::{Schema, TreeData};
use crate::util::monitoring::check_interrupt;

impl GrowthTable {
    /// Grows a tree in the current pool, and does not prune it. `orders` are as for
    /// [`new`](Self::new). `O(m n)` a level for m columns of n rows.
    ///
    /// # Errors
    /// A sample that does not fit the table; no feature, no rows, one class, missing values under
    /// [`Missing::Error`](crate::Missing::Error), or a spec that contradicts itself.
    pub(crate) fn grow(
        &self,
        orders: Cow<[Vec<u32>]>,
        sample: &Sample,
        spec: &TreeSpec,
    ) -> Result<(TreeData, GrownRows<'_>)> {
        let (rows, weights) = self.sampled_rows(sample)?;
        let only = sample.features.only();
        let n_rows = rows.as_ref().map_or(self.n_rows(), Vec::len);
        self.target.check_rows(n_rows as u64)?;
        check_spec(&self.target, only.map_or(self.columns.len(), <[u32]>::len), spec)?;
        let has_missing = self.has_missing(rows.as_deref(), only, spec)?;
        let any_missing = has_missing.contains(&true);
        let Counted { weights, of_class, sharing } =
            self.counted(rows.as_deref(), weights, any_missing, spec)?;
        let policies = self.policies(rows.as_deref(), spec);
        let drawn = sample.features.drawn();
        let mut grower = Grower::new(spec, policies, sharing.as_ref(), drawn);
        grower.split_draws = SplitDraws::new(sample.splits, &self.columns);
        let copies = sharing.map(|s| s.copies);
        let by_number = |of_rows: &[u64]| {
            let rows = rows.as_deref().filter(|_| !of_rows.is_empty())?;
            let mut by_number = vec![0; self.n_rows()];
            rows.iter().zip(of_rows).for_each(|(&row, &of)| by_number[row as usize] = of);
            Some(by_number)
        };
        let of_sample = weights.as_deref().and_then(|weights| {
            by_number(&weights.units).map(|units| Weights { units, ..*weights })
        });
        let growth = GrowthVisitor {
            grower,
            table: self,
            orders,
            rows: rows.as_deref(),
            only,
            copies: copies.as_ref().map_or_else(Arc::default, |copies| {
                by_number(copies).map_or_else(|| Arc::clone(copies), Arc::from)
            }),
        };
        let weights_by_number = of_sample.as_ref().or(weights.as_deref());
        let arena = growth.visit(&self.target, weights_by_number, spec.criterion, spec.log_base);
        check_interrupt(spec.monitor.as_ref())?;
        let spec = spec_of_tree(spec, &self.target);
        let schema = |used: &[bool]| Schema {
            class_weights: of_class,
            ..schema_of(&self.target, self.columns.iter().zip(has_missing), used)
        };
        let rule =
            |column: u32, of: &Candidate| rule_of(column, &self.columns[column as usize], of);
        let mut tree = arena.into_tree(spec, self.columns.len(), schema, rule);
        tree.tie_balanced_classes();
        if let Some(only) = only {
            keep_features(&mut tree, only);
        }
        let only = only.map(<[u32]>::to_vec);
        Ok((tree, GrownRows { table: self, rows, only, weights, copies }))
    }

    /// What the levels among some rows decide for each column.
    fn policies(&self, rows: Option<&[u32]>, spec: &TreeSpec) -> Vec<ColumnPolicy> {
        let Some(rows) = rows else {
            return ColumnPolicy::of_columns(spec, &self.columns, self.n_rows());
        };
        let mut policies = ColumnPolicy::of_columns(spec, &self.columns, rows.len());
        for ((at, column), policy) in (0..).zip(&self.columns).zip(&mut policies) {
            // A column of few levels has few among these rows too.
            if *policy != ColumnPolicy::new(spec, column.kind, 0, rows.len() as u64) {
                let mut occurs = vec![false; column.missing_code() as usize + 1];
                rows.iter().for_each(|&row| occurs[self.stored.code(at, row) as usize] = true);
                occurs.pop();
                let n_levels = occurs.iter().filter(|occurs| **occurs).count() as u64;
                *policy = ColumnPolicy::new(spec, column.kind, n_levels, rows.len() as u64);
            }
        }
        policies
    }

    /// What some rows count with, in their order.
    fn counted<'w>(
        &self,
        rows: Option<&[u32]>,
        weights: SampleWeights<'w>,
        has_missing: bool,
        spec: &TreeSpec,
    ) -> Result<Counted<'w>> {
        let (mut weights, of_class) =
            self.target.class_weighted(rows, weights, &spec.class_weights)?;
        let sharing = sharing(spec, weights.as_deref(), has_missing);
        if sharing.is_some() {
            let owned = weights.map(Cow::into_owned);
            let n_rows = rows.map_or(self.n_rows(), <[u32]>::len);
            weights = Some(Cow::Owned(Weights::divisible(owned, n_rows)));
        }
        Ok(Counted { weights, of_class, sharing })
    }
}

/// What the rows of a growth count with.
struct Counted<'w> {
    weights: SampleWeights<'w>,
    /// The weight of each class; empty if classes have none.
    of_class: Vec<f64>,
    sharing: Option<Sharing>,
}

/// Grows the subtree of some rows of a larger table, without checks. Target, units of weights and
/// `policies` belong to the larger table, and the weights count classes already; depths are the
/// subtree's own. `code` is the larger table's code of a column's level.
pub(crate) fn grow_part(
    table: Table,
    spec: &TreeSpec,
    policies: Vec<ColumnPolicy>,
    code: impl Fn(u32, &str) -> u32,
) -> Result<Arena<Value>> {
    let (table, orders) = GrowthTable::new(table);
    let growth = GrowthVisitor {
        grower: Grower::new(spec, policies, None, None),
        table: &table,
        orders: Cow::Owned(orders),
        rows: None,
        only: None,
        copies: Arc::default(),
    };
    let weights = table.weights.as_ref();
    let arena = growth.visit(&table.target, weights, spec.criterion, spec.log_base);
    check_interrupt(spec.monitor.as_ref())?;
    Ok(arena.in_values(&table.columns, code))
}

/// Leaves only some features in a tree's schema, among them all that its rules use.
fn keep_features(tree: &mut TreeData, only: &[u32]) {
    let mut at = 0;
    Arc::make_mut(&mut tree.schema).features.retain(|_| {
        at += 1;
        only.binary_search(&(at - 1)).is_ok()
    });
    for split in tree.nodes.iter_mut().filter_map(|node| node.split.as_mut()) {
        split.rule.feature = only.partition_point(|&feature| feature < split.rule.feature) as u32;
    }
}

/// A growth of a table, or of some rows and columns of it.
struct GrowthVisitor<'a> {
    grower: Grower<'a>,
    table: &'a GrowthTable,
    orders: Cow<'a, [Vec<u32>]>,
    rows: Option<&'a [u32]>,
    only: Option<&'a [u32]>,
    /// As in [`Sharing`](prepare::Sharing), for each row of the table.
    copies: Arc<[u64]>,
}

impl GrowthVisitor<'_> {
    fn grow<S: RowStats>(self, stats: S) -> Arena {
        let GrowthVisitor { grower, table, orders, rows, only, copies } = self;
        let is_drawn = grower.split_draws.is_some();
        grower.grow(table.partition(orders, stats, rows, only, copies, is_drawn))
    }
}

impl TargetVisitor for GrowthVisitor<'_> {
    type Output = Arena;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Arena {
        self.grow(rows)
    }

    fn numbers(self, rows: NumberRows) -> Arena {
        self.grow(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::dtype::{DType, key_of_i64};
    use crate::engine::{ColumnData, Kinds, Source};
    use crate::spec::Monitor;

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
        let (table, orders) = GrowthTable::new(table);
        let n_nodes = |spec: &TreeSpec| {
            let policies = ColumnPolicy::of_columns(spec, &table.columns, 3000);
            let growth = GrowthVisitor {
                grower: Grower::new(spec, policies, None, None),
                table: &table,
                orders: Cow::Borrowed(&orders),
                rows: None,
                only: None,
                copies: Arc::default(),
            };
            growth.visit(&table.target, None, spec.criterion, spec.log_base).len()
        };
        let monitor = Monitor::default();
        let specs = [TreeSpec::cart(), TreeSpec::c45(), TreeSpec::cart().max_leaves(99)];
        let specs = specs.map(|spec| spec.monitor(monitor.clone()));
        assert!(specs.iter().all(|spec| n_nodes(spec) > 100));
        monitor.interrupt();
        assert!(specs.iter().all(|spec| n_nodes(spec) == 1));
    }
}
