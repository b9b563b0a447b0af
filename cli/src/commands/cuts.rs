//! `gaintree cuts`: the cuts of each ordered feature that pay for themselves.

use std::collections::HashSet;

use gaintree::mdl_cuts_by_feature;
use polars::prelude::{Schema, all};

use super::{features, fitted, names, note_target, read, show_table, with_target};
use crate::args::CutsArgs;
use crate::input::{self, Scan};
use crate::output::{Output, RunReport};
use crate::process::Result;
use crate::terminal::{Progress, fitted_table};

/// The columns that are printed: thresholds of dates are numbers, for drawing.
const PRINTED: [&str; 5] = ["feature", "cut", "rule", "n", "info_gain"];

pub fn run(args: CutsArgs) -> Result<()> {
    let mut report = RunReport::start(None);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.target.input, &args.target.csv)?;
    let to = Output::of_table(args.output.as_deref(), &input::paths(None, &inputs))?;
    let progress = Progress::start();
    let scan = Scan::new(inputs, Schema::default())?;
    let target = args.target.target.as_str();
    spec.ordered = names(&spec.ordered, &scan);
    spec.nominal = names(&spec.nominal, &scan);
    let reserved = spec.clone();
    let named: HashSet<String> =
        names(spec.features.as_deref().unwrap_or_default(), &scan).into_iter().collect();
    features(&mut spec.features, &mut spec.exclude, &scan, target, &reserved)?;
    if let Some(features) = &mut spec.features {
        // Only a column that is named itself has to have cuts.
        let ordered = reserved.ordered_features_by(all(), scan.empty().schema(), target)?.features;
        let ordered: HashSet<String> = ordered.unwrap_or_default().into_iter().collect();
        features.retain(|name| ordered.contains(name) || named.contains(name));
    }
    let needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("looking for cuts in {} rows", df.height()));
    let cuts = df.named(mdl_cuts_by_feature(&*df, target, &spec))?;
    drop(progress);
    show_table(&cuts, to.as_ref(), &mut report, || fitted_table(&cuts, &PRINTED))?;
    note_target(&df, target, spec.task);
    Ok(())
}
