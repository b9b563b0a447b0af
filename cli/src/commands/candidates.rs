//! `gaintree candidates`: why a node split as it did.

use gaintree::{ModelColumns, Tree};

use super::run::Run;
use crate::args::CandidatesArgs;
use crate::process::Result;
use crate::terminal::whole_table;

pub fn run(args: CandidatesArgs) -> Result<()> {
    let mut run = Run::start(None);
    let inputs = run.rows_of(&args.files)?;
    let to = run.places.table("-o", args.output.as_deref())?;
    let tree = Tree::load(&args.files.model)?;
    let columns = tree.trained_columns();
    let scan = run.scan_for(&tree, inputs, &columns)?;
    let df = run.read_known(&scan, Some(&columns), &tree.schema().target, &args.rows)?;
    run.progress.say(format!("rating {} features", tree.schema().features.len()));
    let candidates = df.named(tree.candidates(&*df, args.node))?;
    run.show(&candidates, to.as_ref(), || whole_table(&candidates))
}
