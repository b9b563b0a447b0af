//! Arguments that several subcommands take.

use clap::{Args, ValueEnum};
use gaintree::{LogBase, RankSpec, Task};

use super::parsers::{choice, separator, thousands, threads};

/// How `--report` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    Json,
}

/// How to run, not what to find.
#[derive(Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// Print rows, seconds and figures in one line, the last on standard output
    #[arg(long, value_name = "FORM")]
    pub report: Option<ReportFormat>,
}

/// The ground of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Ground {
    /// White
    #[default]
    Light,
    /// Nearly black
    Dark,
    /// What the reader's system prefers, where a browser shows the picture; a PNG is light
    Auto,
}

#[derive(Args)]
pub struct ThemeArg {
    /// Draw a picture (.svg, .png) on this ground
    #[arg(long, value_name = "THEME", default_value = "light")]
    pub theme: Ground,
}

#[derive(Args)]
pub struct ThreadsArg {
    /// Use this many threads, for reading files too, but at most 8 per processor [default: one per
    /// processor]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<usize>,
}

/// How csv files are read.
#[derive(Args, Clone, Debug, Default)]
pub struct CsvArgs {
    /// Read csv files with this character between the fields, or `tab` [default: a comma, a tab in
    /// .tsv files]
    #[arg(long, value_name = "CHAR", value_parser = separator)]
    pub separator: Option<u8>,
    /// Take these texts in csv files as missing values, as empty fields are
    #[arg(long, value_name = "TEXT,…", value_delimiter = ',')]
    pub null_values: Vec<String>,
    /// Read numbers in csv files with a comma before the fraction, as in 3,5
    #[arg(long)]
    pub decimal_comma: bool,
    /// Read numbers in csv files with this character between groups of digits, as in 1,234
    #[arg(long, value_name = "CHAR", value_parser = thousands)]
    pub thousands: Option<char>,
}

/// Which rows are used.
#[derive(Args)]
pub struct RowArgs {
    /// Leave out the rows without a target, rather than refuse them
    #[arg(long)]
    pub drop_null_target: bool,
}

/// A model, and rows for it.
#[derive(Args)]
pub struct ModelArgs {
    /// The model file
    pub model: String,
    /// Parquet, csv, ndjson or ipc files, folders or quoted globs of them, or - for standard input
    #[arg(required = true)]
    pub input: Vec<String>,
    #[command(flatten)]
    pub csv: CsvArgs,
}

/// The rows of a table.
#[derive(Args)]
pub struct TableArgs {
    /// A parquet, csv, ndjson or ipc file, a folder or quoted glob of them, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub input: Vec<String>,
    #[command(flatten)]
    pub csv: CsvArgs,
}

/// The kinds of columns, where their dtypes do not say them.
#[derive(Args)]
pub struct KindArgs {
    /// Take these columns as ordered, whatever their dtype
    #[arg(long, value_name = "COL,…")]
    pub ordered: Vec<String>,
    /// Take these columns as nominal, whatever their dtype
    #[arg(long, value_name = "COL,…")]
    pub nominal: Vec<String>,
}

/// What the target is, and which columns may explain it.
#[derive(Args)]
pub struct TargetArgs {
    /// The column to predict
    #[arg(long, value_name = "COL")]
    pub target: String,
    #[command(flatten)]
    pub kinds: KindArgs,
    /// Take the target as classes (classify), as a number (regress), or by its dtype (auto):
    /// integers, text and booleans are classes, floats and decimals are numbers [default: auto]
    #[arg(long, value_name = "TASK", value_parser = choice::<Task>())]
    pub task: Option<Task>,
    /// Weigh rows by this column of non-negative numbers
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,
    /// Measure entropies and gains in bits (2) or nats (e) [default: 2]
    #[arg(long, value_name = "BASE", value_parser = choice::<LogBase>())]
    pub log_base: Option<LogBase>,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub rows: RowArgs,
}

/// The features that are looked at.
#[derive(Args)]
pub struct FeatureArgs {
    /// Look at these features only, and read no other columns; ^…$ is a pattern of names, as in
    /// '^petal_.*$'; a name with a comma in it needs a flag of its own [default: all columns but
    /// target, weight and groups]
    #[arg(long, value_name = "COL,…")]
    pub features: Option<Vec<String>>,
    /// Leave these columns out of the features; ^…$ is a pattern here too
    #[arg(long, value_name = "COL,…")]
    pub exclude: Vec<String>,
    /// Leave out what a table of `gaintree screen -o` says is a leak, an id, a twin, constant or unusable
    #[arg(long, value_name = "SCREEN")]
    pub exclude_from: Option<String>,
}

/// Sets fields of a spec as arguments have them.
macro_rules! set_spec {
    ($spec:ident, $($args:expr => $($field:ident),*);*) => {
        $($($spec.$field = $args.$field.clone();)*)*
    };
}
pub(crate) use set_spec;

/// Sets the fields of a spec whose flags were given.
macro_rules! override_spec {
    ($spec:ident, $($args:expr => $($field:ident),*);*) => {
        $($(if let Some(value) = &$args.$field { $spec.$field = value.clone(); })*)*
    };
}
pub(crate) use override_spec;

impl TargetArgs {
    pub fn rank_spec(&self, threads: &ThreadsArg) -> RankSpec {
        let mut spec = RankSpec::default();
        set_spec!(spec, self.kinds => ordered, nominal; self => weight; threads => threads);
        override_spec!(spec, self => task, log_base);
        spec
    }
}
