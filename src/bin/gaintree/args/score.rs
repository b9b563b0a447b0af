//! `gaintree score`, and `gaintree eval`, which compares the scores with the target.

use clap::Args;
use gaintree::ScoreSpec;

use super::parsers::memory;
use super::shared::{ModelArgs, RowArgs, RunArgs};

#[derive(Args)]
#[command(after_help = "\
Of several inputs the rows are scored in the order of the words; csv and ndjson are read with the \
dtypes the model was fitted on.

Examples:
  gaintree score iris.tree.json examples/data/iris.parquet -o scored.parquet
  gaintree score iris.tree.json examples/data/iris.parquet --keep species --probability --leaf
  gaintree score play.tree.json 'weather-*.csv' --prefix play_ -o scored.csv")]
pub struct ScoreArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    /// Write to this file (.parquet, .csv, .ndjson, .json, .ipc) [default: csv on standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write one file per input, of its name and format, into this folder instead, which is made
    /// where it is not there
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub partition: Option<String>,
    /// Keep these columns of the input, and read no others the tree does not use; --keep= keeps
    /// none [default: all]
    #[arg(long, value_name = "COL,…")]
    pub keep: Option<Vec<String>>,
    /// Add the probability of each class
    #[arg(long)]
    pub probability: bool,
    /// Add the node each row stopped at
    #[arg(long)]
    pub leaf: bool,
    /// Put this before the name of every added column
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub prefix: String,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
#[command(after_help = "\
Without -o it prints the figures, those of each class, how often each class was taken for each, \
and of two classes how far their probabilities can be trusted; with -o it writes the figures.

Example:
  gaintree eval iris.tree.json examples/data/iris.parquet")]
pub struct EvalArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Read the rows in batches, in about this much memory, as 500MB or 2GB; the figures are the
    /// same [default: read all rows into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    /// Write the figures to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl ScoreArgs {
    pub fn spec(&self) -> ScoreSpec {
        let mut spec = ScoreSpec::default();
        spec.probability = self.probability;
        spec.leaf = self.leaf;
        spec.prefix = self.prefix.clone();
        spec.threads = self.run.threads.get();
        spec
    }
}
