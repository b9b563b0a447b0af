//! `gaintree curve`: every candidate rule on one feature.

use gaintree::split_candidates;
use polars::prelude::Schema;

use super::{names, note_target, read, show_picture, with_target};
use crate::args::CurveArgs;
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport};
use crate::process::{Failure, Result};
use crate::terminal::{Progress, fitted_table};

/// Columns that are not printed: the classes' shares, two a class.
const NOT_PRINTED: &str = "share_";

pub fn run(args: CurveArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let mut spec = args.spec();
    let feature = args.feature.as_str();
    let inputs = input::resolve(&args.target.input, &args.target.csv)?;
    let taken = input::paths(None, &inputs);
    let to = Output::of_table_or_picture(args.output.as_deref(), &taken)?;
    let progress = Progress::start();
    let scan = Scan::new(inputs, Schema::default())?;
    spec.ordered = names(&spec.ordered, &scan);
    spec.nominal = names(&spec.nominal, &scan);
    if let Some(other) = spec.ordered.iter().chain(&spec.nominal).find(|name| *name != feature) {
        return Err(Failure::usage(format!(
            "`{other}` is to be ordered or nominal, but the feature is `{feature}`: name that one"
        )));
    }
    let target = args.target.target.as_str();
    let needed = [target, feature].into_iter().chain(spec.weight.as_deref()).collect();
    let df = read(&scan, Some(needed), &mut report, &progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("rating the cuts of {feature}"));
    let curve = df.named(split_candidates(&*df, target, feature, &spec))?;
    let picture = Picture::Curve { df: &df, target, feature, spec: &spec };
    show_picture(&curve, to.as_ref(), (picture, args.theme.theme), progress, &mut report, || {
        let names = curve.columns().iter().map(|c| c.name().as_str());
        let printed = names.filter(|name| !name.starts_with(NOT_PRINTED));
        fitted_table(&curve, &printed.collect::<Vec<_>>())
    })?;
    note_target(&df, target, spec.task);
    Ok(())
}
