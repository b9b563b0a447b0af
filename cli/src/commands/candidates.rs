//! `gaintree candidates`: why a node split as it did.

use super::{open_model, read, show_table, trained, with_target};
use crate::args::CandidatesArgs;
use crate::input::{self, ModelColumns};
use crate::output::{Output, RunReport};
use crate::process::Result;
use crate::terminal::{Progress, whole_table};

pub fn run(args: CandidatesArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table(args.output.as_deref(), &taken)?;
    let progress = Progress::start();
    let (tree, scan) = open_model(&files.model, inputs, ModelColumns::All)?;
    let df = read(&scan, Some(trained(&tree)), &mut report, &progress)?;
    let df = with_target(df, &tree.schema().target, &args.rows)?;
    progress.say(format!("rating {} features", tree.schema().features.len()));
    let candidates = df.named(tree.candidates(&*df, args.node))?;
    drop(progress);
    show_table(&candidates, to.as_ref(), &mut report, || whole_table(&candidates))
}
