//! `gaintree report`: one page on a tree and the rows of files.

use std::path::Path;

use gaintree::Tree;

use crate::args::ReportArgs;
use crate::failure::{Failure, Result};
use crate::format::Format;
use crate::input::{self, Needed, Scan, model_dtypes};
use crate::output;
use crate::picture::{self, Picture};
use crate::progress::Progress;
use crate::report::Report;

pub fn run(args: ReportArgs) -> Result<()> {
    picture::possible("report")?;
    let inputs = input::resolve(&args.input)?;
    let to = (args.output != "-").then(|| Path::new(&args.output));
    if let Some(path) = to {
        if Format::of(path).is_some() {
            return Err(Failure::words(format!(
                "output `{}`: a report is a page; name it so, as in report.html",
                path.display()
            )));
        }
        output::check_place(path, &input::paths(Some(&args.model), &inputs))?;
    }
    let progress = Progress::start();
    let tree = Tree::load(&args.model)?;
    let scan = Scan::new(inputs, model_dtypes(&tree, Needed::All))?;
    super::check_columns(&tree, &scan)?;
    // Of the features the tree does not use, those that are there are ranked too.
    let schema = tree.schema();
    let features = schema.features.iter().map(|f| f.name.as_str());
    let unused = features.filter(|name| scan.has(name));
    let mut needed: Vec<&str> = super::used(&tree);
    needed.push(&schema.target);
    needed.extend(tree.spec().weight.as_deref().filter(|name| scan.has(name)));
    needed.extend(unused);
    let df = super::read(&scan, Some(needed), &mut Report::start(None), &progress)?;
    progress.say(format!("reporting on {} rows", df.height()));
    let page = Picture::Report(&tree, &df).draw()?;
    drop(progress);
    match to {
        Some(path) => output::write_text(path, &page),
        None => output::print(&page),
    }
}
