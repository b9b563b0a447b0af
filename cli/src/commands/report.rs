//! `gaintree report`: one page on a model and the rows of files.

use std::path::Path;

use clap::Args;
use gaintree::{Model, ModelColumns, Tree};
use polars::prelude::DataFrame;

use super::explain::row_of;
use super::run::{Run, out_of_bag_forest};
use crate::args::shared::{ModelArgs, RowArgs, ThreadsArg};
use crate::args::show::Form;
use crate::input::{Input, Rows};
use crate::output::{Picture, ReportPage, check_pictures};
use crate::process::{Failure, Result};

#[derive(Args)]
#[command(after_help = "\
The page is one file that needs no network. The rows are ranked and scored as they are in INPUT, \
which holds the target.

Example:
  gaintree report iris.tree.json examples/data/iris.parquet -o report.html
  gaintree report fraud.tree.json june.parquet --event yes --row 17 -o june.html
  gaintree report fraud.tree.json test.parquet --beside train.parquet -o fraud.html
  gaintree report fraud.tree.json june.parquet --reference train.parquet -o june.html
  gaintree report new.tree.json test.parquet --against old.tree.json -o new.html
  gaintree report fraud.forest.json train.parquet --out-of-bag -o forest.html")]
pub struct ReportArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// The class that the page is about, as text [default: the rarer of two]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Explain this row, counted from 1 [default: the row of most loss]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub row: Option<u64>,
    /// Judge the tree on these rows too, as those of training, and say how far the columns are
    /// apart: a file, folder or quoted glob
    #[arg(long, value_name = "INPUT")]
    pub beside: Vec<String>,
    /// Say how far the rows, the predictions and the leaves have moved from these rows, which need no
    /// target: a file, folder or quoted glob
    #[arg(long, value_name = "INPUT")]
    pub reference: Vec<String>,
    /// Judge this model of the same target on the same rows
    #[arg(long, value_name = "MODEL")]
    pub against: Option<String>,
    /// Let each tree answer the rows that it did not draw: the input is all rows a forest was fitted on,
    /// in their order
    #[arg(long)]
    pub out_of_bag: bool,
    /// Write the page to this file (.html; - is standard output)
    #[arg(short, long, value_name = "PAGE")]
    pub output: String,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

pub fn run(args: ReportArgs) -> Result<()> {
    check_pictures("report")?;
    let files = &args.files;
    let (mut run, inputs) = Run::on_model(files, None)?;
    let others = run.inputs(&args.beside, &files.csv)?;
    let references = run.inputs(&args.reference, &files.csv)?;
    args.against.iter().for_each(|model| run.places.protect(model.as_ref()));
    let to = run.places.form("-o", &args.output, Form::Html)?;
    let against = args.against.as_deref();
    let against = against.map(|model| Ok::<_, Failure>((Tree::load(model)?, name_of(model))));
    let against = against.transpose()?;
    let other = against.as_ref().map(|(tree, _)| tree);
    let source = source_of(&inputs);
    let model = Model::load(&files.model)?;
    out_of_bag_forest(&model, args.out_of_bag)?;
    if let (Model::Forest(_), true) = (&model, other.is_some() || !others.is_empty()) {
        return Err(Failure::usage(
            "--beside and --against are of a tree, and the model is a forest: leave them out",
        ));
    }
    let df = open(&mut run, &args, &model, inputs, other)?;
    let (mut beside, mut reference) = (None, None);
    if !others.is_empty() {
        let name = source_of(&others);
        beside = Some((open(&mut run, &args, &model, others, None)?.into_frame(), name));
    }
    if !references.is_empty() {
        let name = source_of(&references);
        reference = Some((open_reference(&mut run, &model, references)?, name));
    }
    let row = args.row.map(|number| row_of(&df, number)).transpose()?;
    run.progress.say(format!("reporting on {} rows", df.height()));
    let page = ReportPage {
        model: &model,
        name: name_of(&files.model),
        rows: &df,
        source: &source,
        beside,
        reference,
        against,
        row,
        event: args.event.clone(),
        out_of_bag: args.out_of_bag,
        threads: args.threads.threads,
        monitor: Some(run.progress.monitor()),
    };
    let page = Picture::Report(&page).draw()?;
    run.progress.end();
    to.write_text(&page)
}

/// The rows of files with the columns that a model and another tree know.
fn open(
    run: &mut Run,
    args: &ReportArgs,
    model: &Model,
    inputs: Vec<Input>,
    other: Option<&Tree>,
) -> Result<Rows> {
    let target = model.schema().target.as_str();
    let scan = run.scan_for(model, inputs, &[features(model), vec![target]].concat())?;
    model.check_judged(&scan.empty())?;
    let mut needed = model.judged_columns();
    if let Some(other) = other {
        other.check_judged(&scan.empty())?;
        needed.extend(other.judged_columns());
    }
    // Features the model does not use are ranked too, as far as they are there.
    needed.extend(model.trained_columns().into_iter().filter(|name| scan.has(name)));
    run.read_known(&scan, Some(&needed), target, &args.rows)
}

/// The features of a reference, which needs no target.
fn open_reference(run: &mut Run, model: &Model, inputs: Vec<Input>) -> Result<DataFrame> {
    let features = features(model);
    let scan = run.scan_for(model, inputs, &features)?;
    let mut needed = model.used_columns();
    needed.extend(features.into_iter().filter(|name| scan.has(name)));
    Ok(run.read(&scan, Some(&needed))?.into_frame())
}

fn features(model: &Model) -> Vec<&str> {
    model.schema().features.iter().map(|feature| feature.name.as_str()).collect()
}

fn name_of(model: &str) -> String {
    let name = Path::new(model).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| model.to_string())
}

/// The name of the first file, without its folders, and how many more there are.
fn source_of(inputs: &[Input]) -> String {
    let Some(first) = inputs.first() else { return String::new() };
    let name = first.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| first.name());
    match inputs.len() {
        1 => name,
        2 => format!("{name} and another file"),
        n => format!("{name} and {} other files", n - 1),
    }
}
