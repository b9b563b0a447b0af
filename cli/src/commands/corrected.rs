//! `gaintree corrected-importance` and `gaintree boruta`: what features gain beside permuted copies.

use gaintree::{ForestSpec, boruta, corrected_importance};
use polars::prelude::DataFrame;

use super::run::Run;
use crate::args::{BorutaArgs, CopyArgs, CorrectedArgs};
use crate::output::{Picture, timed};
use crate::process::Result;
use crate::terminal::whole_table;

pub fn run(args: CorrectedArgs) -> Result<()> {
    let spec = args.spec();
    work(&args.copies, spec.forest.clone(), spec.permutations, |df, target, forest| {
        corrected_importance(df, target, &spec.forest(forest))
    })
}

pub fn run_boruta(args: BorutaArgs) -> Result<()> {
    let spec = args.spec();
    work(&args.copies, spec.forest.clone(), spec.runs, |df, target, forest| {
        boruta(df, target, &spec.forest(forest))
    })
}

/// Reads the rows, grows up to `forests` forests, and shows the table.
fn work(
    args: &CopyArgs,
    mut forest: ForestSpec,
    forests: u32,
    table_of: impl FnOnce(&DataFrame, &str, ForestSpec) -> gaintree::Result<DataFrame>,
) -> Result<()> {
    let mut run = Run::start(args.run.report);
    let inputs = run.table(&args.target.table)?;
    let to = run.places.table_or_picture("-o", args.output.as_deref())?;
    let target = args.target.target.as_str();
    forest.tree.monitor = Some(run.progress.monitor());
    let df = run.read_to_learn(inputs, &mut forest.tree, target, &args.target.rows)?;
    let at_most = u64::from(forests) * u64::from(forest.trees);
    run.progress.say(format!("up to {at_most} trees on {} rows", df.height()));
    let table = timed(&mut run.report.grow, || table_of(&df, target, forest));
    let table = df.named(table)?;
    let picture = (Picture::Ranking(&table, "corrected_gain"), args.theme.theme);
    run.show_picture(&table, to.as_ref(), picture, || whole_table(&table))?;
    run.report.print()
}
