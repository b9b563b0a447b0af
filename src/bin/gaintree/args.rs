//! The words of the command line. Every field of a spec is a flag of its name.

mod looking;
mod pruning;

pub use looking::{CandidatesArgs, CurveArgs, CutsArgs, ReportArgs};
pub use pruning::{JudgedArgs, PruneArgs, PruningWord};

use std::num::NonZeroUsize;

use clap::{Args, Parser, Subcommand, ValueEnum};
use gaintree::{
    Algorithm, ClassWeights, Criterion, Cuts, Grouping, LogBase, Missing, Pruning, RankMissing,
    RankSpec, Selection, SortBy, Task, TreeSpec,
};

use crate::words::{choice, threads};

const ABOUT: &str = "\
Which columns tell the classes apart, by how much, and at which cut? And what tree follows?

INPUT is a parquet, csv, ndjson or ipc file, or a quoted glob of them ('2024-*.csv'). Results go \
to standard output or to the file named; the ending of its name picks the format. Exit code: \
0 done, 1 the work failed, 2 the words were wrong.";

const EXAMPLES: &str = "\
Examples, with the data in examples/data:
  gaintree rank iris.parquet --target species
  gaintree fit iris.parquet --target species -o iris.tree.json
  gaintree show iris.tree.json
  gaintree score iris.tree.json iris.parquet -o scored.parquet
  gaintree eval iris.tree.json iris.parquet
  gaintree curve iris.parquet --target species --feature petal_length_cm
  gaintree cuts iris.parquet --target species
  gaintree candidates iris.tree.json iris.parquet --node 2";

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
    /// Fit a tree and write it as a model file
    Fit(FitArgs),
    /// Add a tree's predictions to the rows of files
    Score(ScoreArgs),
    /// Say how good a tree's predictions are on files that hold the target
    Eval(EvalArgs),
    /// Show a tree as text, rules, nodes, json, SQL, or a picture
    Show(ShowArgs),
    /// Prune a fitted tree, or list the subtrees to choose from
    Prune(PruneArgs),
    /// List every cut, or level, of one feature with its gain
    Curve(CurveArgs),
    /// List the cuts of each ordered feature that pay for themselves
    Cuts(CutsArgs),
    /// Say why a node split as it did: every feature's best candidate there
    Candidates(CandidatesArgs),
    /// Write one page on a tree and the rows of files: ranking, tree, quality, rules, data
    Report(ReportArgs),
}

impl Command {
    /// The threads asked for.
    pub fn threads(&self) -> Option<NonZeroUsize> {
        match self {
            Command::Rank(args) => args.run.threads,
            Command::Fit(args) => args.run.threads,
            Command::Score(args) => args.run.threads,
            Command::Eval(args) => args.run.threads,
            Command::Prune(args) => args.threads,
            Command::Curve(args) => args.threads,
            Command::Cuts(args) => args.threads,
            Command::Candidates(args) => args.threads,
            Command::Show(_) | Command::Report(_) => None,
        }
    }
}

/// How `--report` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    Json,
}

/// Flags of how to run, not of what to find.
#[derive(Args)]
pub struct RunArgs {
    /// Use this many threads, for reading files too [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print rows, seconds and figures in one line, the last on standard output
    #[arg(long, value_name = "FORM")]
    pub report: Option<ReportForm>,
}

/// What the target is, and which columns may explain it.
#[derive(Args)]
pub struct TargetArgs {
    /// A parquet, csv, ndjson or ipc file, or a quoted glob of them
    #[arg(required = true, value_name = "INPUT")]
    pub input: Vec<String>,
    /// The column to predict
    #[arg(long, value_name = "COL")]
    pub target: String,
    /// Take these columns as ordered, whatever their dtype
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub ordered: Vec<String>,
    /// Take these columns as nominal, whatever their dtype
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub nominal: Vec<String>,
    /// Take the target by its dtype (auto), or as this says
    #[arg(long, value_name = "TASK", value_parser = choice::<Task>())]
    pub task: Option<Task>,
    /// Weigh rows by this column of non-negative numbers
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,
    /// Measure entropies and gains in bits (2) or nats (e) [default: 2]
    #[arg(long, value_name = "BASE", value_parser = choice::<LogBase>())]
    pub log_base: Option<LogBase>,
}

/// The features that are looked at.
#[derive(Args)]
pub struct FeatureArgs {
    /// Look at these features only, and read no other columns; ^…$ is a pattern of names, as in
    /// '^petal_.*$' [default: all columns but target, weight and groups]
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub features: Option<Vec<String>>,
}

#[derive(Args)]
#[command(after_help = "\
Without -o the table on standard output shows the columns that matter most; with -o it has all of \
them (entropies, split info, cuts, thresholds …).

Examples:
  gaintree rank examples/data/weather.csv --target play
  gaintree rank examples/data/breast_cancer.parquet --target diagnosis --sort-by gain_ratio
  gaintree rank examples/data/loan.csv --target approved --by age -o gains.csv
  gaintree rank examples/data/wine.parquet --target cultivar -o wine.svg")]
pub struct RankArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Rank within each group of rows that are equal in these columns
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub by: Vec<String>,
    /// Leave missing values out (known), or take them as a level of their own [default: known]
    #[arg(long, value_name = "HOW", value_parser = choice::<RankMissing>())]
    pub missing: Option<RankMissing>,
    /// Sort by this figure, best first [default: info_gain]
    #[arg(long, value_name = "FIGURE", value_parser = choice::<SortBy>())]
    pub sort_by: Option<SortBy>,
    /// Rate ordered features by this: their best cut, or all cuts that pay (Fayyad & Irani's MDL)
    /// [default: best]
    #[arg(long, value_name = "WHICH", value_parser = choice::<Cuts>())]
    pub cuts: Option<Cuts>,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), or a bar chart (.svg)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
#[command(after_help = "\
A flag overrides what its algorithm would have it be.

Examples:
  gaintree fit examples/data/iris.parquet --target species -o iris.tree.json
  gaintree fit examples/data/weather.csv --target play --algorithm c45 -o play.tree.json
  gaintree fit examples/data/wine.parquet --target cultivar --max-depth 3 -o wine.tree.json \
--importance wine.csv
  gaintree fit examples/data/wine.parquet --target cultivar --prune cv=10 -o wine.tree.json")]
pub struct FitArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Start from this family's choices
    #[arg(long, value_name = "NAME", value_parser = choice::<Algorithm>(), default_value = "cart")]
    pub algorithm: Algorithm,
    /// Rate splits by this impurity [default: gini of cart, else entropy]
    #[arg(long, value_name = "NAME", value_parser = choice::<Criterion>())]
    pub criterion: Option<Criterion>,
    /// Choose among the columns' best splits in this way [default: ratio_above_mean_gain of c45,
    /// else best_score]
    #[arg(long, value_name = "HOW", value_parser = choice::<Selection>())]
    pub selection: Option<Selection>,
    /// Split nominal features in this way [default: subset of cart, else multiway]
    #[arg(long, value_name = "HOW", value_parser = choice::<Grouping>())]
    pub grouping: Option<Grouping>,
    /// Treat missing values in this way [default: fractional of c45, else learn]
    #[arg(long, value_name = "HOW", value_parser = choice::<Missing>())]
    pub missing: Option<Missing>,
    /// Grow no deeper than this; the root is at 0 [default: no limit]
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Grow best-first, by gain times rows, to at most this many leaves [default: no limit]
    #[arg(long, value_name = "N")]
    pub max_leaves: Option<u32>,
    /// Weigh whole classes: equal, balanced, or CLASS=WEIGHT,… [default: equal]
    #[arg(long, value_name = "WEIGHTS", value_parser = class_weights)]
    pub class_weights: Option<ClassWeights>,
    /// Leave a node of fewer rows a leaf [default: 2]
    #[arg(long, value_name = "N")]
    pub min_samples_split: Option<u64>,
    /// Give every branch at least this many rows [default: 2 of c45, else 1]
    #[arg(long, value_name = "N")]
    pub min_samples_leaf: Option<u64>,
    /// Give every branch at least this weight [default: 0]
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub min_weight_leaf: Option<f64>,
    /// Split only for at least this gain [default: 0]
    #[arg(long, value_name = "GAIN", allow_negative_numbers = true)]
    pub min_gain: Option<f64>,
    /// Whether a split may gain exactly 0, as exclusive-or needs [default: true of cart]
    #[arg(long, value_name = "BOOL")]
    pub zero_gain_splits: Option<bool>,
    /// Prune the grown tree: none, alpha=A, leaves=N, pessimistic=CONFIDENCE, or cv=FOLDS
    /// (cross-validated) [default: pessimistic=0.25 of c45, else none]
    #[arg(long, visible_alias = "prune", value_name = "HOW", value_parser = pruning::pruning)]
    pub pruning: Option<PruningWord>,
    #[command(flatten)]
    pub judged: JudgedArgs,
    /// Write the model, which is JSON, to this file (- is standard output)
    #[arg(short, long, value_name = "MODEL")]
    pub output: String,
    /// Write the table of feature importances to this file, or a bar chart (.svg)
    #[arg(long, value_name = "OUT")]
    pub importance: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
#[command(after_help = "\
Of several inputs the rows are scored in the order of the words; csv and ndjson are read with the \
dtypes the model was fitted on.

Examples:
  gaintree score iris.tree.json examples/data/iris.parquet -o scored.parquet
  gaintree score iris.tree.json examples/data/iris.parquet --keep species --probability --leaf
  gaintree score play.tree.json 'weather-*.csv' --prefix play_ -o scored.csv")]
pub struct ScoreArgs {
    /// The model file
    pub model: String,
    /// Parquet, csv, ndjson or ipc files, or quoted globs of them
    #[arg(required = true)]
    pub input: Vec<String>,
    /// Write to this file (.parquet, .csv, .ndjson, .json, .ipc) [default: csv on standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write one file per input, of its name and format, into this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub partition: Option<String>,
    /// Keep these columns of the input, or none where none is named, and read no others the tree
    /// does not use [default: all]
    #[arg(long, value_name = "COL,…", value_delimiter = ',', num_args = 0..=1)]
    pub keep: Option<Vec<String>>,
    /// Add the probability of each class
    #[arg(long)]
    pub probability: bool,
    /// Add the node each row stopped at
    #[arg(long)]
    pub leaf: bool,
    /// Put this before the name of every added column
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub prefix: String,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
#[command(after_help = "\
Without -o it prints the figures, and how often each class was taken for each; with -o it writes \
the figures.

Example:
  gaintree eval iris.tree.json examples/data/iris.parquet")]
pub struct EvalArgs {
    /// The model file
    pub model: String,
    /// Parquet, csv, ndjson or ipc files, or quoted globs of them
    #[arg(required = true)]
    pub input: Vec<String>,
    /// Write the figures to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// How a tree is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Indented, a line a node
    Text,
    /// A line a leaf: the way there and its answer
    Rules,
    /// A line a node, in figures
    Nodes,
    /// The model file
    Json,
    /// An SQL expression of the prediction
    Sql,
    /// A graph for Graphviz
    Dot,
    /// A picture
    Svg,
    /// A page: the picture, and a tree to fold, unfold and search
    Html,
}

/// Whose SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SqlDialect {
    Duckdb,
    Postgresql,
    Sqlite,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  gaintree show iris.tree.json
  gaintree show iris.tree.json --as rules
  gaintree show iris.tree.json --as nodes -o nodes.csv
  gaintree show iris.tree.json --as svg --max-depth 3 -o iris.svg
  gaintree show iris.tree.json --as dot -o iris.dot
  gaintree show iris.tree.json --as sql --dialect postgresql --probability")]
pub struct ShowArgs {
    /// The model file
    pub model: String,
    /// Show the tree in this form
    #[arg(long = "as", value_name = "FORM", default_value = "text")]
    pub form: Form,
    /// Fold what is below this depth, in text, dot, svg and html [default: 20 in text; in svg and
    /// html the 32 leaves and folded subtrees that gain most are shown]
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Write the SQL of this engine [default: duckdb]
    #[arg(long, value_name = "ENGINE")]
    pub dialect: Option<SqlDialect>,
    /// Give an SQL expression of the probability of each class too
    #[arg(long)]
    pub probability: bool,
    /// Write to this file; rules and nodes in the format of its ending (.parquet, .csv, .ndjson,
    /// .json, .ipc; - is csv on standard output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
}

/// Puts the flags that were given over what the spec has.
macro_rules! overrule {
    ($spec:ident, $args:expr => $($field:ident),*) => {
        $(if let Some(value) = $args.$field { $spec.$field = value; })*
    };
}

impl RankArgs {
    pub fn spec(&self) -> RankSpec {
        let mut spec = self.target.rank_spec(self.run.threads);
        spec.features = self.features.features.clone();
        spec.by = self.by.clone();
        overrule!(spec, self => missing, sort_by, cuts);
        spec
    }
}

/// `equal`, `balanced`, or weights by class; a class may hold `=` itself, but no comma.
fn class_weights(text: &str) -> Result<ClassWeights, String> {
    match text {
        "equal" => return Ok(ClassWeights::Equal),
        "balanced" => return Ok(ClassWeights::Balanced),
        _ => {}
    }
    let one = |part: &str| {
        let (class, weight) = part
            .rsplit_once('=')
            .ok_or_else(|| format!("`{part}` is not equal, balanced or CLASS=WEIGHT"))?;
        let weight = weight.parse().map_err(|_| format!("`{weight}` is no number"))?;
        Ok((class.to_string(), weight))
    };
    text.split(',').map(one).collect::<Result<_, String>>().map(ClassWeights::Given)
}

impl TargetArgs {
    fn rank_spec(&self, threads: Option<NonZeroUsize>) -> RankSpec {
        let mut spec = RankSpec::default();
        spec.ordered = self.ordered.clone();
        spec.nominal = self.nominal.clone();
        spec.weight = self.weight.clone();
        spec.threads = threads.map(NonZeroUsize::get);
        overrule!(spec, self => task, log_base);
        spec
    }
}

impl FitArgs {
    pub fn spec(&self) -> TreeSpec {
        let mut spec = match self.algorithm {
            Algorithm::Cart => TreeSpec::cart(),
            Algorithm::C45 => TreeSpec::c45(),
            Algorithm::Id3 => TreeSpec::id3(),
        };
        spec.features = self.features.features.clone();
        spec.ordered = self.target.ordered.clone();
        spec.nominal = self.target.nominal.clone();
        spec.weight = self.target.weight.clone();
        spec.max_depth = self.max_depth;
        spec.max_leaves = self.max_leaves;
        spec.threads = self.run.threads.map(NonZeroUsize::get);
        overrule!(spec, self.target => task, log_base);
        spec.class_weights = self.class_weights.clone().unwrap_or(spec.class_weights);
        overrule!(spec, self => criterion, selection, grouping, missing, min_samples_split,
            min_samples_leaf, min_weight_leaf, min_gain, zero_gain_splits);
        match self.pruning {
            Some(PruningWord::Spec(pruning)) => spec.pruning = pruning,
            Some(PruningWord::CrossValidated { .. }) => spec.pruning = Pruning::None,
            None if !self.judged.held_out.is_empty() => spec.pruning = Pruning::None,
            None => {}
        }
        spec
    }
}
