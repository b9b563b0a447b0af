//! `gaintree report`: one page on a tree and the rows of files.

use std::path::Path;

use gaintree::Tree;

use super::explain::row_of;
use super::{check_columns, open_model, read, used_and_target, with_target};
use crate::args::ReportArgs;
use crate::input::{self, Input, ModelColumns, Rows};
use crate::output::{Output, Picture, ReportPage, RunReport, TextFormat, check_pictures};
use crate::process::Result;
use crate::terminal::Progress;

pub fn run(args: ReportArgs) -> Result<()> {
    check_pictures("report")?;
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let others = input::resolve(&args.beside, &files.csv)?;
    let mut taken = input::paths(Some(&files.model), &inputs);
    taken.extend(input::paths(args.against.as_deref(), &others));
    let to = Output::of_text(&args.output, &taken, TextFormat::Html)?;
    let progress = Progress::start();
    let against = match &args.against {
        Some(model) => Some((Tree::load(model)?, name_of(model))),
        None => None,
    };
    let other = against.as_ref().map(|(tree, _)| tree);
    let source = source(&inputs);
    let (tree, df) = open(&args, inputs, other, &progress)?;
    let beside = match others.is_empty() {
        true => None,
        false => {
            let name = self::source(&others);
            Some((open(&args, others, None, &progress)?.1.into_frame(), name))
        }
    };
    let row = args.row.map(|number| row_of(&df, number)).transpose()?;
    progress.say(format!("reporting on {} rows", df.height()));
    let page = ReportPage {
        tree: &tree,
        name: name_of(&files.model),
        rows: &df,
        source: &source,
        beside,
        against,
        row,
        args: &args,
    };
    let page = Picture::Report(&page).draw()?;
    drop(progress);
    to.write_text(&page)
}

/// The tree, and the rows of files with the columns that it and another tree know.
fn open(
    args: &ReportArgs,
    inputs: Vec<Input>,
    other: Option<&Tree>,
    progress: &Progress,
) -> Result<(Tree, Rows)> {
    let (tree, scan) = open_model(&args.files.model, inputs, ModelColumns::All)?;
    check_columns(&tree, &scan)?;
    let mut needed = used_and_target(&tree);
    if let Some(other) = other {
        check_columns(other, &scan)?;
        needed.extend(used_and_target(other));
    }
    // Features the tree does not use are ranked too, as far as they are there.
    let unused = tree.schema().features.iter().map(|f| f.name.as_str());
    needed.extend(unused.chain(tree.spec().weight.as_deref()).filter(|name| scan.has(name)));
    let df = read(&scan, Some(needed), &mut RunReport::start(None), progress)?;
    let df = with_target(df, &tree.schema().target, &args.rows)?;
    Ok((tree, df))
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
