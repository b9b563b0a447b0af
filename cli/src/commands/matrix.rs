//! `gaintree matrix`: how much columns tell about each other.

use gaintree::{gain_matrix, redundant_groups};
use polars::prelude::Schema;

use super::{names, read, show_picture};
use crate::args::MatrixArgs;
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, note};
use crate::process::{Failure, Result};
use crate::terminal::{Progress, whole_table};

pub fn run(args: MatrixArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let inputs = input::resolve(&args.input, &args.csv)?;
    let to = Output::of_table_or_picture(args.output.as_deref(), &input::paths(None, &inputs))?;
    let picture = to.as_ref().and_then(Output::picture);
    if let (Some(path), Some(_)) = (picture, args.redundant_above) {
        return Err(Failure::usage(format!(
            "output `{}`: a picture is of pairs, and --redundant-above makes groups; leave it out, or \
             write a table",
            path.display()
        )));
    }
    let progress = Progress::start();
    let scan = Scan::new(inputs, Schema::default())?;
    let mut spec = args.spec().monitor(progress.monitor());
    spec.columns = args.columns.as_ref().map(|words| names(words, &scan));
    spec.exclude = names(&args.exclude, &scan);
    spec.ordered = names(&args.ordered, &scan);
    spec.nominal = names(&args.nominal, &scan);
    let needed = spec.columns.iter().flatten().chain(&spec.exclude).map(String::as_str);
    let needed = spec.columns.is_some().then(|| needed.collect());
    let df = read(&scan, needed, &mut report, &progress)?;
    progress.say(format!("looking at {} rows", df.height()));
    let matrix = df.named(match args.redundant_above {
        Some(threshold) => redundant_groups(&*df, threshold, &spec),
        None => gain_matrix(&*df, &spec),
    })?;
    let picture = Picture::Matrix(&matrix);
    show_picture(&matrix, to.as_ref(), (picture, args.theme.theme), progress, &mut report, || {
        whole_table(&matrix)
    })?;
    if let (Some(threshold), 0) = (args.redundant_above, matrix.height()) {
        note(&format!("no two columns share {threshold} or more"));
    }
    Ok(())
}
