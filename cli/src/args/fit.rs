//! `gaintree fit`.

use clap::Args;
use gaintree::{Pruning, TreeSpec};

use super::growth::GrowthArgs;
use super::parsers::memory;
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
    #[command(flatten)]
    pub growth: GrowthArgs,
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
        let mut spec = self.growth.spec(&self.target, &self.features, &self.run);
        override_spec!(spec, self => subtree_raising);
        match self.pruning {
            Some(PruningChoice::Spec(pruning)) => spec.pruning = pruning,
            Some(PruningChoice::CrossValidated { .. }) => spec.pruning = Pruning::None,
            None if !self.judging.held_out.is_empty() => spec.pruning = Pruning::None,
            None => {}
        }
        spec
    }
}
