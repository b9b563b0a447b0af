//! `gaintree fit`: a tree, as a model file.

use std::path::Path;

use gaintree::{Fit, fit_tree};
use polars::prelude::Schema;

use super::{count, read};
use crate::args::FitArgs;
use crate::failure::{Failure, Result};
use crate::format::Format;
use crate::input::{self, Scan};
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::report::{Report, timed};

pub fn run(args: FitArgs) -> Result<()> {
    let mut report = Report::start(args.run.report);
    let spec = args.spec();
    let inputs = input::resolve(&args.target.input)?;
    let model = Model::resolve(&args.output, &input::paths(None, &inputs))?;
    let importance =
        Destination::resolve(args.importance.as_deref(), &input::paths(None, &inputs))?;
    two_places(&model, importance.as_ref())?;
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
        model.write(&fit)?;
        importance.as_ref().map_or(Ok(()), |to| to.write(&fit.importance))
    })?;
    let tree = &fit.tree;
    let (nodes, leaves, depth) = (tree.n_nodes() as u64, tree.n_leaves() as u64, tree.depth());
    let (n, l) = (count(nodes, "node"), leaves_text(leaves));
    let place = if args.output == "-" { "standard output" } else { &args.output };
    output::note(&format!("{n}, {l}, depth {depth} -> {place}"));
    report.figure("nodes", nodes);
    report.figure("leaves", leaves);
    report.figure("depth", depth);
    report.print()
}

fn leaves_text(n: u64) -> String {
    if n == 1 { "1 leaf".to_string() } else { format!("{n} leaves") }
}

/// Where the model goes.
enum Model<'a> {
    Standard,
    File(&'a Path),
}

impl<'a> Model<'a> {
    fn resolve(out: &'a str, inputs: &[&Path]) -> Result<Model<'a>> {
        if out == "-" {
            return Ok(Model::Standard);
        }
        let path = Path::new(out);
        // Most likely the table of importances was meant, or an input.
        if Format::of(path).is_some_and(|format| format != Format::Json) {
            return Err(Failure::words(format!(
                "output `{out}`: a model is json; name it so, as in `model.json` (--importance \
                 takes the name of a table)"
            )));
        }
        output::check_place(path, inputs)?;
        Ok(Model::File(path))
    }

    fn write(&self, fit: &Fit) -> Result<()> {
        match self {
            Model::Standard => output::print(&fit.tree.to_json()),
            Model::File(path) => Ok(fit.tree.save(path)?),
        }
    }
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
