//! `gaintree explain`: why a tree answers what it answers for one row.

use clap::Args;
use gaintree::{ModelColumns, ModelVerbs, ScoreSpec, Tree};
use polars::prelude::DataFrame;

use super::run::{Run, note_written};
use crate::args::shared::{ModelArgs, ThreadsArg};
use crate::process::{Failure, Result};
use crate::terminal::Terminal;

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

pub fn run(args: ExplainArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_model(&args.files, None)?;
    let to = run.places.table("--output", args.output.as_deref())?;
    let changes_to = run.places.table("--changes", args.changes.as_deref())?;
    let tree = Tree::load(&args.files.model)?;
    let columns = tree.used_columns();
    let scan = run.scan_for(&tree, inputs, &columns)?;
    // Columns that are absent, or of another dtype, are found without the rows.
    tree.score_with(&scan.empty(), &ScoreSpec::default().keep(Vec::<String>::new()))?;
    let df = run.read_used(&scan, &columns)?;
    let why = df.named(tree.explain_row(&*df, row_of(&df, args.row)?))?;
    run.progress.end();
    if let Some(to) = &changes_to {
        to.write_table(&why.changes)?;
        note_written(&why.changes, to);
    }
    run.show(&why.path, to.as_ref(), || {
        let text = why.to_string();
        Terminal::of_standard_output().map_or(text.clone(), |terminal| terminal.cut(&text))
    })
}

pub(super) fn row_of(df: &DataFrame, number: u64) -> Result<usize> {
    match (df.height(), number.checked_sub(1)) {
        (0, _) => Err(Failure::usage("the input has no rows: there is none to explain")),
        (rows, Some(row)) if row < rows as u64 => Ok(row as usize),
        (rows, _) => Err(Failure::usage(format!(
            "--row is {number}, and the input has {rows} rows: name one of them"
        ))),
    }
}
