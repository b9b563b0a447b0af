//! How a tree is grown.

use serde::{Deserialize, Serialize};

use super::monitor::Monitor;
use super::options::{
    Algorithm, ClassWeights, Criterion, Grouping, LogBase, Missing, Pruning, Selection, Task,
};
use super::spec;

impl TreeSpec {
    /// CART (Breiman et al. 1984): Gini (variance for numbers), best score, subsets of levels,
    /// zero-gain splits, no pruning.
    pub fn cart() -> Self {
        Self::default()
    }

    /// ID3 (Quinlan 1986): entropy, best score, a branch per level.
    pub fn id3() -> Self {
        TreeSpec {
            algorithm: Algorithm::Id3,
            criterion: Criterion::Entropy,
            grouping: Grouping::Multiway,
            zero_gain_splits: false,
            ..Self::cart()
        }
    }

    /// C4.5 (Quinlan 1993): entropy, gain ratio among features of at least mean gain, a branch
    /// per level, fractional missing values, two rows per leaf, pessimistic pruning at confidence
    /// 0.25 with subtree raising.
    pub fn c45() -> Self {
        TreeSpec {
            algorithm: Algorithm::C45,
            selection: Selection::RatioAboveMeanGain,
            missing: Missing::Fractional,
            min_samples_leaf: 2,
            pruning: Pruning::Pessimistic { confidence: 0.25 },
            subtree_raising: true,
            ..Self::id3()
        }
    }
}

spec! {
    /// How a tree is grown. Start from a preset and change what you need:
    ///
    /// ```
    /// use gaintree::{Criterion, TreeSpec};
    /// let spec = TreeSpec::cart().criterion(Criterion::Entropy).max_depth(8).min_samples_leaf(5);
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct TreeSpec {
        /// The preset this started from.
        pub algorithm: Algorithm = Algorithm::Cart => by_hand,
        /// The impurity that rates candidates.
        pub criterion: Criterion = Criterion::Gini,
        /// How a node chooses among the columns' best candidates.
        pub selection: Selection = Selection::BestScore,
        /// The form of rules on nominal features.
        pub grouping: Grouping = Grouping::Subset,
        /// Under `subset`, the most levels in the table of a nominal feature that is split by
        /// subsets; one of more is split one against the rest. A subset of many levels fits the
        /// rows it was found on: with a limit such a feature takes less of the tree. `None` is no
        /// limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub max_subset_levels: Option<u32>,
        /// The kind of target.
        pub task: Task,
        /// The unit of entropies and gains.
        pub log_base: LogBase,
        /// How missing values are treated.
        pub missing: Missing = Missing::Learn,
        /// The column of row weights, finite and not negative; rows of weight 0 are left out.
        pub weight: Option<String>,
        /// Class weights, which multiply the row weights. Class counts are then sums of weights.
        pub class_weights: ClassWeights = ClassWeights::Equal,
        /// The features; `None` is every column except target and weight.
        pub features: Option<Vec<String>>,
        /// Columns that are no features, named in `features` or not.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub exclude: Vec<String>,
        /// Features taken as ordered whatever their dtype.
        pub ordered: Vec<String>,
        /// Features taken as nominal whatever their dtype.
        pub nominal: Vec<String>,
        /// The greatest depth of a node; the root has depth 0. `None` is no limit.
        pub max_depth: Option<u32>,
        /// The most leaves. The tree is then grown best-first, by gain times the node's share of
        /// the total weight. `None` is no limit.
        pub max_leaves: Option<u32>,
        /// A node of fewer rows is not split. Where rows are shared out among branches, this limit
        /// and the next compare weights: a row counts as the mean weight of a row, or 1 if all are
        /// integers.
        pub min_samples_split: u64 = 2,
        /// The least rows of both branches of a two-way rule, and of two branches of a multiway
        /// rule; at least 1.
        pub min_samples_leaf: u64 = 1,
        /// The least weight of the same branches.
        pub min_weight_leaf: f64,
        /// The least gain of a rule at its own node, in the criterion's units.
        pub min_gain: f64,
        /// Whether a rule may gain exactly 0, which exclusive-or needs.
        pub zero_gain_splits: bool = true,
        /// How the grown tree is pruned.
        pub pruning: Pruning,
        /// Whether pessimistic pruning of the grown tree may also put a node's largest branch in
        /// the node's place, as C4.5 does. Other prunings, and a pruning without the training rows,
        /// never do.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub subtree_raising: bool,
        /// The number of threads, at most 8 per processor; `None` uses the caller's pool. It does
        /// not change the tree and is not saved in model files.
        #[serde(skip)]
        pub threads: Option<usize>,
        /// Watches the fit, and may end it. It is no part of a fitted tree.
        #[serde(skip)]
        pub monitor: Option<Monitor>,
    }
}

impl TreeSpec {
    /// Whether the pruning of a grown tree needs the rows it was grown on.
    pub(crate) fn raises_subtrees(&self) -> bool {
        self.subtree_raising && matches!(self.pruning, Pruning::Pessimistic { .. })
    }
}
