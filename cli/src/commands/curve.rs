//! `gaintree curve`: every candidate rule on one feature.

use clap::Args;
use gaintree::{split_candidates, target_note};

use super::columns::name_columns;
use super::run::Run;
use crate::args::shared::{TargetArgs, ThemeArg, ThreadsArg};
use crate::output::{Picture, note_all};
use crate::process::{Failure, Result};
use crate::terminal::fitted_table;

#[derive(Args)]
#[command(after_help = "\
An ordered feature has a line for each cut between two values, a nominal one for each level \
against the rest. Without -o some columns are left out for reading; with -o the table is whole, or \
a picture where the name ends in .svg or .png.

Examples:
  gaintree curve examples/data/iris.parquet --target species --feature petal_length_cm
  gaintree curve examples/data/weather.csv --target play --feature outlook -o outlook.csv
  gaintree curve examples/data/iris.parquet --target species --feature petal_length_cm -o petal.svg")]
pub struct CurveArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// The feature to look at
    #[arg(long, value_name = "COL")]
    pub feature: String,
    /// Write the whole table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on
    /// standard output), or a picture (.svg, .png)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub theme: ThemeArg,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

/// Columns that are not printed: the classes' shares, two a class.
const NOT_PRINTED: &str = "share_";

pub fn run(args: CurveArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.target.table, None)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref(), args.theme.theme)?;
    let mut spec = args.target.rank_spec(&args.threads);
    let (target, feature) = (args.target.target.as_str(), args.feature.as_str());
    let scan = run.scan(inputs)?;
    name_columns(&mut spec, &scan, target)?;
    if let Some(other) = spec.ordered.iter().chain(&spec.nominal).find(|name| *name != feature) {
        return Err(Failure::usage(format!(
            "`{other}` is to be ordered or nominal, but the feature is `{feature}`: name that one"
        )));
    }
    let needed: Vec<&str> = [target, feature].into_iter().chain(spec.weight.as_deref()).collect();
    let df = run.read_known(&scan, Some(&needed), target, &args.target.rows)?;
    run.progress.say(format!("rating the cuts of {feature}"));
    let curve = df.named(split_candidates(&*df, target, feature, &spec))?;
    let picture = Picture::Curve { df: &df, target, feature, spec: &spec };
    run.show_picture(&curve, to.as_ref(), picture, || {
        let names = curve.columns().iter().map(|c| c.name().as_str());
        let printed = names.filter(|name| !name.starts_with(NOT_PRINTED));
        fitted_table(&curve, &printed.collect::<Vec<_>>())
    })?;
    note_all(target_note(&*df, target, spec.task));
    Ok(())
}
