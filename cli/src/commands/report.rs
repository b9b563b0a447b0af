//! `gaintree report`: one page on a model and the rows of files.

use std::path::Path;

use gaintree::{Model, Tree};
use polars::prelude::DataFrame;

use super::explain::row_of;
use super::out_of_bag::out_of_bag_forest;
use super::{check_columns, open_scan, read, used, used_and_target, with_target};
use crate::args::ReportArgs;
use crate::input::{self, Input, ModelColumns, Rows};
use crate::output::{Output, Picture, ReportPage, RunReport, TextFormat, check_pictures};
use crate::process::{Failure, Result};
use crate::terminal::Progress;

pub fn run(args: ReportArgs) -> Result<()> {
    check_pictures("report")?;
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let others = input::resolve(&args.beside, &files.csv)?;
    let mut taken = input::paths(Some(&files.model), &inputs);
    taken.extend(input::paths(args.against.as_deref(), &others));
    let references = input::resolve(&args.reference, &files.csv)?;
    taken.extend(input::paths(None, &references));
    let to = Output::of_text(&args.output, &taken, TextFormat::Html)?;
    let progress = Progress::start();
    let against = match &args.against {
        Some(model) => Some((Tree::load(model)?, name_of(model))),
        None => None,
    };
    let other = against.as_ref().map(|(tree, _)| tree);
    let source = source(&inputs);
    let model = Model::load(&files.model)?;
    out_of_bag_forest(&model, args.out_of_bag)?;
    if let (Model::Forest(_), true) = (&model, other.is_some() || !others.is_empty()) {
        return Err(Failure::usage(
            "--beside and --against are of a tree, and the model is a forest: leave them out",
        ));
    }
    let df = open(&args, &model, inputs, other, &progress)?;
    let beside = match others.is_empty() {
        true => None,
        false => {
            let name = self::source(&others);
            Some((open(&args, &model, others, None, &progress)?.into_frame(), name))
        }
    };
    let reference = match references.is_empty() {
        true => None,
        false => {
            let name = self::source(&references);
            Some((open_reference(&model, references, &progress)?, name))
        }
    };
    let row = args.row.map(|number| row_of(&df, number)).transpose()?;
    progress.say(format!("reporting on {} rows", df.height()));
    let page = ReportPage {
        model: &model,
        name: name_of(&files.model),
        rows: &df,
        source: &source,
        beside,
        reference,
        against,
        row,
        args: &args,
        monitor: progress.monitor(),
    };
    let page = Picture::Report(&page).draw()?;
    drop(progress);
    to.write_text(&page)
}

/// The rows of files with the columns that a model and another tree know.
fn open(
    args: &ReportArgs,
    model: &Model,
    inputs: Vec<Input>,
    other: Option<&Tree>,
    progress: &Progress,
) -> Result<Rows> {
    let scan = open_scan(model, inputs, ModelColumns::All)?;
    check_columns(model, &scan)?;
    let mut needed = used_and_target(model);
    if let Some(other) = other {
        check_columns(other, &scan)?;
        needed.extend(used_and_target(other));
    }
    // Features the model does not use are ranked too, as far as they are there.
    let unused = model.schema().features.iter().map(|f| f.name.as_str());
    let spec = match model {
        Model::Tree(tree) => tree.spec(),
        Model::Forest(forest) => &forest.spec().tree,
    };
    needed.extend(unused.chain(spec.weight.as_deref()).filter(|name| scan.has(name)));
    let df = read(&scan, Some(needed), &mut RunReport::start(None), progress)?;
    with_target(df, &model.schema().target, &args.rows)
}

/// The features of a reference, which needs no target.
fn open_reference(model: &Model, inputs: Vec<Input>, progress: &Progress) -> Result<DataFrame> {
    let scan = open_scan(model, inputs, ModelColumns::All)?;
    let mut needed = used(model);
    let known = model.schema().features.iter().map(|f| f.name.as_str());
    needed.extend(known.filter(|name| scan.has(name)));
    Ok(read(&scan, Some(needed), &mut RunReport::start(None), progress)?.into_frame())
}

/// The name of a model's file, without its folders.
fn name_of(model: &str) -> String {
    let name = Path::new(model).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| model.to_string())
}

/// The name of the first file, without its folders, and how many more there are.
fn source(inputs: &[Input]) -> String {
    let Some(first) = inputs.first() else { return String::new() };
    let name = first.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| first.name());
    match inputs.len() {
        1 => name,
        2 => format!("{name} and another file"),
        n => format!("{name} and {} other files", n - 1),
    }
}
