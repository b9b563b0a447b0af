//! What each subcommand does: check, read, work, write, in this order, so that errors in the
//! arguments are found before the work.

mod candidates;
mod curve;
mod cuts;
mod eval;
mod fit;
mod model;
mod prune;
mod rank;
mod report;
mod score;
mod show;

use std::collections::HashSet;

use gaintree::{RankSpec, ScoreSpec, Tree};
use polars::prelude::{DataFrame, col};

use crate::args::Command;
use crate::input::{Input, ModelColumns, Scan, model_dtypes};
use crate::output::{Output, Picture, RunReport, print, timed};
use crate::process::Result;
use crate::terminal::Progress;

pub fn run(command: Command) -> Result<()> {
    match command {
        Command::Rank(args) => rank::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Score(args) => score::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Show(args) => show::run(args),
        Command::Prune(args) => prune::run(args),
        Command::Curve(args) => curve::run(args),
        Command::Cuts(args) => cuts::run(args),
        Command::Candidates(args) => candidates::run(args),
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
    report: &mut RunReport,
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

/// The features that arguments name. A pattern `^…$`, unless it is itself the name of a column,
/// stands for the columns it matches, but for the target and the weight and groups of `spec`.
fn features(
    named: Option<&[String]>,
    scan: &Scan,
    target: &str,
    spec: &RankSpec,
) -> Result<Option<Vec<String>>> {
    let Some(named) = named else { return Ok(None) };
    let empty = scan.empty();
    let mut features: Vec<String> = Vec::new();
    for name in named {
        if name.starts_with('^') && name.ends_with('$') && !scan.has(name) {
            let matched = spec.clone().features_by(col(name), empty.schema(), target)?.features;
            let known: HashSet<String> = features.iter().cloned().collect();
            let new = matched.unwrap_or_default().into_iter().filter(|f| !known.contains(f));
            features.extend(new);
        } else {
            features.push(name.clone());
        }
    }
    Ok(Some(features))
}

/// Writes a table where it is to go, or prints it as text.
fn show_table(
    df: &DataFrame,
    to: Option<&Output>,
    report: &mut RunReport,
    text: impl FnOnce() -> String,
) -> Result<()> {
    timed(&mut report.write, || match to {
        Some(to) => to.write_table(df),
        None => print(&text()),
    })
}

/// As [`show_table`], for a table that may be drawn.
fn show_picture(
    df: &DataFrame,
    to: Option<&Output>,
    picture: Picture,
    progress: Progress,
    text: impl FnOnce() -> String,
) -> Result<()> {
    match to {
        Some(to) => to.write(df, picture),
        None => {
            drop(progress);
            print(&text())
        }
    }
}

/// Loads a model, and opens files with the dtypes of its columns.
fn open_model(model: &str, inputs: Vec<Input>, columns: ModelColumns) -> Result<(Tree, Scan)> {
    let tree = Tree::load(model)?;
    let scan = open_scan(&tree, inputs, columns)?;
    Ok((tree, scan))
}

fn open_scan(tree: &Tree, inputs: Vec<Input>, columns: ModelColumns) -> Result<Scan> {
    Scan::new(inputs, model_dtypes(tree, columns))
}

/// The columns that fitting with a spec needs; none where it is all of them.
fn fitted<'a>(
    target: &'a str,
    features: Option<&'a [String]>,
    weight: Option<&'a str>,
) -> Option<Vec<&'a str>> {
    let features = features?.iter().map(String::as_str);
    Some([target].into_iter().chain(weight).chain(features).collect())
}

/// The columns a tree was fitted on.
fn trained(tree: &Tree) -> Vec<&str> {
    let schema = tree.schema();
    let features = schema.features.iter().map(|f| f.name.as_str());
    let weight = tree.spec().weight.as_deref();
    features.chain([schema.target.as_str()]).chain(weight).collect()
}

/// The columns a tree's rules use.
fn used(tree: &Tree) -> Vec<&str> {
    let features = &tree.schema().features;
    let used = tree.used_features().into_iter().filter_map(|f| features.get(f as usize));
    used.map(|f| f.name.as_str()).collect()
}

fn used_and_target(tree: &Tree) -> Vec<&str> {
    let mut columns = used(tree);
    columns.push(&tree.schema().target);
    columns
}

/// Checks, before any row is read, that the columns can be scored and compared with the target.
fn check_columns(tree: &Tree, scan: &Scan) -> Result<()> {
    let none = scan.empty();
    if tree.is_regression() {
        tree.score_with(&none, &ScoreSpec::default().keep([&tree.schema().target]))?;
    } else {
        tree.confusion(&none)?;
    }
    Ok(())
}

/// "1 node", "2 nodes".
fn count(n: u64, what: &str) -> String {
    format!("{n} {}{}", what, if n == 1 { "" } else { "s" })
}
