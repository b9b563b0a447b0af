//! `gaintree score`: a prediction for each row.

use std::collections::HashSet;
use std::path::Path;

use gaintree::Tree;
use polars::prelude::IntoLazy;

use super::{count, open_model, used};
use crate::args::ScoreArgs;
use crate::input::{self, Input, ModelColumns, Scan};
use crate::output::{Output, RunReport, note, timed, write_query};
use crate::process::{Failure, Result};
use crate::terminal::Progress;

pub fn run(args: ScoreArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let keep = args.keep.as_deref();
    check_kept_once(keep.unwrap_or_default())?;
    let files = &args.files;
    let inputs = input::resolve(&files.input)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table(args.output.as_deref(), &taken)?.unwrap_or(Output::Standard);
    let parts = args.partition.as_deref().map(|folder| partition(folder, &inputs, &taken));
    let parts = parts.transpose()?;
    let progress = Progress::start();
    let (tree, scan) =
        timed(&mut report.read, || open_model(&files.model, inputs, ModelColumns::Used))?;
    let spec = args.spec();
    // Columns that are absent, of another dtype or in the way are found without the rows.
    tree.score_lazy(scan.empty().lazy(), &spec)?;

    let needed = needed(&tree, keep);
    let (total, columns) = (scan.rows(), needed.as_ref().map_or(scan.width(), Vec::len));
    let runs: Vec<(Scan, Output)> = match parts {
        None => vec![(scan, to)],
        Some(parts) => scan.split().zip(parts).collect(),
    };
    let (mut rows, mut absent) = (0, 0);
    for (scan, to) in runs {
        let scored = timed(&mut report.score, || {
            scan.with_query(needed.as_deref(), |query| {
                let scored = tree.score_lazy(query, &spec)?;
                let counts = scored.clone();
                let following = progress.follow(total, move || rows + counts.report().rows);
                write_query(&to, scored.frame.clone())?;
                drop(following);
                Ok(scored.report())
            })
        })?;
        rows += scored.rows;
        absent += scored.absent_levels;
    }
    drop(progress);
    note_absent_levels(absent, rows);
    report.size(rows, columns);
    report.figure("absent_levels", absent);
    report.print()
}

/// The columns that are read; none where it is all of them.
fn needed<'a>(tree: &'a Tree, keep: Option<&'a [String]>) -> Option<Vec<&'a str>> {
    let mut needed = used(tree);
    for name in keep? {
        if !needed.contains(&name.as_str()) {
            needed.push(name);
        }
    }
    Some(needed)
}

/// A file for each input, of its name, in a folder.
fn partition(folder: &str, inputs: &[Input], taken: &[&Path]) -> Result<Vec<Output>> {
    let mut names = HashSet::new();
    let part = |input: &Input| {
        let name = input.path.file_name().unwrap_or_default();
        if !names.insert(name.to_os_string()) {
            return Err(Failure::usage(format!(
                "two inputs are named `{}`, and one would take the other's place in `{folder}`: \
                 score them into two folders",
                name.display()
            )));
        }
        let path = Path::new(folder).join(name);
        let to = Output::of_table(path.to_str(), taken)?;
        to.ok_or_else(|| Failure::usage(format!("output `{}` is not UTF-8", path.display())))
    };
    inputs.iter().map(part).collect()
}

fn check_kept_once(keep: &[String]) -> Result<()> {
    match keep.iter().enumerate().find(|(i, name)| keep[..*i].contains(name)) {
        Some((_, name)) => Err(Failure::usage(format!("column `{name}` is to be kept twice"))),
        None => Ok(()),
    }
}

/// Says how many rows had a level that their node never saw, if any did.
pub fn note_absent_levels(absent: u64, rows: u64) {
    if absent > 0 {
        let absent = count(absent, "row");
        note(&format!(
            "{absent} of {rows} met a level that was absent from their node in training"
        ));
    }
}
