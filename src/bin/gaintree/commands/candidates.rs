//! `gaintree candidates`: why a node split as it did.

use gaintree::Tree;

use super::{read, show_table, trained};
use crate::args::CandidatesArgs;
use crate::failure::Result;
use crate::input::{self, Needed, Scan, model_dtypes};
use crate::output::Destination;
use crate::progress::Progress;
use crate::report::Report;
use crate::terminal;

pub fn run(args: CandidatesArgs) -> Result<()> {
    let mut report = Report::start(None);
    let inputs = input::resolve(&args.input)?;
    let to =
        Destination::resolve(args.output.as_deref(), &input::paths(Some(&args.model), &inputs))?;
    let progress = Progress::start();
    let tree = Tree::load(&args.model)?;
    let scan = Scan::new(inputs, model_dtypes(&tree, Needed::All))?;
    let df = read(&scan, Some(trained(&tree)), &mut report, &progress)?;
    progress.say(format!("rating {} features", tree.schema().features.len()));
    let candidates = tree.candidates(&df, args.node)?;
    drop(progress);
    show_table(&candidates, to.as_ref(), &mut report, || terminal::whole_table(&candidates))
}
