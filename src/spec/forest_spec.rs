//! How a forest is grown.

use serde::{Deserialize, Serialize};

use super::options::Pruning;
use super::spec;
use super::tree_spec::TreeSpec;

impl ForestSpec {
    /// 500 trees, each grown by a spec on a bootstrap. The spec's own pruning is put aside.
    pub fn new(tree: TreeSpec) -> ForestSpec {
        let tree = tree.pruning(Pruning::None).subtree_raising(false);
        ForestSpec { tree, ..ForestSpec::default() }
    }
}

spec! {
    /// How a forest is grown: a random forest (Breiman 2001) of trees by one [`TreeSpec`], or one
    /// of extremely randomised trees (Geurts, Ernst & Wehenkel 2006). By default 500 CART trees on
    /// bootstraps.
    ///
    /// ```
    /// use gaintree::{ForestSpec, MaxFeatures, TreeSpec};
    /// let spec = ForestSpec::new(TreeSpec::cart().min_samples_leaf(5))
    ///     .trees(200)
    ///     .max_features(MaxFeatures::Share(0.5))
    ///     .seed(7);
    /// assert!(spec.bootstrap);
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct ForestSpec {
        /// How each tree is grown. Trees of a forest are not pruned. Limits on rows count a row
        /// that a bootstrap drew twice once.
        pub tree: TreeSpec,
        /// The number of trees, at least 1.
        pub trees: u32 = 500,
        /// How many features each node looks at: the first ones, in an order drawn for the node,
        /// that vary among its rows. The first one drawn of equal scores wins.
        pub max_features: MaxFeatures,
        /// Whether the trees are extremely randomised: a node rates one drawn split of each feature
        /// it looks at, in place of all. A split of a number or a time is a cut at a uniform place
        /// between the least and the greatest value among the node's rows. A split of other ordered
        /// levels is a gap between two that are present. A split of a nominal feature is a level
        /// that is present, or a set of them, by the tree's grouping. Each tree has all rows if
        /// there is no bootstrap, as in Geurts, Ernst & Wehenkel (2006).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub extra: bool,
        /// Whether rows are drawn with replacement, so that a row may count several times in a
        /// tree.
        pub bootstrap: bool = true,
        /// How many rows are drawn for a tree, as a share of the rows: above 0, at most 1. Without
        /// a bootstrap and with a share of 1 each tree has all rows.
        pub sample_share: f64 = 1.0,
        /// What the draws are made of: the same seed gives the same forest, on any number of
        /// threads.
        pub seed: u64,
        /// Whether [`fit_forest`](crate::fit_forest) answers each row by the trees that left it
        /// out, which takes about the time of scoring the rows. It is not kept in the model file.
        #[serde(skip, default = "usual_out_of_bag")]
        pub out_of_bag: bool = usual_out_of_bag(),
    }
}

fn usual_out_of_bag() -> bool {
    true
}

/// How many features a node of a forest looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxFeatures {
    /// The root of the number of features for classes, a third of it for numbers; rounded down, at
    /// least 1.
    #[default]
    Auto,
    /// This many, at least 1 and at most the number of features.
    Count(u32),
    /// This share of the features, above 0 and at most 1; rounded down, at least 1.
    Share(f64),
}

impl ForestSpec {
    /// Whether every tree has every row once, so that none is out of bag.
    pub fn takes_all_rows(&self) -> bool {
        !self.bootstrap && self.sample_share == 1.0
    }
}
