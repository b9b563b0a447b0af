//! `gaintree score`: a prediction a row.

use gaintree::{ScoreSpec, Tree};

use super::{count, read, used};
use crate::args::ScoreArgs;
use crate::failure::{Failure, Result};
use crate::input::{self, Needed, Scan, model_dtypes};
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::report::{Report, timed};

pub fn run(args: ScoreArgs) -> Result<()> {
    let mut report = Report::start(args.run.report);
    kept_once(args.keep.as_deref().unwrap_or_default())?;
    let inputs = input::resolve(&args.input)?;
    let to =
        Destination::resolve(args.output.as_deref(), &input::paths(Some(&args.model), &inputs))?
            .unwrap_or(Destination::Standard);
    let progress = Progress::start();
    let (tree, scan) = timed(&mut report.read, || {
        let tree = Tree::load(&args.model)?;
        let scan = Scan::new(inputs, model_dtypes(&tree, Needed::Used))?;
        Ok::<_, Failure>((tree, scan))
    })?;
    let spec = spec(&args);
    // Columns that are absent, of another dtype or in the way are found without the rows.
    tree.score_with(&scan.empty(), &spec)?;

    let needed = args
        .keep
        .as_ref()
        .map(|keep| used(&tree).into_iter().chain(keep.iter().map(String::as_str)).collect());
    let df = read(&scan, needed, &mut report, &progress)?;
    progress.say(format!("scoring {} rows", df.height()));
    let (scored, met) = timed(&mut report.score, || tree.score_with_report(&df, &spec))?;
    drop(df);
    progress.say(format!("writing {} rows", scored.height()));
    timed(&mut report.write, || to.write(&scored))?;
    drop(progress);
    note_absent_levels(met.absent_levels, met.rows);
    report.figure("absent_levels", met.absent_levels);
    report.print()
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
