//! `gaintree score`, and `gaintree eval`, which compares the scores with the target.

use clap::Args;
use gaintree::{Bootstrap, EvalSpec, ScoreSpec};

use super::parsers::{memory, seed};
use super::shared::{ModelArgs, RowArgs, RunArgs, override_spec, set_spec};

#[derive(Args)]
#[command(after_help = "\
Of several inputs the rows are scored in the order of the words; csv and ndjson are read with the \
dtypes the model was fitted on. MODEL may be a scorecard, which `gaintree woe --save-card` writes: the \
added column is then score.

Examples:
  gaintree score iris.tree.json examples/data/iris.parquet -o scored.parquet
  gaintree score iris.tree.json examples/data/iris.parquet --keep species --probability --leaf
  gaintree score iris.forest.json examples/data/iris.parquet --probability -o scored.parquet
  gaintree score play.tree.json 'weather-*.csv' --prefix play_ -o scored.csv
  gaintree score loans.card.json next-month.csv --points -o scored.csv")]
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
    /// Keep these columns of the input, or those a pattern ^…$ matches, and read no others that the
    /// model does not use; --keep= keeps none [default: all]
    #[arg(long, value_name = "COL,…")]
    pub keep: Option<Vec<String>>,
    /// Add the probability of each class
    #[arg(long)]
    pub probability: bool,
    /// Add the node each row stopped at, in a tree
    #[arg(long)]
    pub leaf: bool,
    /// Let each tree of a forest vote for one class: probabilities are shares of the votes, not means
    /// of the shares in the leaves
    #[arg(long)]
    pub votes: bool,
    /// Add the points of each feature of a scorecard, as columns <feature>_points
    #[arg(long)]
    pub points: bool,
    /// Put this before the name of every added column
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub prefix: String,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
#[command(after_help = "\
Without -o it prints the figures, those of each class, how often each class was taken for each, \
and of the event how far its probabilities can be trusted and what thresholds on them would do; \
with -o it writes the figures.

Examples:
  gaintree eval iris.tree.json examples/data/iris.parquet
  gaintree eval iris.tree.json examples/data/iris.parquet --event virginica --bootstrap 1000
  gaintree eval churn.tree.json held-out.parquet --false-negative-cost 20 --thresholds costs.csv")]
pub struct EvalArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Read the rows in batches, in about this much memory, as 500MB or 2GB; the figures are the
    /// same [default: read all rows into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    /// Answer each row by the trees that did not draw it: the input is all rows a forest was fitted on,
    /// in their order
    #[arg(long, conflicts_with = "memory")]
    pub out_of_bag: bool,
    /// The class that thresholds and probabilities are about [default: the rarer of two]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Bins of the event's probability, of about as many rows each [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub bins: Option<usize>,
    /// What a row costs that is taken for the event and is not [default: 1]
    #[arg(long, value_name = "COST", allow_negative_numbers = true)]
    pub false_positive_cost: Option<f64>,
    /// What a row of the event costs that is not taken for it [default: 1]
    #[arg(long, value_name = "COST", allow_negative_numbers = true)]
    pub false_negative_cost: Option<f64>,
    /// Draw the rows anew so many times, and print between what the middle of the figures lies
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub bootstrap: Option<u32>,
    /// The share of the draws in that middle
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, requires = "bootstrap")]
    pub confidence: f64,
    /// Draw by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0, requires = "bootstrap",
        allow_negative_numbers = true)]
    pub seed: u64,
    /// Write what every threshold on the event's probability would do to this file (.parquet, .csv,
    /// .ndjson, .json, .ipc)
    #[arg(long, value_name = "OUT")]
    pub thresholds: Option<String>,
    /// Write the figures to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl EvalArgs {
    pub fn spec(&self) -> EvalSpec {
        let mut spec = EvalSpec::default();
        set_spec!(spec, self => event);
        spec.threads = self.run.threads.get();
        override_spec!(spec, self => bins, false_positive_cost, false_negative_cost);
        spec.bootstrap =
            self.bootstrap.map(|n| Bootstrap::new(n).confidence(self.confidence).seed(self.seed));
        spec
    }
}

impl ScoreArgs {
    pub fn spec(&self) -> ScoreSpec {
        let mut spec = ScoreSpec::default();
        set_spec!(spec, self => probability, leaf, votes, points, prefix);
        spec.threads = self.run.threads.get();
        spec
    }
}
