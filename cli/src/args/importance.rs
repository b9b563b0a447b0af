//! `gaintree importance`.

use clap::Args;
use gaintree::{FeatureGroup, PermutationLoss, PermutationSpec};

use super::parsers::{choice, feature_group, seed};
use super::shared::{ModelArgs, RowArgs, RunArgs, ThemeArg, set_spec};

#[derive(Args)]
#[command(after_help = "\
A feature's importance is by how much the loss of the rows rises where its values are permuted among \
them. INPUT holds the target. Rows that training had not seen tell what features do for new rows; \
with --out-of-bag they are the rows a forest was fitted on. Of features that say the same each seems to \
matter little: name them as a group.

Examples:
  gaintree importance iris.tree.json examples/data/iris.parquet
  gaintree importance iris.forest.json examples/data/iris.parquet --out-of-bag
  gaintree importance iris.forest.json examples/data/iris.parquet --loss roc_auc \
--group petal=petal_length_cm,petal_width_cm -o importance.csv")]
pub struct ImportanceArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Let each tree answer the rows that it did not draw: the input is all rows a forest was fitted on,
    /// in their order
    #[arg(long)]
    pub out_of_bag: bool,
    /// Judge classes by this; all but error see probabilities, and so tell of rare classes [default: brier;
    /// numbers are judged by the squared error]
    #[arg(long, value_name = "LOSS", value_parser = choice::<PermutationLoss>())]
    pub loss: Option<PermutationLoss>,
    /// Permute each feature so many times [default: 5, out of bag once for each tree]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub repeats: Option<u32>,
    /// Permute by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0,
        allow_negative_numbers = true)]
    pub seed: u64,
    /// Permute these features together, under a name of their own; may be given several times
    #[arg(long, value_name = "NAME=COL,…", value_parser = feature_group)]
    pub group: Vec<FeatureGroup>,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output), or a bar chart (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub run: RunArgs,
}

impl ImportanceArgs {
    pub fn spec(&self) -> PermutationSpec {
        let mut spec = PermutationSpec::default().seed(self.seed);
        set_spec!(spec, self => loss, repeats);
        spec.groups = self.group.clone();
        spec.threads = self.run.threads.get();
        spec
    }
}
