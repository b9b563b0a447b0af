//! `gaintree cuts`: the cuts of each ordered feature that pay for themselves.

use std::collections::HashSet;

use clap::Args;
use gaintree::{FeatureSpec, mdl_cuts_by_feature, target_note};
use polars::prelude::all;

use super::columns::{name_columns, names};
use super::run::Run;
use crate::args::shared::{FeatureArgs, TargetArgs, ThreadsArg, set_spec};
use crate::output::note_all;
use crate::process::Result;
use crate::terminal::fitted_table;

#[derive(Args)]
#[command(after_help = "\
A cut pays for itself by the minimum description length (Fayyad & Irani 1993) of the classes. A \
feature that no cut pays for has one line without figures.

Examples:
  gaintree cuts examples/data/iris.parquet --target species
  gaintree cuts examples/data/wine.parquet --target cultivar --features alcohol,hue -o cuts.csv")]
pub struct CutsArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Write the table to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

/// The columns that are printed: thresholds of dates are numbers, for drawing.
const PRINTED: [&str; 5] = ["feature", "cut", "rule", "n", "info_gain"];

pub fn run(mut args: CutsArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.target.table, None)?;
    run.add_excluded(&mut args.features, &args.target.table.csv)?;
    let to = run.places.table("-o", args.output.as_deref())?;
    let mut spec = args.target.rank_spec(&args.threads);
    set_spec!(spec, args.features => features, exclude);
    let scan = run.scan(inputs)?;
    let target = args.target.target.as_str();
    let named = names(spec.features.as_deref().unwrap_or_default(), &scan);
    name_columns(&mut spec, &scan, target)?;
    if spec.features.is_some() {
        // Only a column that is named itself has to have cuts.
        let every = spec.clone().ordered_features_by(all(), scan.empty().schema(), target)?;
        let may: HashSet<String> = every.features.into_iter().flatten().chain(named).collect();
        spec.features.iter_mut().for_each(|features| features.retain(|name| may.contains(name)));
    }
    let needed = spec.needed_columns(target);
    let df = run.read_known(&scan, needed.as_deref(), target, &args.target.rows)?;
    run.progress.say(format!("looking for cuts in {} rows", df.height()));
    let cuts = df.named(mdl_cuts_by_feature(&*df, target, &spec))?;
    run.show(&cuts, to.as_ref(), || fitted_table(&cuts, &PRINTED))?;
    note_all(target_note(&*df, target, spec.task));
    Ok(())
}
