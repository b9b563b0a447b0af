//! `gaintree explain`: why a tree answers what it answers for one row.

use gaintree::ScoreSpec;

use super::{open_model, read, show_table, used};
use crate::args::ExplainArgs;
use crate::input::{self, ModelColumns};
use crate::output::{Output, RunReport};
use crate::process::{Failure, Result};
use crate::terminal::{Progress, Terminal};

pub fn run(args: ExplainArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table(args.output.as_deref(), &taken)?;
    let progress = Progress::start();
    let (tree, scan) = open_model(&files.model, inputs, ModelColumns::Used)?;
    // Columns that are absent, or of another dtype, are found without the rows.
    tree.score_with(&scan.empty(), &ScoreSpec::default().keep(Vec::<String>::new()))?;
    // A tree without rules uses no column, and its rows are to be counted all the same.
    let needed = Some(used(&tree)).filter(|used| !used.is_empty());
    let df = read(&scan, needed, &mut report, &progress)?;
    let rows = df.height();
    let Some(row) = args.row.checked_sub(1).filter(|&row| row < rows as u64) else {
        drop(progress);
        return Err(Failure::usage(match rows {
            0 => "the input has no rows: there is none to explain".to_string(),
            _ => format!("--row is {}, and the input has {rows} rows: name one of them", args.row),
        }));
    };
    let why = df.named(tree.explain_row(&df, row as usize))?;
    drop(progress);
    show_table(&why.path, to.as_ref(), &mut report, || {
        let text = why.to_string();
        Terminal::of_standard_output().map_or(text.clone(), |terminal| terminal.cut(&text))
    })
}
