//! `gaintree candidates`: why a node split as it did.

use clap::Args;
use gaintree::{ModelColumns, Tree};

use super::run::Run;
use crate::args::shared::{ModelArgs, RowArgs, ThreadsArg};
use crate::process::Result;
use crate::terminal::whole_table;

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

pub fn run(args: CandidatesArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_model(&args.files, None)?;
    let to = run.places.table("-o", args.output.as_deref())?;
    let tree = Tree::load(&args.files.model)?;
    let columns = tree.trained_columns();
    let scan = run.scan_for(&tree, inputs, &columns)?;
    let df = run.read_known(&scan, Some(&columns), &tree.schema().target, &args.rows)?;
    run.progress.say(format!("rating {} features", tree.schema().features.len()));
    let candidates = df.named(tree.candidates(&*df, args.node))?;
    run.show(&candidates, to.as_ref(), || whole_table(&candidates))
}
