//! `gaintree corrected-importance` and `gaintree boruta`: what features gain beside permuted copies.

use gaintree::{ForestSpec, boruta, corrected_importance};
use polars::prelude::{DataFrame, Schema};

use super::{fitted, name_columns, note_memory, read, show_picture, with_target};
use crate::args::{BorutaArgs, CopyArgs, CorrectedArgs};
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, timed};
use crate::process::Result;
use crate::terminal::{Progress, whole_table};

pub fn run(args: CorrectedArgs) -> Result<()> {
    let spec = args.spec();
    let at_most = u64::from(spec.permutations) * u64::from(spec.forest.trees);
    work(&args.copies, &spec.forest, at_most, |df, target, forest| {
        corrected_importance(df, target, &spec.clone().forest(forest))
    })
}

pub fn run_boruta(args: BorutaArgs) -> Result<()> {
    let spec = args.spec();
    let at_most = u64::from(spec.runs) * u64::from(spec.forest.trees);
    work(&args.copies, &spec.forest, at_most, |df, target, forest| {
        boruta(df, target, &spec.clone().forest(forest))
    })
}

/// Reads the rows, grows the forests and shows the table.
fn work(
    args: &CopyArgs,
    forest: &ForestSpec,
    at_most: u64,
    table_of: impl FnOnce(&DataFrame, &str, ForestSpec) -> gaintree::Result<DataFrame>,
) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let inputs = input::resolve(&args.target.input, &args.target.csv)?;
    let to = Output::of_table_or_picture(args.output.as_deref(), &input::paths(None, &inputs))?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let target = args.target.target.as_str();
    let mut tree = forest.tree.clone().monitor(progress.monitor());
    name_columns(&mut tree, &scan, target)?;
    let needed = fitted(target, tree.features.as_deref(), tree.weight.as_deref());
    note_memory(&scan, needed.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("up to {at_most} trees on {} rows", df.height()));
    let table = timed(&mut report.grow, || table_of(&df, target, forest.clone().tree(tree)));
    let table = df.named(table)?;
    let picture = (Picture::Ranking(&table, "corrected_gain"), args.theme.theme);
    show_picture(&table, to.as_ref(), picture, progress, &mut report, || whole_table(&table))?;
    report.print()
}
