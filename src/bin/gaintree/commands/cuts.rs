//! `gaintree cuts`: the cuts of each ordered feature that pay for themselves.

use gaintree::mdl_cuts_by_feature;
use polars::prelude::Schema;

use super::{features, fitted, read, show_table};
use crate::args::CutsArgs;
use crate::input::{self, Scan};
use crate::output::{Output, RunReport};
use crate::process::Result;
use crate::terminal::{Progress, whole_table};

pub fn run(args: CutsArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.target.input)?;
    let to = Output::of_table(args.output.as_deref(), &input::paths(None, &inputs))?;
    let progress = Progress::start();
    let scan = Scan::new(inputs, Schema::default())?;
    let target = args.target.target.as_str();
    spec.features = features(spec.features.as_deref(), &scan, target, &spec)?;
    let needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    progress.say(format!("looking for cuts in {} rows", df.height()));
    let cuts = mdl_cuts_by_feature(&df, target, &spec)?;
    drop(progress);
    show_table(&cuts, to.as_ref(), &mut report, || whole_table(&cuts))
}
