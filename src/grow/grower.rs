//! What is the same for all nodes of a tree.

use std::sync::Arc;

use super::column_policy::ColumnPolicy;
use super::drawn_splits::SplitDraws;
use super::node::OpenNode;
use super::partition::Partition;
use super::prepare::Sharing;
use super::sample::DrawnFeatures;
use super::selector::Selector;
use crate::spec::{Grouping, Monitor, TreeSpec};
use crate::split::{Limits, SplitPolicy, partitions};
use crate::stat::{Rating, RowStats, Summary};

pub(crate) struct Grower<'a> {
    policy: SplitPolicy,
    pub(crate) columns: Vec<ColumnPolicy>,
    pub(crate) selector: Selector,
    pub(super) max_leaves: Option<u32>,
    max_depth: u32,
    min_samples_split: u64,
    monitor: Option<Monitor>,
    /// The columns each node looks at, if not at all of them.
    pub(super) drawn: Option<DrawnFeatures<'a>>,
    /// What the one split of a column is drawn by, if not all are rated.
    pub(super) split_draws: Option<SplitDraws<'a>>,
}

pub(super) struct ColumnsToSearch {
    pub(super) ascending: Arc<[u32]>,
    /// In the order in which equals are chosen: the order of the draw, if they are drawn.
    pub(super) in_tie_order: Arc<[u32]>,
}

impl<'a> Grower<'a> {
    pub(crate) fn new(
        spec: &TreeSpec,
        columns: Vec<ColumnPolicy>,
        sharing: Option<&Sharing>,
        drawn: Option<DrawnFeatures<'a>>,
    ) -> Grower<'a> {
        let limits = Limits {
            min_rows: spec.min_samples_leaf,
            min_weight: spec.min_weight_leaf,
            row_weight: sharing.map(|s| s.row_weight),
        };
        let (missing, grouping) = (spec.missing, spec.grouping);
        let selector = Selector {
            selection: spec.selection,
            min_gain: spec.min_gain,
            zero_gain_splits: spec.zero_gain_splits,
            many_levels: columns.iter().map(|column| column.has_many_levels).collect(),
        };
        Grower {
            policy: SplitPolicy {
                limits,
                missing,
                grouping,
                gain_floor: 0.0,
                zero_below: 0.0,
                with_split_info: !selector.goes_by_gain(),
            },
            selector,
            columns,
            max_depth: spec.max_depth.unwrap_or(u32::MAX),
            max_leaves: spec.max_leaves,
            min_samples_split: spec.min_samples_split.max(2),
            monitor: spec.monitor.clone(),
            drawn,
            split_draws: None,
        }
    }

    /// The columns a node looks at, among the ones that may vary in it.
    pub(super) fn columns_to_search<S: RowStats>(
        &self,
        partition: &Partition<S>,
        node: &OpenNode<S::Num>,
    ) -> ColumnsToSearch {
        let Some(DrawnFeatures { n, order }) = self.drawn else {
            let (ascending, in_tie_order) = (Arc::clone(&node.columns), Arc::clone(&node.columns));
            return ColumnsToSearch { ascending, in_tie_order };
        };
        let varies = |column: &u32| {
            node.columns.binary_search(column).is_ok()
                && partition.varies(*column, node.range.clone())
        };
        let in_tie_order: Vec<u32> = order(node.path).into_iter().filter(varies).take(n).collect();
        let mut ascending = in_tie_order.clone();
        ascending.sort_unstable();
        ColumnsToSearch { ascending: ascending.into(), in_tie_order: in_tie_order.into() }
    }

    /// Whether growth is to stop. No more columns are searched then, so that the open nodes become
    /// leaves, and the tree is given up.
    pub(super) fn is_interrupted(&self) -> bool {
        self.monitor.as_ref().is_some_and(Monitor::is_interrupted)
    }

    /// Whether a node is a leaf whatever its columns hold. `columns` of them may vary in it.
    pub(crate) fn is_leaf(&self, depth: u32, rows: usize, columns: usize, of: Summary) -> bool {
        let limits = &self.policy.limits;
        let is_large = limits.reach(self.min_samples_split, rows as u64, || of.weight);
        columns == 0 || depth >= self.max_depth || !is_large || of.is_pure
    }

    /// How the columns of a node of this impurity are searched.
    pub(crate) fn policy_at(&self, rating: &impl Rating, impurity: f64) -> SplitPolicy {
        SplitPolicy { zero_below: rating.zero_below(impurity), ..self.policy }
    }

    /// How a column is searched, where a node is searched by `policy`.
    pub(crate) fn policy_of(&self, column: u32, policy: &SplitPolicy) -> SplitPolicy {
        SplitPolicy { grouping: self.columns[column as usize].grouping, ..*policy }
    }

    /// An upper bound of the gain of any rule of some rows, whose stat is `total`. `lefts` is scratch.
    pub(super) fn rule_bound<S: RowStats>(
        &self,
        policy: &SplitPolicy,
        stats: &S,
        rows: &[u32],
        total: &[S::Num],
        lefts: &mut Vec<S::Num>,
    ) -> f64 {
        match policy.grouping {
            // Nothing needs it.
            _ if !self.selector.goes_by_gain() => f64::INFINITY,
            // Two rows have one split.
            _ if rows.len() == 2 => 0.0,
            // The known rows may be less pure than all.
            _ if !policy.missing.rates_all_rows() => f64::INFINITY,
            Grouping::Multiway => stats.rating().impurity_bound(total),
            Grouping::OneVsRest | Grouping::Subset => {
                partitions::two_way_bound(stats, rows, total, lefts)
            }
        }
    }

    /// Whether rows may be in several branches in part.
    pub(super) fn is_fractional(&self) -> bool {
        self.policy.limits.row_weight.is_some()
    }
}
