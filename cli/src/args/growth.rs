//! How a tree is grown: what `fit` and `forest` take alike.

use clap::{ArgAction, Args};
use gaintree::{
    Algorithm, ClassWeights, Criterion, ForestSpec, Grouping, MaxFeatures, Missing, Selection,
    TreeSpec,
};

use super::parsers::{choice, class_weights, max_features, rows, seed};
use super::shared::{FeatureArgs, RunArgs, TargetArgs, override_spec, set_spec};

#[derive(Args)]
pub struct GrowthArgs {
    /// Start from this family's choices
    #[arg(long, value_name = "NAME", value_parser = choice::<Algorithm>(), default_value = "cart")]
    pub algorithm: Algorithm,
    /// Rate splits by this impurity [default: gini of cart, else entropy]
    #[arg(long, value_name = "NAME", value_parser = choice::<Criterion>())]
    pub criterion: Option<Criterion>,
    /// Choose among the columns' best splits in this way [default: ratio_above_mean_gain of c45,
    /// else best_score]
    #[arg(long, value_name = "HOW", value_parser = choice::<Selection>())]
    pub selection: Option<Selection>,
    /// Split nominal features in this way [default: subset of cart, else multiway]
    #[arg(long, value_name = "HOW", value_parser = choice::<Grouping>())]
    pub grouping: Option<Grouping>,
    /// Under grouping subset: split a nominal feature of more levels one against the rest [default: no
    /// limit]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_subset_levels: Option<u32>,
    /// Treat missing values in this way [default: fractional of c45, else learn]
    #[arg(long, value_name = "HOW", value_parser = choice::<Missing>())]
    pub missing: Option<Missing>,
    /// Grow no deeper than this; the root is at 0 [default: no limit]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_depth: Option<u32>,
    /// Grow best-first, by gain times rows, to at most this many leaves [default: no limit]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_leaves: Option<u32>,
    /// Weigh whole classes: equal, balanced, or CLASS=WEIGHT,… [default: equal]
    #[arg(long, value_name = "WEIGHTS", value_parser = class_weights)]
    pub class_weights: Option<ClassWeights>,
    /// Leave a node of fewer rows a leaf [default: 2]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub min_samples_split: Option<u64>,
    /// Give every branch at least this many rows [default: 2 of c45, else 1]
    #[arg(long, value_name = "N", value_parser = rows, allow_negative_numbers = true)]
    pub min_samples_leaf: Option<u64>,
    /// Give every branch at least this weight [default: 0]
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub min_weight_leaf: Option<f64>,
    /// Split only for at least this gain [default: 0]
    #[arg(long, value_name = "GAIN", allow_negative_numbers = true)]
    pub min_gain: Option<f64>,
    /// Whether a split may gain exactly 0, as exclusive-or needs [default: true of cart]
    #[arg(long, value_name = "BOOL")]
    pub zero_gain_splits: Option<bool>,
}

impl GrowthArgs {
    /// The spec of a tree that the other arguments go into, too.
    pub fn spec(&self, target: &TargetArgs, features: &FeatureArgs, run: &RunArgs) -> TreeSpec {
        let mut spec = match self.algorithm {
            Algorithm::Cart => TreeSpec::cart(),
            Algorithm::C45 => TreeSpec::c45(),
            Algorithm::Id3 => TreeSpec::id3(),
        };
        set_spec!(spec, features => features, exclude; target.kinds => ordered, nominal;
            target => weight; run.threads => threads;
            self => max_subset_levels, max_depth, max_leaves);
        override_spec!(spec, target => task, log_base;
            self => criterion, selection, grouping, missing, class_weights, min_samples_split,
            min_samples_leaf, min_weight_leaf, min_gain, zero_gain_splits);
        spec
    }
}

#[derive(Args)]
pub struct DrawArgs {
    /// Look at this number of features at each node, or at a share of them with a decimal point, as 0.5;
    /// auto is the square root of their number for classes and a third of it for numbers
    #[arg(long, value_name = "N", value_parser = max_features, default_value = "auto",
        allow_negative_numbers = true)]
    pub max_features: MaxFeatures,
    /// Whether the trees are extremely randomised: a node rates one split of each feature it looks at,
    /// which is drawn, in place of all
    #[arg(long, value_name = "BOOL", default_value_t = false, action = ArgAction::Set)]
    pub extra: bool,
    /// Whether the rows of a tree are drawn with replacement
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub bootstrap: bool,
    /// Draw this share of the rows for a tree
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, allow_negative_numbers = true)]
    pub sample_share: f64,
    /// Draw by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0,
        allow_negative_numbers = true)]
    pub seed: u64,
}

impl DrawArgs {
    pub fn spec(&self, tree: TreeSpec, trees: u32) -> ForestSpec {
        let mut spec = ForestSpec::new(tree).trees(trees);
        set_spec!(spec, self => max_features, extra, bootstrap, sample_share, seed);
        spec
    }
}
