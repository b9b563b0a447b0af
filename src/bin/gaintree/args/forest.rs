//! `gaintree forest`.

use clap::{ArgAction, Args};
use gaintree::{ForestSpec, MaxFeatures};

use super::growth::GrowthArgs;
use super::parsers::{max_features, seed};
use super::shared::{FeatureArgs, RunArgs, TargetArgs};

#[derive(Args)]
#[command(after_help = "\
The same seed gives the same forest, on any number of threads. Its trees are not pruned. \
`gaintree score` and `gaintree eval` read the model. Training rows are answered out of bag, each by \
the trees that did not draw it, which tells how good the forest is; `gaintree eval --out-of-bag` \
tells more.

Examples:
  gaintree forest examples/data/iris.parquet --target species -o iris.forest.json
  gaintree forest examples/data/wine.parquet --target cultivar --trees 100 --seed 7 \
-o wine.forest.json --importance wine.csv
  gaintree forest examples/data/wine.parquet --target cultivar --max-features 0.5 \
--min-samples-leaf 3 -o wine.forest.json
  gaintree forest examples/data/wine.parquet --target cultivar -o wine.forest.json \
--predictions answers.csv --error-curve curve.csv")]
pub struct ForestArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Grow so many trees
    #[arg(long, value_name = "N", default_value_t = 500, allow_negative_numbers = true)]
    pub trees: u32,
    /// Look at so many features at each node: a number, a share with a point in it as in 0.5, or auto,
    /// the root of their number for classes and a third of it for numbers
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
    #[command(flatten)]
    pub growth: GrowthArgs,
    /// Write the model, which is JSON, to this file (- is standard output)
    #[arg(short, long, value_name = "MODEL")]
    pub output: String,
    /// Write the table of feature importances to this file, or a bar chart (.svg, .png)
    #[arg(long, value_name = "OUT")]
    pub importance: Option<String>,
    /// Whether training rows are answered out of bag
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub out_of_bag: bool,
    /// Write the out-of-bag predictions of the training rows to this file (.parquet, .csv, .ndjson,
    /// .json, .ipc)
    #[arg(long, value_name = "OUT")]
    pub predictions: Option<String>,
    /// Write the out-of-bag error by the number of trees to this file (.parquet, .csv, .ndjson, .json,
    /// .ipc)
    #[arg(long, value_name = "OUT")]
    pub error_curve: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl ForestArgs {
    pub fn spec(&self) -> ForestSpec {
        ForestSpec::new(self.growth.spec(&self.target, &self.features, &self.run))
            .trees(self.trees)
            .max_features(self.max_features)
            .extra(self.extra)
            .bootstrap(self.bootstrap)
            .sample_share(self.sample_share)
            .seed(self.seed)
            .out_of_bag(self.out_of_bag)
    }
}
