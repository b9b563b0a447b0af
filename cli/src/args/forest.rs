//! `gaintree forest`.

use clap::{ArgAction, Args};
use gaintree::{ForestSpec, Task};

use super::draws::DrawArgs;
use super::growth::GrowthArgs;
use super::parsers::quantile;
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
