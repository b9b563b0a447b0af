//! `gaintree matrix`.

use clap::Args;
use gaintree::{LogBase, MatrixForm, MatrixSpec};

use super::parsers::choice;
use super::shared::{KindArgs, TableArgs, ThemeArg, ThreadsArg, override_spec};

#[derive(Args)]
#[command(after_help = "\
A pair is compared by its symmetric uncertainty, which is 0 where the columns tell nothing about each \
other and 1 where each tells all of the other.

Examples:
  gaintree matrix examples/data/iris.parquet
  gaintree matrix examples/data/weather.csv --form wide -o matrix.csv
  gaintree matrix examples/data/breast_cancer.parquet --redundant-above 0.6")]
pub struct MatrixArgs {
    /// Compare these columns only, and read no others [default: all columns]
    #[arg(long, value_name = "COL,…")]
    pub columns: Option<Vec<String>>,
    /// Leave these columns out
    #[arg(long, value_name = "COL,…")]
    pub exclude: Vec<String>,
    #[command(flatten)]
    pub kinds: KindArgs,
    /// Take an ordered column of more levels than this by so many intervals [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub bins: Option<u32>,
    /// Measure entropies and gains in bits (2) or nats (e) [default: 2]
    #[arg(long, value_name = "BASE", value_parser = choice::<LogBase>())]
    pub log_base: Option<LogBase>,
    /// Write a line for each pair (long), or for each column (wide) [default: long]
    #[arg(long, value_name = "FORM", value_parser = choice::<MatrixForm>())]
    pub form: Option<MatrixForm>,
    /// Write the groups of columns that share at least this much, as 0.9, in place of the pairs
    #[arg(long, value_name = "SHARE", conflicts_with = "form", allow_negative_numbers = true)]
    pub redundant_above: Option<f64>,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output), or a heat map (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

impl MatrixArgs {
    /// The spec, without its columns: words are not yet names.
    pub fn spec(&self) -> MatrixSpec {
        let mut spec = MatrixSpec::default();
        spec.threads = self.threads.get();
        override_spec!(spec, self => bins, log_base, form);
        spec
    }
}
