//! What each subcommand does: check, read, work, write, in this order, so that what cannot end
//! well ends before the work.

mod curve;
mod eval;
mod fit;
mod model;
mod prune;
mod rank;
mod report;
mod score;
mod show;

use gaintree::Tree;
use polars::prelude::DataFrame;

use crate::args::Command;
use crate::failure::Result;
use crate::input::Scan;
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::report::{Report, timed};

pub fn run(command: Command) -> Result<()> {
    match command {
        Command::Rank(args) => rank::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Score(args) => score::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Show(args) => show::run(args),
        Command::Prune(args) => prune::run(args),
        Command::Curve(args) => curve::run(args),
        Command::Report(args) => report::run(args),
    }
}

/// Reads what a verb needs: the columns that are named, or all.
///
/// Where a named column is not there, the frame is empty but has all columns, so that the verb
/// can say which one is meant before anything is read.
fn read(
    scan: &Scan,
    needed: Option<Vec<&str>>,
    report: &mut Report,
    progress: &Progress,
) -> Result<DataFrame> {
    let read = if needed.iter().flatten().any(|name| !scan.has(name)) {
        scan.empty()
    } else {
        progress.say(format!("reading {}", scan.describe()));
        timed(&mut report.read, || scan.read(needed.as_deref()))?
    };
    report.frame(&read);
    Ok(read)
}

/// Writes a table where it is to go, or prints what of it is for reading.
fn show_table(
    df: &DataFrame,
    to: Option<&Destination>,
    report: &mut Report,
    readable: impl FnOnce() -> String,
) -> Result<()> {
    timed(&mut report.write, || match to {
        Some(to) => to.write(df),
        None => output::print(&readable()),
    })
}

/// The columns a tree looks at.
fn used(tree: &Tree) -> Vec<&str> {
    let features = &tree.schema().features;
    let used = tree.used_features().into_iter().filter_map(|f| features.get(f as usize));
    used.map(|f| f.name.as_str()).collect()
}

/// "1 node", "2 nodes".
fn count(n: u64, what: &str) -> String {
    format!("{n} {}{}", what, if n == 1 { "" } else { "s" })
}
