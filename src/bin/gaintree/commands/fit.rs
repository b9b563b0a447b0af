//! `gaintree fit`: a tree, as a model file.

use gaintree::{RankSpec, Tree, cross_validate_pruning, fit_tree};
use polars::prelude::Schema;

use super::fit_streamed::fit_streamed;
use super::model::{note_model, of_model, write_model};
use super::prune::prune_held_out;
use super::{features, fitted, names, note_memory, read, with_target};
use crate::args::FitArgs;
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, check_distinct, note, timed};
use crate::process::{Failure, Result};
use crate::terminal::Progress;

pub fn run(args: FitArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let mut spec = args.spec();
    let cv = args.judging.cross_validation(args.pruning)?;
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
    let files = input::owned_paths(&inputs);
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let target = args.target.target.as_str();
    let mut reserved = RankSpec::default();
    reserved.weight.clone_from(&spec.weight);
    spec.ordered = names(&spec.ordered, &scan);
    spec.nominal = names(&spec.nominal, &scan);
    features(&mut spec.features, &mut spec.exclude, &scan, target, &reserved)?;
    if let Some(memory) = args.memory {
        if cv.is_some() || args.target.rows.drop_null_target {
            return Err(Failure::usage(
                "--memory reads the rows in batches, and goes with no cv=FOLDS or \
                 --drop-null-target: leave one of them out",
            ));
        }
        let mut tree =
            fit_streamed(&scan, &files, target, &spec, memory, &mut report, &progress)?.tree;
        if !held_out.is_empty() {
            tree = timed(&mut report.grow, || {
                prune_held_out(&tree, held_out, &args.target.rows, Some(memory), &progress)
            })?;
        }
        drop(progress);
        write(&tree, &model, importance.as_ref(), &mut report)?;
        note_model(&tree, &model);
        figures_of(&mut report, &tree);
        return report.print();
    }
    let needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
    note_memory(&scan, needed.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("fitting a tree on {} rows", df.height()));
    let (mut tree, cv_scores, notes) = match &cv {
        // Encoding and growing alternate, fold by fold.
        Some(cv) => {
            let found = || cross_validate_pruning(&df, target, &spec, cv);
            let found = df.named(timed(&mut report.grow, found))?;
            (found.tree, Some(found.cv), found.notes)
        }
        None => {
            let fit = df.named(fit_tree(&df, target, &spec))?;
            (report.encode, report.grow) = (fit.timing.encode, fit.timing.grow);
            (fit.tree, None, fit.notes)
        }
    };
    drop(df);
    if !held_out.is_empty() {
        tree = timed(&mut report.grow, || {
            prune_held_out(&tree, held_out, &args.target.rows, None, &progress)
        })?;
    }
    drop(progress);
    write(&tree, &model, importance.as_ref(), &mut report)?;
    if let (Some(to), Some(table)) = (&scores, &cv_scores) {
        timed(&mut report.write, || to.write_table(table))?;
    }
    notes.iter().for_each(|text| note(text));
    note_model(&tree, &model);
    figures_of(&mut report, &tree);
    report.print()
}

/// Writes the model, and its importances.
fn write(
    tree: &Tree,
    model: &Output,
    importance: Option<&Output>,
    report: &mut RunReport,
) -> Result<()> {
    timed(&mut report.write, || {
        write_model(tree, model)?;
        importance.map_or(Ok(()), |to| {
            let table = tree.importance()?;
            to.write(&table, Picture::Ranking(&table, "importance"))
        })
    })
}

fn figures_of(report: &mut RunReport, tree: &Tree) {
    report.figure("nodes", tree.n_nodes());
    report.figure("leaves", tree.n_leaves());
    report.figure("depth", tree.depth());
}
