//! A borrowed model of either kind.

use crate::fitted::{Forest, Model, Tree};
use crate::score::UsedFeatures;
use crate::tree::{Schema, TreeData};

/// A borrowed [`Model`], made of a tree, a forest or a model of either kind.
#[derive(Clone, Copy, Debug)]
pub enum ModelRef<'a> {
    /// One tree.
    Tree(&'a Tree),
    /// Many trees.
    Forest(&'a Forest),
}

impl<'a> ModelRef<'a> {
    /// The tree, or the first one of the forest, whose trees share schema, spec and class totals.
    pub(crate) fn tree_data(self) -> &'a TreeData {
        match self {
            ModelRef::Tree(tree) => tree,
            ModelRef::Forest(forest) => &forest.trees[0],
        }
    }

    pub(crate) fn schema(self) -> &'a Schema {
        self.tree_data().schema()
    }

    /// The features that rules test.
    pub(crate) fn used(self) -> &'a UsedFeatures {
        match self {
            ModelRef::Tree(tree) => &tree.prepared().scorer.used,
            ModelRef::Forest(forest) => &forest.prepared().scorer.used,
        }
    }

    /// Their names.
    pub(crate) fn used_names(self) -> impl Iterator<Item = &'a str> {
        self.used().of(self.schema()).map(|feature| feature.name.as_str())
    }

    /// The columns that answers need.
    pub(super) fn used_columns(self) -> Vec<&'a str> {
        self.used_names().collect()
    }

    /// The columns that judging needs.
    pub(super) fn judged_columns(self) -> Vec<&'a str> {
        self.used_names().chain([self.schema().target.as_str()]).collect()
    }

    /// The columns that judging needs where rows weigh as in training.
    pub(super) fn weighted_columns(self) -> Vec<&'a str> {
        self.judged_columns().into_iter().chain(self.weight()).collect()
    }

    /// The columns that training read.
    pub(super) fn trained_columns(self) -> Vec<&'a str> {
        let features = self.schema().features.iter().map(|feature| feature.name.as_str());
        features.chain([self.schema().target.as_str()]).chain(self.weight()).collect()
    }

    /// The column that weighed the rows in training.
    fn weight(self) -> Option<&'a str> {
        self.tree_data().spec().weight.as_deref()
    }

    pub(crate) fn is_regression(self) -> bool {
        self.schema().classes.is_empty()
    }
}

impl<'a> From<&'a Tree> for ModelRef<'a> {
    fn from(tree: &'a Tree) -> Self {
        ModelRef::Tree(tree)
    }
}

impl<'a> From<&'a Forest> for ModelRef<'a> {
    fn from(forest: &'a Forest) -> Self {
        ModelRef::Forest(forest)
    }
}

impl<'a> From<&'a Model> for ModelRef<'a> {
    fn from(model: &'a Model) -> Self {
        match model {
            Model::Tree(tree) => ModelRef::Tree(tree),
            Model::Forest(forest) => ModelRef::Forest(forest),
        }
    }
}

impl<'a> From<&'a ModelRef<'_>> for ModelRef<'a> {
    fn from(model: &'a ModelRef<'_>) -> Self {
        *model
    }
}
