//! A fitted forest, as plain data.

use std::sync::Arc;

use super::{Schema, Split, TreeData, features_of};
use crate::spec::ForestSpec;

/// The data of a fitted forest. Its trees share a schema. A nominal feature has its levels in it
/// where a rule of some tree uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestData {
    pub(crate) spec: ForestSpec,
    pub(crate) schema: Arc<Schema>,
    /// At least one.
    pub(crate) trees: Vec<TreeData>,
}

impl ForestData {
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn of_tree(tree: &TreeData) -> ForestData {
        let spec = ForestSpec::new((*tree.spec).clone()).trees(1).bootstrap(false);
        ForestData { spec, schema: Arc::clone(&tree.schema), trees: vec![tree.clone()] }
    }

    /// The spec it was grown by.
    pub fn spec(&self) -> &ForestSpec {
        &self.spec
    }

    /// The target and the features.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Number of trees.
    pub fn n_trees(&self) -> usize {
        self.trees.len()
    }

    /// Number of nodes of all trees.
    pub fn n_nodes(&self) -> usize {
        self.trees.iter().map(TreeData::n_nodes).sum()
    }

    /// Number of leaves of all trees.
    pub fn n_leaves(&self) -> usize {
        self.trees.iter().map(TreeData::n_leaves).sum()
    }

    /// Depth of the deepest node of all trees.
    pub fn depth(&self) -> u32 {
        self.trees.iter().map(TreeData::depth).max().unwrap_or(0)
    }

    /// Whether the target is a number, and the forest predicts means.
    pub fn is_regression(&self) -> bool {
        self.schema.classes.is_empty()
    }

    /// The features that some tree's rule uses, ascending.
    pub fn used_features(&self) -> Vec<u32> {
        features_of(self.splits(), self.schema.features.len())
    }

    pub(crate) fn splits(&self) -> impl Iterator<Item = &Split> {
        self.trees.iter().flat_map(TreeData::splits)
    }
}
