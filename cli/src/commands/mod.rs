//! The commands, a file for each: its arguments, and what it does. It checks, reads, works and writes in
//! this order, so that errors in the arguments are found before the work.

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
mod refused;
mod report;
mod run;
mod score;
mod screen;
mod select;
mod show;
mod shown_card;
mod shown_model;
mod woe;

pub use refused::refused;

use std::collections::HashSet;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use polars::prelude::DataFrame;

use crate::args::show::ShowArgs;
use crate::process::Result;

const ABOUT: &str = "\
Which columns tell the classes apart, by how much, and at which cut? And what tree follows?

INPUT is a parquet, csv, ndjson or ipc file, a folder or a quoted glob of them ('2024-*.csv'). \
Results go to standard output or to the file named; the ending of its name picks the format. \
Exit code: 0 done, 1 the work failed, 2 the arguments were wrong, 3 drift above --fail-above.";

const EXAMPLES: &str = "\
Examples, with the data in examples/data:
  gaintree screen iris.parquet --target species
  gaintree rank iris.parquet --target species
  gaintree fit iris.parquet --target species -o iris.tree.json
  gaintree forest iris.parquet --target species -o iris.forest.json
  gaintree show iris.tree.json
  gaintree score iris.tree.json iris.parquet -o scored.parquet
  gaintree eval iris.tree.json iris.parquet
  gaintree importance iris.forest.json iris.parquet --out-of-bag
  gaintree contributions iris.forest.json iris.parquet --event virginica
  gaintree boruta iris.parquet --target species
  gaintree curve iris.parquet --target species --feature petal_length_cm
  gaintree cuts iris.parquet --target species
  gaintree woe breast_cancer.parquet --target diagnosis
  gaintree drift january.parquet february.parquet --fail-above 0.25
  gaintree candidates iris.tree.json iris.parquet --node 2
  gaintree explain iris.tree.json iris.parquet --row 71";

/// Exact decision trees and information-gain ranking on columns of parquet, csv and Arrow files
#[derive(Parser)]
#[command(name = "gaintree", version, long_about = ABOUT, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// Each command with what helps about it, its arguments and what runs it.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($args:ty) => $run:path,)*) => {
        #[derive(Subcommand)]
        pub enum Command {
            $($(#[$about])* $name($args),)*
        }

        pub fn run(command: Command) -> Result<()> {
            match command {
                $(Command::$name(args) => $run(args),)*
            }
        }
    };
}

commands! {
    /// Say what each column is: a leak, an id, a twin of another, chance, weak or useful
    Screen(screen::ScreenArgs) => screen::run,
    /// Rank features by what they tell about the target
    Rank(rank::RankArgs) => rank::run,
    /// Say how much columns tell about each other, pair by pair
    Matrix(matrix::MatrixArgs) => matrix::run,
    /// Select features one after the other, each beside those before it
    Select(select::SelectArgs) => select::run,
    /// Say which features tell more than noise, by the Boruta algorithm
    Boruta(corrected::BorutaArgs) => corrected::run_boruta,
    /// Say what features gain in forests more than permuted copies of them
    CorrectedImportance(corrected::CorrectedArgs) => corrected::run,
    /// Fit a tree and write it as a model file
    Fit(fit::FitArgs) => fit::run,
    /// Fit a forest, many trees on draws of rows and features, and write it as a model file
    Forest(forest::ForestArgs) => forest::run,
    /// Add the predictions of a tree, or of a forest, to the rows of files
    Score(score::ScoreArgs) => score::run,
    /// Say how good a model's predictions are on files that hold the target
    Eval(eval::EvalArgs) => eval::run,
    /// Say how much worse a model answers where a feature's values are permuted
    Importance(importance::ImportanceArgs) => importance::run,
    /// Say how much each feature contributes to a model's answers, row by row
    Contributions(contributions::ContributionsArgs) => contributions::run,
    /// Show a tree as text, rules, nodes, json, SQL, or a picture
    Show(ShowArgs) => show::run,
    /// Prune a fitted tree, or list the subtrees to choose from
    Prune(prune::PruneArgs) => prune::run,
    /// List every cut, or level, of one feature with its gain
    Curve(curve::CurveArgs) => curve::run,
    /// List the cuts of each ordered feature that pay for themselves
    Cuts(cuts::CutsArgs) => cuts::run,
    /// Bin features for a target of two classes, by weight of evidence
    Woe(woe::WoeArgs) => woe::run,
    /// Compare the columns of two files: what has moved, and where
    Drift(drift::DriftArgs) => drift::run,
    /// Say why a node split as it did: every feature's best candidate there
    Candidates(candidates::CandidatesArgs) => candidates::run,
    /// Say why a tree answers what it answers for one row, and what would change that
    Explain(explain::ExplainArgs) => explain::run,
    /// Write one page on a model and the rows of files: ranking, tree, quality, rules, data
    Report(report::ReportArgs) => report::run,
    /// Print what makes a shell complete commands and flags
    Completions(completions::CompletionsArgs) => completions::run,
}

impl Cli {
    /// The command that the words name, and the threads it asks for.
    pub fn read() -> Result<(Command, Option<usize>), clap::Error> {
        let matches = Cli::command().try_get_matches()?;
        let cli = Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut Cli::command()))?;
        let flags = matches.subcommand().map(|(_, flags)| flags);
        // Some commands have no such flag.
        let threads = flags.and_then(|flags| flags.try_get_one("threads").ok().flatten().copied());
        Ok((cli.command, threads))
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

/// "1 node", "2 nodes".
fn count(n: u64, what: &str) -> String {
    format!("{n} {}{}", what, if n == 1 { "" } else { "s" })
}
