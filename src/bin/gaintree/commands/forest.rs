//! `gaintree forest`: many trees, as a model file.

use gaintree::fit_forest;
use polars::prelude::Schema;

use super::model::{note_forest, of_model, write_forest};
use super::{fitted, name_columns, note_memory, read, with_target};
use crate::args::{ForestArgs, Ground};
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, check_distinct, note, timed};
use crate::process::Result;
use crate::terminal::Progress;

pub fn run(args: ForestArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.target.input, &args.target.csv)?;
    let taken = input::paths(None, &inputs);
    let model = of_model(&args.output, &taken)?;
    let importance = Output::of_table_or_picture(args.importance.as_deref(), &taken)?;
    check_distinct(&[("-o", Some(&model)), ("--importance", importance.as_ref())])?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let (target, tree) = (args.target.target.as_str(), &mut spec.tree);
    name_columns(tree, &scan, target)?;
    let needed = fitted(target, tree.features.as_deref(), tree.weight.as_deref());
    note_memory(&scan, needed.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("fitting a forest on {} rows", df.height()));
    let fit = df.named(fit_forest(&df, target, &spec))?;
    (report.encode, report.grow) = (fit.timing.encode, fit.timing.grow);
    drop(progress);
    timed(&mut report.write, || -> Result<()> {
        write_forest(&fit.forest, &model)?;
        match &importance {
            Some(to) => {
                let table = &fit.importance;
                to.write(table, (Picture::Ranking(table, "importance"), Ground::Light))
            }
            None => Ok(()),
        }
    })?;
    fit.notes.iter().for_each(|text| note(text));
    note_forest(&fit.forest, &model);
    report.figure("trees", fit.forest.n_trees());
    report.figure("nodes", fit.forest.n_nodes());
    report.figure("leaves", fit.forest.n_leaves());
    report.figure("depth", fit.forest.depth());
    report.print()
}
