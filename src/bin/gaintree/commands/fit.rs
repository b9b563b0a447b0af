//! `gaintree fit`: a tree, as a model file.

use gaintree::fit_tree;
use polars::prelude::Schema;

use super::model::Model;
use super::read;
use crate::args::FitArgs;
use crate::failure::{Failure, Result};
use crate::input::{self, Scan};
use crate::output::{self, Destination};
use crate::picture::{self, Place};
use crate::progress::Progress;
use crate::report::{Report, timed};

pub fn run(args: FitArgs) -> Result<()> {
    let mut report = Report::start(args.run.report);
    let spec = args.spec();
    let inputs = input::resolve(&args.target.input)?;
    let model = Model::resolve(&args.output, &input::paths(None, &inputs))?;
    let importance = Place::resolve(args.importance.as_deref(), &input::paths(None, &inputs))?;
    two_places(&model, importance.as_ref().and_then(Place::table))?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let target = args.target.target.as_str();
    let needed = spec.features.as_ref().map(|features| {
        let named = [target].into_iter().chain(spec.weight.as_deref());
        named.chain(features.iter().map(String::as_str)).collect()
    });
    let df = read(&scan, needed, &mut report, &progress)?;
    progress.say(format!("fitting a tree on {} rows", df.height()));
    let fit = fit_tree(&df, target, &spec)?;
    (report.encode, report.grow) = (fit.timing.encode, fit.timing.grow);
    drop(progress);
    timed(&mut report.write, || {
        model.write(&fit.tree)?;
        let picture = || picture::ranking(&fit.importance, "importance");
        importance.as_ref().map_or(Ok(()), |to| to.write(&fit.importance, picture))
    })?;
    model.note(&fit.tree);
    report.figure("nodes", fit.tree.n_nodes());
    report.figure("leaves", fit.tree.n_leaves());
    report.figure("depth", fit.tree.depth());
    report.print()
}

/// The model and the importances cannot go to one place.
fn two_places(model: &Model, importance: Option<&Destination>) -> Result<()> {
    let one = match (model, importance) {
        (Model::Standard, Some(Destination::Standard)) => true,
        (Model::File(a), Some(Destination::File(b, _))) => output::same_file(a, b),
        _ => false,
    };
    if one {
        let message = "-o and --importance name one place: give one of them another name";
        return Err(Failure::words(message));
    }
    Ok(())
}
