//! A borrowed model of either kind.

use crate::fitted::{Forest, Model, Tree};
use crate::tree::Schema;

/// A borrowed [`Model`], which a tree or a forest alone can be too.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModelRef<'a> {
    Tree(&'a Tree),
    Forest(&'a Forest),
}

impl<'a> ModelRef<'a> {
    pub(crate) fn schema(self) -> &'a Schema {
        match self {
            ModelRef::Tree(tree) => tree.schema(),
            ModelRef::Forest(forest) => forest.schema(),
        }
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
