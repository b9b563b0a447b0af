//! `gaintree cuts`: the cuts of each ordered feature that pay for themselves.

use std::collections::HashSet;

use gaintree::{FeatureSpec, mdl_cuts_by_feature};
use polars::prelude::all;

use super::columns::{name_columns, names};
use super::note_target;
use super::run::Run;
use crate::args::CutsArgs;
use crate::process::Result;
use crate::terminal::fitted_table;

/// The columns that are printed: thresholds of dates are numbers, for drawing.
const PRINTED: [&str; 5] = ["feature", "cut", "rule", "n", "info_gain"];

pub fn run(args: CutsArgs) -> Result<()> {
    let mut run = Run::start(None);
    let mut spec = args.spec();
    let inputs = run.table(&args.target.table)?;
    let to = run.places.table("-o", args.output.as_deref())?;
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
    note_target(&df, target, spec.task);
    Ok(())
}
