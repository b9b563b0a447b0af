//! What each subcommand does: check, read, work, write, in this order, so that errors in the
//! arguments are found before the work.

mod candidates;
mod code;
mod columns;
mod completions;
mod contributions;
mod corrected;
mod curve;
mod cuts;
mod drift;
mod eval;
mod eval_text;
mod explain;
mod fit;
mod forest;
mod importance;
mod matrix;
mod memory;
mod model;
mod prune;
mod rank;
mod report;
mod run;
mod score;
mod select;
mod show;
mod shown_card;
mod shown_model;
mod woe;

use std::collections::HashSet;

use gaintree::{Task, target_note};
use polars::prelude::DataFrame;

use crate::args::Command;
use crate::output::note;
use crate::process::Result;

pub fn run(command: Command) -> Result<()> {
    match command {
        Command::Rank(args) => rank::run(args),
        Command::Matrix(args) => matrix::run(args),
        Command::Select(args) => select::run(args),
        Command::Boruta(args) => corrected::run_boruta(args),
        Command::CorrectedImportance(args) => corrected::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Forest(args) => forest::run(args),
        Command::Score(args) => score::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Importance(args) => importance::run(args),
        Command::Contributions(args) => contributions::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Show(args) => show::run(args),
        Command::Prune(args) => prune::run(args),
        Command::Curve(args) => curve::run(args),
        Command::Cuts(args) => cuts::run(args),
        Command::Woe(args) => woe::run(args),
        Command::Drift(args) => drift::run(args),
        Command::Candidates(args) => candidates::run(args),
        Command::Report(args) => report::run(args),
        Command::Completions(args) => completions::run(args),
    }
}

fn notes_of_features(ranking: &DataFrame) -> Vec<String> {
    let text = |name: &str| ranking.column(name).ok().and_then(|column| column.str().ok());
    let (Some(features), Some(notes)) = (text("feature"), text("note")) else { return vec![] };
    let mut said = HashSet::new();
    let of_features = features.iter().zip(notes.iter()).filter_map(|(feature, note)| {
        let (feature, note) = (feature?, note?);
        // Of many groups the first that has one.
        said.insert(feature).then(|| format!("{feature}: {note}"))
    });
    of_features.collect()
}

/// Says how a target was taken, where it could be taken in another way.
fn note_target(df: &DataFrame, target: &str, task: Task) {
    if let Some(text) = target_note(df, target, task) {
        note(&text);
    }
}

/// "1 node", "2 nodes".
fn count(n: u64, what: &str) -> String {
    format!("{n} {}{}", what, if n == 1 { "" } else { "s" })
}
