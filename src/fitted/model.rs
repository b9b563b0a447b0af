//! A model of either kind.

use std::path::Path;

use super::forest::Forest;
use super::tree::Tree;
use crate::error::Result;
use crate::model_file::ModelData;
use crate::tree::Schema;

/// A tree or a forest: what a model file may hold, and what scores rows.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a program has a model or two")]
pub enum Model {
    /// One tree.
    Tree(Tree),
    /// Many trees.
    Forest(Forest),
}

impl From<ModelData> for Model {
    fn from(data: ModelData) -> Model {
        match data {
            ModelData::Tree(tree) => Model::Tree(tree.into()),
            ModelData::Forest(forest) => Model::Forest(forest.into()),
        }
    }
}

impl Model {
    /// Reads the text of a model file, of whatever kind. Time and memory are linear in its length.
    ///
    /// # Errors
    /// As [`Tree::from_json`].
    pub fn from_json(text: &str) -> Result<Model> {
        ModelData::from_json(text).map(Model::from)
    }

    /// Reads a model file, of whatever kind.
    ///
    /// # Errors
    /// As [`Tree::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<Model> {
        ModelData::load(path).map(Model::from)
    }

    /// The model as the text of a model file. Equal models give equal text.
    pub fn to_json(&self) -> String {
        match self {
            Model::Tree(tree) => tree.to_json(),
            Model::Forest(forest) => forest.to_json(),
        }
    }

    /// Writes the model file, whole or not at all.
    ///
    /// # Errors
    /// As [`Tree::save`](crate::engine::TreeData::save).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        match self {
            Model::Tree(tree) => tree.save(path),
            Model::Forest(forest) => forest.save(path),
        }
    }

    /// The target and the features.
    pub fn schema(&self) -> &Schema {
        match self {
            Model::Tree(tree) => tree.schema(),
            Model::Forest(forest) => forest.schema(),
        }
    }

    /// Whether the target is a number, and the model predicts means.
    pub fn is_regression(&self) -> bool {
        self.schema().classes.is_empty()
    }

    /// The features that some rule uses, ascending.
    pub fn used_features(&self) -> Vec<u32> {
        match self {
            Model::Tree(tree) => tree.used_features(),
            Model::Forest(forest) => forest.used_features(),
        }
    }
}
