//! The arguments. Every field of a spec is a flag of its name.

mod completions;
mod contributions;
mod corrected;
mod drift;
mod fit;
mod forest;
mod growth;
mod importance;
mod inspect;
mod matrix;
mod parsers;
mod pruning;
mod rank;
mod refused;
mod score;
mod select;
mod shared;
mod show;
mod woe;

pub use completions::CompletionsArgs;
pub use contributions::ContributionsArgs;
pub use corrected::{BorutaArgs, CopyArgs, CorrectedArgs};
pub use drift::DriftArgs;
pub use fit::FitArgs;
pub use forest::ForestArgs;
pub use importance::ImportanceArgs;
pub use inspect::{CandidatesArgs, CurveArgs, CutsArgs, ExplainArgs, ReportArgs};
pub use matrix::MatrixArgs;
pub use pruning::{PruneArgs, PruningChoice};
pub use rank::RankArgs;
pub use refused::refused;
pub use score::{EvalArgs, ScoreArgs};
pub use select::SelectArgs;
pub use shared::{CsvArgs, Ground, ModelArgs, ReportFormat, RowArgs, TableArgs};
pub use show::{Form, ShowArgs};
pub use woe::WoeArgs;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use shared::bounded;

const ABOUT: &str = "\
Which columns tell the classes apart, by how much, and at which cut? And what tree follows?

INPUT is a parquet, csv, ndjson or ipc file, a folder or a quoted glob of them ('2024-*.csv'). \
Results go to standard output or to the file named; the ending of its name picks the format. \
Exit code: 0 done, 1 the work failed, 2 the words were wrong, 3 drift above --fail-above.";

const EXAMPLES: &str = "\
Examples, with the data in examples/data:
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

#[derive(Subcommand)]
pub enum Command {
    /// Rank features by what they tell about the target
    Rank(RankArgs),
    /// Say how much columns tell about each other, pair by pair
    Matrix(MatrixArgs),
    /// Select features one after the other, each beside those before it
    Select(SelectArgs),
    /// Say which features tell more than noise, by the Boruta algorithm
    Boruta(BorutaArgs),
    /// Say what features gain in forests more than permuted copies of them
    CorrectedImportance(CorrectedArgs),
    /// Fit a tree and write it as a model file
    Fit(FitArgs),
    /// Fit a forest, many trees on draws of rows and features, and write it as a model file
    Forest(ForestArgs),
    /// Add the predictions of a tree, or of a forest, to the rows of files
    Score(ScoreArgs),
    /// Say how good a model's predictions are on files that hold the target
    Eval(EvalArgs),
    /// Say how much worse a model answers where a feature's values are permuted
    Importance(ImportanceArgs),
    /// Say how much each feature contributes to a model's answers, row by row
    Contributions(ContributionsArgs),
    /// Show a tree as text, rules, nodes, json, SQL, or a picture
    Show(ShowArgs),
    /// Prune a fitted tree, or list the subtrees to choose from
    Prune(PruneArgs),
    /// List every cut, or level, of one feature with its gain
    Curve(CurveArgs),
    /// List the cuts of each ordered feature that pay for themselves
    Cuts(CutsArgs),
    /// Bin features for a target of two classes, by weight of evidence
    Woe(WoeArgs),
    /// Compare the columns of two files: what has moved, and where
    Drift(DriftArgs),
    /// Say why a node split as it did: every feature's best candidate there
    Candidates(CandidatesArgs),
    /// Say why a tree answers what it answers for one row, and what would change that
    Explain(ExplainArgs),
    /// Write one page on a model and the rows of files: ranking, tree, quality, rules, data
    Report(ReportArgs),
    /// Print what makes a shell complete commands and flags
    Completions(CompletionsArgs),
}

impl Cli {
    /// The command that the words name, and the threads it asks for.
    pub fn read() -> Result<(Command, Option<usize>), clap::Error> {
        let matches = Cli::command().try_get_matches()?;
        let cli = Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut Cli::command()))?;
        let flags = matches.subcommand().map(|(_, flags)| flags);
        // Some commands have no such flag.
        let threads = flags.and_then(|flags| flags.try_get_one("threads").ok().flatten().copied());
        Ok((cli.command, threads.map(bounded)))
    }
}
