//! Pruning: a tree in, a smaller tree out. Every node has a prediction of its own, so any inner
//! node can become a leaf.
//!
//! Each method decides which inner nodes become leaves; [`TreeData::collapsed`] then cuts below
//! them. In preorder a node's branches come after it, so one pass from the last node to the first
//! sees every subtree before its root, without recursion.

mod binomial_limit;
mod cost_complexity;
mod cross_validation;
mod held_out_errors;
mod impurity_drop;
mod leftist_heap;
mod loss;
mod pessimistic;
mod reduced_error;
mod routed_tree;
mod sent_rows;
mod subtree_raising;
mod training_rows;

pub use binomial_limit::upper_error_rate;
pub use cost_complexity::PruneStep;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use cost_complexity::printed_alphas;
pub use cross_validation::{CvSpec, CvStep};
pub use reduced_error::HeldOut;

use crate::error::{Error, Result};
use crate::grow::GrownRows;
use crate::spec::Pruning;
use crate::tree::preorder::{in_preorder, values_in_order};
use crate::tree::{Split, TreeData};
use std::sync::Arc;

impl Pruning {
    /// Checks its figure, before a tree is grown in vain.
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Pruning::None => Ok(()),
            Pruning::CostComplexity { alpha } if alpha.is_infinite() => Err(Error::spec(format!(
                "pruning alpha is {alpha}; it must be finite and not negative: 0 cuts only what \
                 gains nothing"
            ))),
            Pruning::CostComplexity { alpha } => cost_complexity::check_alpha(alpha),
            Pruning::Leaves { at_most } => cost_complexity::check_leaves(at_most),
            Pruning::Pessimistic { confidence } => pessimistic::check_confidence(confidence),
        }
    }
}

impl TreeData {
    /// The tree pruned as its spec asks; `rows` are the rows it was grown on.
    pub(crate) fn prune_by_spec(self, rows: GrownRows) -> Result<TreeData> {
        match self.spec.pruning {
            Pruning::None => Ok(self),
            Pruning::Pessimistic { confidence } if self.spec.subtree_raising => {
                self.prune_raising(rows, confidence)
            }
            pruning => self.prune(pruning),
        }
    }

    /// The tree pruned in one of the ways a spec may ask for.
    pub(crate) fn prune(&self, pruning: Pruning) -> Result<TreeData> {
        match pruning {
            Pruning::None => Ok(self.clone()),
            Pruning::CostComplexity { alpha } => self.prune_cost_complexity(alpha),
            Pruning::Leaves { at_most } => self.prune_to_leaves(at_most),
            Pruning::Pessimistic { confidence } => self.prune_pessimistic(confidence),
        }
    }

    /// The tree with these inner nodes made leaves, its nodes renumbered. `O(nodes)`.
    fn collapsed(&self, is_leaf: &[bool]) -> TreeData {
        let is_kept = |node: u32| !is_leaf[node as usize];
        let (nodes, order) = in_preorder(self.nodes.clone(), is_kept);
        let values = values_in_order(&self.values, self.nodes.len(), &order);
        let (spec, schema) = (self.spec.clone(), self.schema.clone());
        let mut tree = TreeData { spec, schema, nodes, values };
        tree.drop_unused_levels();
        tree
    }

    /// Unused features have no levels.
    pub(crate) fn drop_unused_levels(&mut self) {
        let used = self.used_features();
        let schema = Arc::make_mut(&mut self.schema);
        for (index, feature) in (0..u32::MAX).zip(&mut schema.features) {
            if used.binary_search(&index).is_err() {
                feature.levels = Vec::new();
            }
        }
    }

    /// The inner nodes and their splits, each after its whole subtree.
    fn bottom_up(&self) -> impl Iterator<Item = (usize, &Split)> {
        let nodes = self.nodes.iter().enumerate().rev();
        nodes.filter_map(|(id, node)| Some((id, node.split.as_ref()?)))
    }

    /// Which nodes are leaves already.
    fn leaves(&self) -> Vec<bool> {
        self.nodes.iter().map(|node| node.split.is_none()).collect()
    }
}
