//! `gaintree contributions`.

use clap::Args;
use gaintree::ContributionSpec;

use super::shared::{ModelArgs, RunArgs, ThemeArg};

#[derive(Args)]
#[command(after_help = "\
How much each feature contributes to the answers for rows: exact Shapley values. The base value, which \
is the answer where no feature is known, and a row's contributions sum to its prediction. Printed are \
the features by the mean of the absolute contributions; -o writes those of each row, --row N is about \
one row. The target need not be in INPUT.

Examples:
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica -o why.parquet
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica -o why.svg
  gaintree contributions iris.forest.json examples/data/iris.parquet --event virginica --row 71")]
pub struct ContributionsArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    /// Explain the probability of this class [default: the rarer of two]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Explain the answer for this row of the input alone, step by step; the first is 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub row: Option<u64>,
    /// Write the contributions of each row, or the steps of the one, to this file (.parquet, .csv,
    /// .ndjson, .json, .ipc; - is csv on standard output), or a picture of them (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write the features by the mean of their absolute contributions to this file, or a bar chart (.svg,
    /// .png)
    #[arg(long, value_name = "OUT", conflicts_with = "row")]
    pub importance: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub run: RunArgs,
}

impl ContributionsArgs {
    pub fn spec(&self) -> ContributionSpec {
        let mut spec = ContributionSpec::default();
        spec.event = self.event.clone();
        spec.threads = self.run.threads.get();
        spec
    }
}
