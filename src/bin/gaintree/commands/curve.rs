//! `gaintree curve`: every candidate rule on one feature.

use gaintree::split_candidates;
use polars::prelude::Schema;

use super::read;
use crate::args::CurveArgs;
use crate::failure::{Failure, Result};
use crate::input::{self, Scan};
use crate::output;
use crate::picture::{Picture, Place};
use crate::progress::Progress;
use crate::report::Report;
use crate::terminal;

/// What of a curve is for reading: all but the classes' shares, two columns a class.
const LEFT_OUT: &str = "share_";

pub fn run(args: CurveArgs) -> Result<()> {
    let mut report = Report::start(None);
    let spec = args.spec();
    let feature = args.feature.as_str();
    if let Some(other) = spec.ordered.iter().chain(&spec.nominal).find(|name| *name != feature) {
        return Err(Failure::words(format!(
            "`{other}` is to be ordered or nominal, but the feature is `{feature}`: name that one"
        )));
    }
    let inputs = input::resolve(&args.target.input)?;
    let to = Place::resolve(args.output.as_deref(), &input::paths(None, &inputs))?;
    let progress = Progress::start();
    let scan = Scan::new(inputs, Schema::default())?;
    let target = args.target.target.as_str();
    let needed = [target, feature].into_iter().chain(spec.weight.as_deref()).collect();
    let df = read(&scan, Some(needed), &mut report, &progress)?;
    progress.say(format!("rating the cuts of {feature}"));
    let curve = split_candidates(&df, target, feature, &spec)?;
    if let Some(to) = to {
        return to.write(&curve, Picture::Curve { df: &df, target, feature, spec: &spec });
    }
    drop(progress);
    let names = curve.columns().iter().map(|c| c.name().as_str());
    let shown = names.filter(|name| !name.starts_with(LEFT_OUT));
    output::print(&terminal::table(&curve, &shown.collect::<Vec<_>>()))
}
