//! `gaintree fit`: a tree, as a model file.

use gaintree::{cross_validate_pruning, fit_tree, pruning_note};
use polars::prelude::Schema;

use super::fit_streamed::fit_streamed;
use super::model::{note_model, of_model, write_model};
use super::prune::prune_held_out;
use super::{check_memory, fitted, name_columns, note_memory, read, with_target};
use crate::args::{FitArgs, Ground};
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, check_distinct, note, timed};
use crate::process::{Failure, Result};
use crate::terminal::Progress;

pub fn run(args: FitArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let mut spec = args.spec();
    let cv = args.judging.cross_validation(args.pruning)?;
    check_memory(args.memory, &args.target.rows)?;
    if args.memory.is_some() && cv.is_some() {
        return Err(Failure::usage(
            "--memory reads the rows in batches, and goes with no cv=FOLDS: leave one of them out",
        ));
    }
    let inputs = input::resolve(&args.target.input, &args.target.csv)?;
    let held_out = input::resolve(&args.judging.held_out, &args.target.csv)?;
    let mut taken = input::paths(None, &inputs);
    taken.extend(input::paths(None, &held_out));
    let model = of_model(&args.output, &taken)?;
    let importance = Output::of_table_or_picture(args.importance.as_deref(), &taken)?;
    let scores = Output::of_table(args.judging.scores.as_deref(), &taken)?;
    check_distinct(&[
        ("-o", Some(&model)),
        ("--importance", importance.as_ref()),
        ("--scores", scores.as_ref()),
    ])?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let target = args.target.target.as_str();
    name_columns(&mut spec, &scan, target)?;
    let (mut tree, cv_scores, mut notes) = match (args.memory, &cv) {
        (Some(memory), _) => {
            let fit = fit_streamed(&scan, target, &spec, memory, &mut report, &progress)?;
            (fit.tree, None, fit.notes)
        }
        (None, cv) => {
            let needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
            note_memory(&scan, needed.as_deref());
            let df = read(&scan, needed, &mut report, &progress)?;
            let df = with_target(df, target, &args.target.rows)?;
            progress.say(format!("fitting a tree on {} rows", df.height()));
            match cv {
                // Encoding and growing alternate, fold by fold.
                Some(cv) => {
                    let found = || cross_validate_pruning(&*df, target, &spec, cv);
                    let found = df.named(timed(&mut report.grow, found))?;
                    (found.tree, Some(found.cv), found.notes)
                }
                None => {
                    let fit = df.named(fit_tree(&*df, target, &spec))?;
                    (report.encode, report.grow) = (fit.timing.encode, fit.timing.grow);
                    (fit.tree, None, fit.notes)
                }
            }
        }
    };
    if !held_out.is_empty() {
        let (by, rows) = (args.judging.prune_by.unwrap_or_default(), &args.target.rows);
        let pruned = timed(&mut report.grow, || {
            prune_held_out(&tree, held_out, by, rows, args.memory, &progress)
        })?;
        notes.extend(pruning_note(&tree, &pruned, by));
        tree = pruned;
    }
    drop(progress);
    timed(&mut report.write, || -> Result<()> {
        write_model(&tree, &model)?;
        if let Some(to) = &importance {
            let table = tree.importance()?;
            to.write(&table, (Picture::Ranking(&table, "importance"), Ground::Light))?;
        }
        match (&scores, &cv_scores) {
            (Some(to), Some(table)) => to.write_table(table),
            _ => Ok(()),
        }
    })?;
    notes.iter().for_each(|text| note(text));
    note_model(&tree, &model);
    report.figure("nodes", tree.n_nodes());
    report.figure("leaves", tree.n_leaves());
    report.figure("depth", tree.depth());
    report.print()
}
