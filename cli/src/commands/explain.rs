//! `gaintree explain`: why a tree answers what it answers for one row.

use gaintree::{ModelVerbs, ScoreSpec};
use polars::prelude::DataFrame;

use super::{note_written, open_model, read, show_table, used};
use crate::args::ExplainArgs;
use crate::input::{self, ModelColumns};
use crate::output::{Output, RunReport, check_distinct};
use crate::process::{Failure, Result};
use crate::terminal::{Progress, Terminal};

pub fn run(args: ExplainArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table(args.output.as_deref(), &taken)?;
    let changes_to = Output::of_table(args.changes.as_deref(), &taken)?;
    check_distinct(&[("--output", to.as_ref()), ("--changes", changes_to.as_ref())])?;
    let progress = Progress::start();
    let (tree, scan) = open_model(&files.model, inputs, ModelColumns::Used)?;
    // Columns that are absent, or of another dtype, are found without the rows.
    tree.score_with(&scan.empty(), &ScoreSpec::default().keep(Vec::<String>::new()))?;
    // A tree without rules uses no column, and its rows are to be counted all the same.
    let needed = Some(used(&tree)).filter(|used| !used.is_empty());
    let df = read(&scan, needed, &mut report, &progress)?;
    let why = df.named(tree.explain_row(&*df, row_of(&df, args.row)?))?;
    drop(progress);
    if let Some(to) = &changes_to {
        to.write_table(&why.changes)?;
        note_written(&why.changes, to);
    }
    show_table(&why.path, to.as_ref(), &mut report, || {
        let text = why.to_string();
        Terminal::of_standard_output().map_or(text.clone(), |terminal| terminal.cut(&text))
    })
}

/// The index of a row that is counted from 1.
pub(super) fn row_of(df: &DataFrame, number: u64) -> Result<usize> {
    match (df.height(), number.checked_sub(1)) {
        (0, _) => Err(Failure::usage("the input has no rows: there is none to explain")),
        (rows, Some(row)) if row < rows as u64 => Ok(row as usize),
        (rows, _) => Err(Failure::usage(format!(
            "--row is {number}, and the input has {rows} rows: name one of them"
        ))),
    }
}
