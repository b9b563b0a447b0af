//! `gaintree score`: a prediction a row.

use std::collections::HashSet;
use std::path::Path;

use gaintree::{ScoreSpec, Tree};
use polars::prelude::IntoLazy;

use super::{count, used};
use crate::args::ScoreArgs;
use crate::failure::{Failure, Result};
use crate::input::{self, Input, Needed, Scan, model_dtypes};
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::report::{Report, timed};
use crate::stream;

pub fn run(args: ScoreArgs) -> Result<()> {
    let mut report = Report::start(args.run.report);
    kept_once(args.keep.as_deref().unwrap_or_default())?;
    let inputs = input::resolve(&args.input)?;
    let taken = input::paths(Some(&args.model), &inputs);
    let to = Destination::resolve(args.output.as_deref(), &taken)?.unwrap_or(Destination::Standard);
    let parts = args.partition.as_deref().map(|folder| partition(folder, &inputs, &taken));
    let parts = parts.transpose()?;
    let progress = Progress::start();
    let (tree, scan) = timed(&mut report.read, || {
        let tree = Tree::load(&args.model)?;
        let scan = Scan::new(inputs, model_dtypes(&tree, Needed::Used))?;
        Ok::<_, Failure>((tree, scan))
    })?;
    let spec = spec(&args);
    // Columns that are absent, of another dtype or in the way are found without the rows.
    tree.score_lazy(scan.empty().lazy(), &spec)?;

    let needed = needed(&tree, args.keep.as_deref());
    let (total, columns) = (scan.rows(), needed.as_ref().map_or(scan.width(), Vec::len));
    let runs: Vec<(Scan, Destination)> = match parts {
        None => vec![(scan, to)],
        Some(parts) => scan.apart().into_iter().map(|(_, scan)| scan).zip(parts).collect(),
    };
    let (mut rows, mut absent) = (0, 0);
    for (scan, to) in runs {
        let met = timed(&mut report.score, || {
            scan.with_query(needed.as_deref(), |query| {
                let scored = tree.score_lazy(query, &spec)?;
                let counts = scored.clone();
                let following = progress.follow(total, move || rows + counts.report().rows);
                stream::write(&to, scored.frame.clone())?;
                drop(following);
                Ok(scored.report())
            })
        })?;
        rows += met.rows;
        absent += met.absent_levels;
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

/// A file in a folder for each input, of its name.
fn partition(folder: &str, inputs: &[Input], taken: &[&Path]) -> Result<Vec<Destination>> {
    let mut names = HashSet::new();
    let part = |input: &Input| {
        let name = input.path.file_name().unwrap_or_default();
        if !names.insert(name.to_os_string()) {
            return Err(Failure::words(format!(
                "two inputs are named `{}`, and one would take the other's place in `{folder}`: \
                 score them into two folders",
                name.display()
            )));
        }
        let path = Path::new(folder).join(name);
        let to = Destination::resolve(path.to_str(), taken)?;
        to.ok_or_else(|| Failure::words(format!("output `{}` is not UTF-8", path.display())))
    };
    inputs.iter().map(part).collect()
}

fn kept_once(keep: &[String]) -> Result<()> {
    match keep.iter().enumerate().find(|(i, name)| keep[..*i].contains(name)) {
        Some((_, name)) => Err(Failure::words(format!("column `{name}` is to be kept twice"))),
        None => Ok(()),
    }
}

fn spec(args: &ScoreArgs) -> ScoreSpec {
    let mut spec = ScoreSpec::default();
    spec.probability = args.probability;
    spec.leaf = args.leaf;
    spec.keep = args.keep.clone();
    spec.prefix = args.prefix.clone();
    spec.threads = args.run.threads.map(std::num::NonZeroUsize::get);
    spec
}

/// Says how many rows met a level their node never saw, if any did.
pub(super) fn note_absent_levels(absent: u64, rows: u64) {
    if absent > 0 {
        output::note(&format!(
            "{} of {rows} met a level that was absent from their node in training",
            count(absent, "row")
        ));
    }
}
