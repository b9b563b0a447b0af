//! `gaintree curve`: every candidate rule on one feature.

use gaintree::split_candidates;

use super::columns::name_columns;
use super::note_target;
use super::run::Run;
use crate::args::CurveArgs;
use crate::output::Picture;
use crate::process::{Failure, Result};
use crate::terminal::fitted_table;

/// Columns that are not printed: the classes' shares, two a class.
const NOT_PRINTED: &str = "share_";

pub fn run(args: CurveArgs) -> Result<()> {
    let mut run = Run::start(None);
    let mut spec = args.spec();
    let (target, feature) = (args.target.target.as_str(), args.feature.as_str());
    let inputs = run.table(&args.target.table)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref())?;
    let scan = run.scan(inputs)?;
    name_columns(&mut spec, &scan, target)?;
    if let Some(other) = spec.ordered.iter().chain(&spec.nominal).find(|name| *name != feature) {
        return Err(Failure::usage(format!(
            "`{other}` is to be ordered or nominal, but the feature is `{feature}`: name that one"
        )));
    }
    let needed: Vec<&str> = [target, feature].into_iter().chain(spec.weight.as_deref()).collect();
    let df = run.read_known(&scan, Some(&needed), target, &args.target.rows)?;
    run.progress.say(format!("rating the cuts of {feature}"));
    let curve = df.named(split_candidates(&*df, target, feature, &spec))?;
    let picture = Picture::Curve { df: &df, target, feature, spec: &spec };
    run.show_picture(&curve, to.as_ref(), (picture, args.theme.theme), || {
        let names = curve.columns().iter().map(|c| c.name().as_str());
        let printed = names.filter(|name| !name.starts_with(NOT_PRINTED));
        fitted_table(&curve, &printed.collect::<Vec<_>>())
    })?;
    note_target(&df, target, spec.task);
    Ok(())
}
