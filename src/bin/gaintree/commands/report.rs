//! `gaintree report`: one page on a tree and the rows of files.

use super::{check_columns, open_model, read, used_and_target, with_target};
use crate::args::ReportArgs;
use crate::input::{self, Input, ModelColumns};
use crate::output::{Output, Picture, RunReport, TextFormat, check_pictures};
use crate::process::Result;
use crate::terminal::Progress;

pub fn run(args: ReportArgs) -> Result<()> {
    check_pictures("report")?;
    let files = &args.files;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_text(&args.output, &taken, TextFormat::Html)?;
    let progress = Progress::start();
    let source = source(&inputs);
    let (tree, scan) = open_model(&files.model, inputs, ModelColumns::All)?;
    check_columns(&tree, &scan)?;
    // Features the tree does not use are ranked too, as far as they are there.
    let unused = tree.schema().features.iter().map(|f| f.name.as_str());
    let mut needed = used_and_target(&tree);
    needed.extend(unused.chain(tree.spec().weight.as_deref()).filter(|name| scan.has(name)));
    let df = read(&scan, Some(needed), &mut RunReport::start(None), &progress)?;
    let df = with_target(df, &tree.schema().target, &args.rows)?;
    progress.say(format!("reporting on {} rows", df.height()));
    let page = Picture::Report(&tree, &df, &source).draw()?;
    drop(progress);
    to.write_text(&page)
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
