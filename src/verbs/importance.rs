//! The importance of features in a model.

use super::table::{FaceTable, ResultTable};
use crate::error::Result;
use crate::fitted::{Forest, Tree};
use crate::tree::forest_data::ForestData;
use crate::tree::{Schema, TreeData};

impl Tree {
    /// What each feature did in the tree, most important first: `rank u32, feature str,
    /// importance f64, total_gain f64, n_splits u64, min_depth u32?, coverage f64`.
    ///
    /// `importance` sums to 1, or is all 0 for a single leaf; `total_gain` weights each rule's
    /// gain by its node's share of the rows; `coverage` is the share of the rows that meet a
    /// rule on the feature. Features the tree does not use are listed too.
    ///
    /// # Errors
    /// Whatever the library of the table says on building it.
    pub fn importance(&self) -> Result<FaceTable> {
        self.importance_table().into_table()
    }
}

impl Forest {
    /// What each feature did in the trees, most important first: `rank u32, feature str, importance
    /// f64, standard_error f64?, total_gain f64, n_splits u64, n_trees u32`.
    ///
    /// `total_gain` is the mean over the trees of the gains of the feature's rules, each weighted by
    /// its node's share of the rows; `importance` is its share of the sum over all features, and
    /// `standard_error` that of this share over the trees. Features that no tree uses are listed too.
    ///
    /// # Errors
    /// Whatever the library of the table says on building it.
    pub fn importance(&self) -> Result<FaceTable> {
        self.importance_table().into_table()
    }
}

impl TreeData {
    /// The table of `Tree::importance`.
    pub(crate) fn importance_table(&self) -> ResultTable<'_> {
        let all = self.feature_importance();
        ranked_features(self.schema(), all.iter().map(|of| of.feature))
            .add("importance", all.iter().map(|of| of.importance))
            .add("total_gain", all.iter().map(|of| of.total_gain))
            .add("n_splits", all.iter().map(|of| of.n_splits))
            .add("min_depth", all.iter().map(|of| of.min_depth))
            .add("coverage", all.iter().map(|of| of.coverage))
    }
}

impl ForestData {
    /// The table of `Forest::importance`.
    pub(crate) fn importance_table(&self) -> ResultTable<'_> {
        let all = self.feature_importance();
        ranked_features(self.schema(), all.iter().map(|of| of.feature))
            .add("importance", all.iter().map(|of| of.importance))
            .add("standard_error", all.iter().map(|of| of.standard_error))
            .add("total_gain", all.iter().map(|of| of.total_gain))
            .add("n_splits", all.iter().map(|of| of.n_splits))
            .add("n_trees", all.iter().map(|of| of.n_trees))
    }
}

/// The first columns of a table of ranked features: `rank`, `feature`.
pub(super) fn ranked_features(
    schema: &Schema,
    features: impl ExactSizeIterator<Item = u32>,
) -> ResultTable<'_> {
    ranked(features.map(|feature| schema.features[feature as usize].name.as_str()))
}

/// The first columns of a table of ranked features, which are named.
pub(super) fn ranked<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> ResultTable<'a> {
    ResultTable::default().add("rank", 1..=names.len() as u32).add("feature", names)
}
