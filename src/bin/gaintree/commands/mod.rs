//! What each subcommand does: check, read, work, write, in this order, so that what cannot end
//! well ends before the work.

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

use std::path::Path;

use gaintree::{RankSpec, ScoreSpec, Tree};
use polars::prelude::{DataFrame, col};

use crate::args::Command;
use crate::failure::{Failure, Result};
use crate::input::Scan;
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::report::{Report, timed};
use model::Model;

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

/// The features that words name. Of a pattern `^…$`, unless a column has that very name, they
/// are the columns it fits, but for the target and what `spec` makes a weight or a group.
fn features(
    words: Option<&[String]>,
    scan: &Scan,
    target: &str,
    spec: &RankSpec,
) -> Result<Option<Vec<String>>> {
    let Some(words) = words else { return Ok(None) };
    let empty = scan.empty();
    let mut features: Vec<String> = Vec::new();
    for word in words {
        if word.starts_with('^') && word.ends_with('$') && !scan.has(word) {
            let fit = spec.clone().features_by(col(word), empty.schema(), target)?;
            let fit = fit.features.unwrap_or_default();
            let new: Vec<String> = fit.into_iter().filter(|f| !features.contains(f)).collect();
            features.extend(new);
        } else {
            features.push(word.clone());
        }
    }
    Ok(Some(features))
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

/// The columns a tree looks at.
fn used(tree: &Tree) -> Vec<&str> {
    let features = &tree.schema().features;
    let used = tree.used_features().into_iter().filter_map(|f| features.get(f as usize));
    used.map(|f| f.name.as_str()).collect()
}

/// Finds columns that cannot be scored and compared, absent or of another dtype, without the rows.
fn check_columns(tree: &Tree, scan: &Scan) -> Result<()> {
    let none = scan.empty();
    match tree.is_regression() {
        true => {
            drop(tree.score_with(&none, &ScoreSpec::default().keep([&tree.schema().target]))?);
        }
        false => drop(tree.confusion(&none)?),
    }
    Ok(())
}

/// "1 node", "2 nodes".
fn count(n: u64, what: &str) -> String {
    format!("{n} {}{}", what, if n == 1 { "" } else { "s" })
}

/// The model and what is asked for beside it go to different places; of these, `None` is standard
/// output.
fn other_places(model: &Model, beside: &[(&str, Option<Option<&Path>>)]) -> Result<()> {
    let mut named: Vec<(&str, Option<&Path>)> = vec![("-o", model.path())];
    for &(flag, place) in beside {
        let Some(place) = place else { continue };
        let same = |other: &Option<&Path>| match (place, *other) {
            (None, None) => true,
            (Some(a), Some(b)) => output::same_file(a, b),
            _ => false,
        };
        if let Some((other, _)) = named.iter().find(|(_, other)| same(other)) {
            return Err(Failure::words(format!(
                "{other} and {flag} name one place: give one of them another name"
            )));
        }
        named.push((flag, place));
    }
    Ok(())
}
