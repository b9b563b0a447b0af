//! `gaintree fit`.

use clap::Args;
use gaintree::{
    Algorithm, ClassWeights, Criterion, Grouping, Missing, Pruning, Selection, TreeSpec,
};

use super::parsers::{choice, class_weights, memory, rows};
use super::pruning::{JudgingArgs, PruningChoice, pruning};
use super::shared::{FeatureArgs, RunArgs, TargetArgs, override_spec};

#[derive(Args)]
#[command(after_help = "\
A flag overrides what its algorithm would have it be.

Examples:
  gaintree fit examples/data/iris.parquet --target species -o iris.tree.json
  gaintree fit examples/data/weather.csv --target play --algorithm c45 -o play.tree.json
  gaintree fit examples/data/wine.parquet --target cultivar --max-depth 3 -o wine.tree.json \
--importance wine.csv
  gaintree fit examples/data/wine.parquet --target cultivar --prune cv=10 -o wine.tree.json")]
pub struct FitArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
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
    /// Prune the grown tree: none, alpha=A, leaves=N, pessimistic=CONFIDENCE, or cv=FOLDS
    /// (cross-validated) [default: pessimistic=0.25 of c45, else none]
    #[arg(long, visible_alias = "prune", value_name = "HOW", value_parser = pruning)]
    pub pruning: Option<PruningChoice>,
    /// With pessimistic pruning: whether a node's largest branch may take the node's place
    /// [default: true of c45]
    #[arg(long, value_name = "BOOL")]
    pub subtree_raising: Option<bool>,
    #[command(flatten)]
    pub judging: JudgingArgs,
    /// Write the model, which is JSON, to this file (- is standard output)
    #[arg(short, long, value_name = "MODEL")]
    pub output: String,
    /// Write the table of feature importances to this file, or a bar chart (.svg, .png)
    #[arg(long, value_name = "OUT")]
    pub importance: Option<String>,
    /// Fit in this much memory, as 500MB or 2GB, by reading the rows several times; the tree is the
    /// same [default: read all rows into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl FitArgs {
    pub fn spec(&self) -> TreeSpec {
        let mut spec = match self.algorithm {
            Algorithm::Cart => TreeSpec::cart(),
            Algorithm::C45 => TreeSpec::c45(),
            Algorithm::Id3 => TreeSpec::id3(),
        };
        spec.features = self.features.features.clone();
        spec.exclude = self.features.exclude.clone();
        spec.ordered = self.target.ordered.clone();
        spec.nominal = self.target.nominal.clone();
        spec.weight = self.target.weight.clone();
        spec.max_subset_levels = self.max_subset_levels;
        spec.max_depth = self.max_depth;
        spec.max_leaves = self.max_leaves;
        spec.threads = self.run.threads.get();
        override_spec!(spec, self.target => task, log_base);
        spec.class_weights = self.class_weights.clone().unwrap_or(spec.class_weights);
        override_spec!(spec, self => criterion, selection, grouping, missing, min_samples_split,
            min_samples_leaf, min_weight_leaf, min_gain, zero_gain_splits, subtree_raising);
        match self.pruning {
            Some(PruningChoice::Spec(pruning)) => spec.pruning = pruning,
            Some(PruningChoice::CrossValidated { .. }) => spec.pruning = Pruning::None,
            None if !self.judging.held_out.is_empty() => spec.pruning = Pruning::None,
            None => {}
        }
        spec
    }
}
