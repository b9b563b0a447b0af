//! `gaintree curve`, `cuts`, `candidates`, `explain` and `report`, which show how splits and answers come
//! about.

use clap::Args;
use gaintree::RankSpec;

use super::shared::{FeatureArgs, ModelArgs, RowArgs, TargetArgs, ThemeArg, ThreadsArg, set_spec};

#[derive(Args)]
#[command(after_help = "\
An ordered feature has a line for each cut between two values, a nominal one for each level \
against the rest. Without -o some columns are left out for reading; with -o the table is whole, or \
a picture where the name ends in .svg or .png.

Examples:
  gaintree curve examples/data/iris.parquet --target species --feature petal_length_cm
  gaintree curve examples/data/weather.csv --target play --feature outlook -o outlook.csv
  gaintree curve examples/data/iris.parquet --target species --feature petal_length_cm -o petal.svg")]
pub struct CurveArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// The feature to look at
    #[arg(long, value_name = "COL")]
    pub feature: String,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), or a picture (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

#[derive(Args)]
#[command(after_help = "\
A cut pays for itself by the minimum description length (Fayyad & Irani 1993) of the classes. A \
feature that no cut pays for has one line without figures.

Examples:
  gaintree cuts examples/data/iris.parquet --target species
  gaintree cuts examples/data/wine.parquet --target cultivar --features alcohol,hue -o cuts.csv")]
pub struct CutsArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

#[derive(Args)]
#[command(after_help = "\
On the rows the tree was fitted on, the candidate that is chosen is the node's own rule; `gaintree \
show --as nodes` numbers the nodes.

Examples:
  gaintree candidates iris.tree.json examples/data/iris.parquet
  gaintree candidates iris.tree.json examples/data/iris.parquet --node 2 -o why.csv")]
pub struct CandidatesArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Look at this node; the root is 0
    #[arg(long, value_name = "ID", default_value_t = 0, allow_negative_numbers = true)]
    pub node: u32,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

#[derive(Args)]
#[command(after_help = "\
The path is that from the root to the row's leaf, and `change` is what each step adds to the \
probability of the leaf's class, or to the mean. Below it are the leaves of another answer: what \
would have to hold of the row to end there, the fewest features first. The target need not be in \
INPUT.

Examples:
  gaintree explain iris.tree.json examples/data/iris.parquet --row 71
  gaintree explain iris.tree.json examples/data/iris.parquet --row 71 -o path.csv --changes changes.csv")]
pub struct ExplainArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    /// Explain the answer for this row of the input; the first is 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub row: u64,
    /// Write the path to this file as a table (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write what would change the answer to this file as a table
    #[arg(long, value_name = "OUT")]
    pub changes: Option<String>,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

impl CurveArgs {
    pub fn spec(&self) -> RankSpec {
        self.target.rank_spec(&self.threads)
    }
}

impl CutsArgs {
    pub fn spec(&self) -> RankSpec {
        let mut spec = self.target.rank_spec(&self.threads);
        set_spec!(spec, self.features => features, exclude);
        spec
    }
}

#[derive(Args)]
#[command(after_help = "\
The page is one file that needs no network. The rows are ranked and scored as they are in INPUT, \
which holds the target.

Example:
  gaintree report iris.tree.json examples/data/iris.parquet -o report.html
  gaintree report fraud.tree.json june.parquet --event yes --row 17 -o june.html
  gaintree report fraud.tree.json test.parquet --beside train.parquet -o fraud.html
  gaintree report fraud.tree.json june.parquet --reference train.parquet -o june.html
  gaintree report new.tree.json test.parquet --against old.tree.json -o new.html
  gaintree report fraud.forest.json train.parquet --out-of-bag -o forest.html")]
pub struct ReportArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// The class that the page is about, as text [default: the rarer of two]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Explain this row, counted from 1 [default: the row of most loss]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub row: Option<u64>,
    /// Judge the tree on these rows too, as those of training, and say how far the columns are
    /// apart: a file, folder or quoted glob
    #[arg(long, value_name = "INPUT")]
    pub beside: Vec<String>,
    /// Say how far the rows, the predictions and the leaves have moved from these rows, which need no
    /// target: a file, folder or quoted glob
    #[arg(long, value_name = "INPUT")]
    pub reference: Vec<String>,
    /// Judge this model of the same target on the same rows
    #[arg(long, value_name = "MODEL")]
    pub against: Option<String>,
    /// Let each tree answer the rows that it did not draw: the input is all rows a forest was fitted on,
    /// in their order
    #[arg(long)]
    pub out_of_bag: bool,
    /// Write the page to this file (.html; - is standard output)
    #[arg(short, long, value_name = "PAGE")]
    pub output: String,
    #[command(flatten)]
    pub threads: ThreadsArg,
}
