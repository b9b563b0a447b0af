//! `gaintree matrix`: how much columns tell about each other.

use clap::Args;
use gaintree::{LogBase, MatrixForm, MatrixSpec, gain_matrix, redundant_groups};

use super::columns::names;
use super::run::Run;
use crate::args::parsers::choice;
use crate::args::shared::{KindArgs, TableArgs, ThemeArg, ThreadsArg, override_spec, set_spec};
use crate::output::{Output, Picture, note};
use crate::process::{Failure, Result};
use crate::terminal::{names_of, narrowed_table};

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
    /// Divide an ordered column of more than N levels into N intervals [default: 10]
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

/// The columns that a narrow terminal leaves out, in this order.
const LEFT_OUT: [&str; 4] = ["entropy_1", "entropy_2", "info_gain", "n"];

pub fn run(args: MatrixArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.table, None)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    if let (Some(Output::Picture(path, ..)), Some(_)) = (&to, args.redundant_above) {
        return Err(Failure::usage(format!(
            "output `{}`: a picture is of pairs, and --redundant-above makes groups; leave it out, or \
             write a table",
            path.display()
        )));
    }
    let scan = run.scan(inputs)?;
    let mut spec = MatrixSpec::default().monitor(run.progress.monitor());
    set_spec!(spec, args.threads => threads);
    override_spec!(spec, args => bins, log_base, form);
    spec.columns = args.columns.as_ref().map(|words| names(words, &scan));
    spec.exclude = names(&args.exclude, &scan);
    spec.ordered = names(&args.kinds.ordered, &scan);
    spec.nominal = names(&args.kinds.nominal, &scan);
    let needed = spec.columns.as_ref().map(|columns| [&columns[..], &spec.exclude].concat());
    let df = run.read(&scan, needed.as_deref())?;
    run.progress.say(format!("looking at {} rows", df.height()));
    let matrix = df.named(match args.redundant_above {
        Some(threshold) => redundant_groups(&*df, threshold, &spec),
        None => gain_matrix(&*df, &spec),
    })?;
    run.show_picture(&matrix, to.as_ref(), Picture::Matrix(&matrix), || {
        narrowed_table(&matrix, names_of(&matrix), &LEFT_OUT, 24)
    })?;
    if let (Some(threshold), 0) = (args.redundant_above, matrix.height()) {
        note(&format!("no two columns share {threshold} or more"));
    }
    Ok(())
}
