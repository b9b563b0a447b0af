//! `gaintree explain`: why a tree answers what it answers for one row.

use gaintree::{ModelColumns, ModelVerbs, ScoreSpec, Tree};
use polars::prelude::DataFrame;

use super::run::{Run, note_written};
use crate::args::ExplainArgs;
use crate::process::{Failure, Result};
use crate::terminal::Terminal;

pub fn run(args: ExplainArgs) -> Result<()> {
    let mut run = Run::start(None);
    let inputs = run.rows_of(&args.files)?;
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
