//! `gaintree matrix`: how much columns tell about each other.

use gaintree::{gain_matrix, redundant_groups};

use super::columns::names;
use super::run::Run;
use crate::args::MatrixArgs;
use crate::output::{Output, Picture, note};
use crate::process::{Failure, Result};
use crate::terminal::whole_table;

pub fn run(args: MatrixArgs) -> Result<()> {
    let mut run = Run::start(None);
    let inputs = run.table(&args.table)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref())?;
    let picture = to.as_ref().and_then(Output::picture);
    if let (Some(path), Some(_)) = (picture, args.redundant_above) {
        return Err(Failure::usage(format!(
            "output `{}`: a picture is of pairs, and --redundant-above makes groups; leave it out, or \
             write a table",
            path.display()
        )));
    }
    let scan = run.scan(inputs)?;
    let mut spec = args.spec().monitor(run.progress.monitor());
    spec.columns = args.columns.as_ref().map(|words| names(words, &scan));
    spec.exclude = names(&args.exclude, &scan);
    spec.ordered = names(&args.kinds.ordered, &scan);
    spec.nominal = names(&args.kinds.nominal, &scan);
    let needed = spec.columns.as_ref().map(|columns| [&columns[..], &spec.exclude].concat());
    let df = run.read(&scan, needed.as_deref())?;
    run.progress.say(format!("looking at {} rows", df.height()));
    let matrix = df.named(match args.redundant_above {
        Some(threshold) => redundant_groups(&*df, threshold, &spec),
        None => gain_matrix(&*df, &spec),
    })?;
    let picture = (Picture::Matrix(&matrix), args.theme.theme);
    run.show_picture(&matrix, to.as_ref(), picture, || whole_table(&matrix))?;
    if let (Some(threshold), 0) = (args.redundant_above, matrix.height()) {
        note(&format!("no two columns share {threshold} or more"));
    }
    Ok(())
}
