//! The arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use gaintree::{
    Algorithm, Budget, Criterion, Cuts, Grouping, LogBase, Missing, Pruning, RankMissing, RankSpec,
    Selection, SortBy, Task, TreeSpec,
};
use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, StrDeserializer};

/// Decision trees on the rows of a query
#[derive(Parser)]
#[command(name = "gaintree-sql", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Train a tree on the query's rows and write its model file
    Fit(FitArgs),
    /// Rank the query's columns by information gain
    Rank(RankArgs),
    /// Write the query's rows with a tree's predictions
    Score(ScoreArgs),
}

/// Where queries run, and on what.
#[derive(Args)]
pub struct SourceArgs {
    /// The scheduler of a Ballista cluster, df://HOST:PORT; without it queries run in this process
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A table: NAME=PATH of a parquet, csv or ndjson file, or of a folder of parquet files; may be
    /// given again. A cluster's executors read the same path
    #[arg(long, value_name = "NAME=PATH", value_parser = table, required = true)]
    pub register: Vec<(String, String)>,
    /// The query whose rows are taken
    #[arg(long, value_name = "SQL")]
    pub query: String,
}

#[derive(Args)]
pub struct RankArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// The column to predict
    #[arg(long, value_name = "COL")]
    pub target: String,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// The unit of entropies
    #[arg(long, value_name = "BASE", value_parser = choice::<LogBase>)]
    pub log_base: Option<LogBase>,
    /// Treat missing values in this way
    #[arg(long, value_name = "HOW", value_parser = choice::<RankMissing>)]
    pub missing: Option<RankMissing>,
    /// Rate ordered features by these cuts
    #[arg(long, value_name = "CUTS", value_parser = choice::<Cuts>)]
    pub cuts: Option<Cuts>,
    /// Sort by this measure
    #[arg(long, value_name = "MEASURE", value_parser = choice::<SortBy>)]
    pub sort_by: Option<SortBy>,
    /// Print all columns; a file has them anyway
    #[arg(long)]
    pub full: bool,
    /// Write the ranking to this file (parquet, csv or ndjson) and print nothing
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct FitArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    /// The column to predict
    #[arg(long, value_name = "COL")]
    pub target: String,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub growth: GrowthArgs,
    /// Memory for counts and gathered rows, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    pub memory: u64,
    /// Bins of a column of many values, at most 256; they change time, never the tree
    #[arg(long, value_name = "N")]
    pub bins: Option<u32>,
    /// Fetch nodes of at most this many rows and grow them here; 0 is none [default: 200000]
    #[arg(long, value_name = "ROWS")]
    pub gathered_rows: Option<u64>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL")]
    pub output: PathBuf,
}

/// How the tree grows; what is left out is as the algorithm has it.
#[derive(Args)]
pub struct GrowthArgs {
    /// Start from this family's choices: cart, c45 or id3
    #[arg(long, value_name = "NAME", value_parser = choice::<Algorithm>, default_value = "cart")]
    pub algorithm: Algorithm,
    /// Rate splits by this impurity
    #[arg(long, value_name = "NAME", value_parser = choice::<Criterion>)]
    pub criterion: Option<Criterion>,
    /// Choose among the columns' best splits in this way
    #[arg(long, value_name = "HOW", value_parser = choice::<Selection>)]
    pub selection: Option<Selection>,
    /// Split nominal features in this way
    #[arg(long, value_name = "HOW", value_parser = choice::<Grouping>)]
    pub grouping: Option<Grouping>,
    /// Under grouping subset: split a nominal feature of more levels one against the rest
    #[arg(long, value_name = "N")]
    pub max_subset_levels: Option<u32>,
    /// Treat missing values in this way
    #[arg(long, value_name = "HOW", value_parser = choice::<Missing>)]
    pub missing: Option<Missing>,
    /// Grow no deeper than this; the root is at 0
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Grow best-first to at most this many leaves
    #[arg(long, value_name = "N")]
    pub max_leaves: Option<u32>,
    /// Leave a node of fewer rows a leaf
    #[arg(long, value_name = "N")]
    pub min_samples_split: Option<u64>,
    /// Give every branch at least this many rows
    #[arg(long, value_name = "N")]
    pub min_samples_leaf: Option<u64>,
    /// Give every branch at least this weight
    #[arg(long, value_name = "W")]
    pub min_weight_leaf: Option<f64>,
    /// Split only for at least this gain
    #[arg(long, value_name = "GAIN")]
    pub min_gain: Option<f64>,
    /// Whether a split may gain exactly 0
    #[arg(long, value_name = "BOOL")]
    pub zero_gain_splits: Option<bool>,
    /// Prune pessimistically at this confidence; 1 prunes nothing
    #[arg(long, value_name = "CONFIDENCE")]
    pub pessimistic: Option<f64>,
    /// Whether pessimistic pruning may put a branch in its node's place
    #[arg(long, value_name = "BOOL")]
    pub subtree_raising: Option<bool>,
}

/// Columns and their roles.
#[derive(Args)]
pub struct ColumnArgs {
    /// The features [default: every column but target and weight]
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub features: Option<Vec<String>>,
    /// Columns that are no features
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub exclude: Vec<String>,
    /// Features taken as ordered
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub ordered: Vec<String>,
    /// Features taken as nominal
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub nominal: Vec<String>,
    /// The column of row weights
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,
    /// The kind of target: auto, classify or regress
    #[arg(long, value_name = "TASK", value_parser = choice::<Task>)]
    pub task: Option<Task>,
}

#[derive(Args)]
pub struct ScoreArgs {
    /// The model file
    pub model: PathBuf,
    #[command(flatten)]
    pub source: SourceArgs,
    /// Add the probability of each class
    #[arg(long)]
    pub probability: bool,
    /// The folder of parquet files to write; a cluster's executors write it
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
}

impl FitArgs {
    pub fn spec(&self) -> TreeSpec {
        let (columns, growth) = (&self.columns, &self.growth);
        let mut spec = match growth.algorithm {
            Algorithm::Cart => TreeSpec::cart(),
            Algorithm::C45 => TreeSpec::c45(),
            Algorithm::Id3 => TreeSpec::id3(),
        };
        spec.features.clone_from(&columns.features);
        spec.exclude.clone_from(&columns.exclude);
        spec.ordered.clone_from(&columns.ordered);
        spec.nominal.clone_from(&columns.nominal);
        spec.weight.clone_from(&columns.weight);
        spec.task = columns.task.unwrap_or(spec.task);
        spec.criterion = growth.criterion.unwrap_or(spec.criterion);
        spec.selection = growth.selection.unwrap_or(spec.selection);
        spec.grouping = growth.grouping.unwrap_or(spec.grouping);
        spec.missing = growth.missing.unwrap_or(spec.missing);
        spec.max_subset_levels = growth.max_subset_levels;
        spec.max_depth = growth.max_depth;
        spec.max_leaves = growth.max_leaves;
        spec.min_samples_split = growth.min_samples_split.unwrap_or(spec.min_samples_split);
        spec.min_samples_leaf = growth.min_samples_leaf.unwrap_or(spec.min_samples_leaf);
        spec.min_weight_leaf = growth.min_weight_leaf.unwrap_or(spec.min_weight_leaf);
        spec.min_gain = growth.min_gain.unwrap_or(spec.min_gain);
        spec.zero_gain_splits = growth.zero_gain_splits.unwrap_or(spec.zero_gain_splits);
        spec.subtree_raising = growth.subtree_raising.unwrap_or(spec.subtree_raising);
        match growth.pessimistic {
            Some(confidence) if confidence >= 1.0 => spec.pruning = Pruning::None,
            Some(confidence) => spec.pruning = Pruning::Pessimistic { confidence },
            None => (),
        }
        spec
    }

    pub fn budget(&self) -> Budget {
        let mut budget = Budget::of_memory(self.memory << 20);
        budget.bins = self.bins.unwrap_or(budget.bins);
        budget.gathered_rows = self.gathered_rows;
        budget
    }
}

impl RankArgs {
    pub fn spec(&self) -> RankSpec {
        let mut spec = RankSpec::default();
        spec.features.clone_from(&self.columns.features);
        spec.exclude.clone_from(&self.columns.exclude);
        spec.ordered.clone_from(&self.columns.ordered);
        spec.nominal.clone_from(&self.columns.nominal);
        spec.weight.clone_from(&self.columns.weight);
        spec.task = self.columns.task.unwrap_or(spec.task);
        spec.log_base = self.log_base.unwrap_or(spec.log_base);
        spec.missing = self.missing.unwrap_or(spec.missing);
        spec.cuts = self.cuts.unwrap_or(spec.cuts);
        spec.sort_by = self.sort_by.unwrap_or(spec.sort_by);
        spec.full = self.full || self.output.is_some();
        spec
    }
}

fn table(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_string(), path.to_string()))
        }
        _ => Err("a table is NAME=PATH".to_string()),
    }
}

/// A value of an enum of the specs, by the name it has in model files.
fn choice<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let named: StrDeserializer<ValueError> = text.into_deserializer();
    T::deserialize(named).map_err(|error| error.to_string())
}
