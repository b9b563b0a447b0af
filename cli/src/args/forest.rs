//! `gaintree forest`, and what a forest draws: arguments of all commands that grow one.

use clap::{ArgAction, Args};
use gaintree::{ForestSpec, MaxFeatures, Task, TreeSpec};

use super::growth::GrowthArgs;
use super::parsers::{max_features, quantile, seed};
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
--predictions answers.csv --error-curve curve.csv
  gaintree forest examples/data/diabetes.parquet --target progression --min-samples-leaf 5 \
-o diabetes.forest.json --predictions answers.csv --quantiles 0.05,0.5,0.95")]
pub struct ForestArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Number of trees
    #[arg(long, value_name = "N", default_value_t = 500, allow_negative_numbers = true)]
    pub trees: u32,
    #[command(flatten)]
    pub draws: DrawArgs,
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
    /// Add quantiles of the target, taken as a number, to the predictions: such as 0.05,0.5,0.95
    #[arg(long, value_name = "Q,…", value_delimiter = ',', value_parser = quantile,
          requires = "predictions", allow_negative_numbers = true)]
    pub quantiles: Vec<f64>,
    /// Write the out-of-bag error by the number of trees to this file (.parquet, .csv, .ndjson, .json,
    /// .ipc), or a picture of it (.svg, .png)
    #[arg(long, value_name = "OUT")]
    pub error_curve: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl ForestArgs {
    pub fn spec(&self) -> ForestSpec {
        let mut tree = self.growth.spec(&self.target, &self.features, &self.run);
        if !self.quantiles.is_empty() && tree.task == Task::Auto {
            tree.task = Task::Regress;
        }
        self.draws.spec(tree, self.trees).out_of_bag(self.out_of_bag)
    }
}

#[derive(Args)]
pub struct DrawArgs {
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
}

impl DrawArgs {
    pub fn spec(&self, tree: TreeSpec, trees: u32) -> ForestSpec {
        ForestSpec::new(tree)
            .trees(trees)
            .max_features(self.max_features)
            .extra(self.extra)
            .bootstrap(self.bootstrap)
            .sample_share(self.sample_share)
            .seed(self.seed)
    }
}
