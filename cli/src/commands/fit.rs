//! `gaintree fit`: a tree, as a model file.

use gaintree::{
    Budget, CvSpec, PassTask, StreamedFit, Tree, TreeSpec, cross_validate_pruning, fit_tree,
    fit_tree_streaming, pruning_note,
};
use polars::prelude::{DataFrame, Schema};

use super::model::{note_model, of_model, write_model};
use super::prune::prune_held_out;
use super::{check_memory, fitted, in_parts, name_columns, note_memory, read, with_target};
use crate::args::{FitArgs, Ground};
use crate::input::{self, Input, Scan};
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
    let outputs = FitOutputs::new(&args, &inputs, &held_out)?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    name_columns(&mut spec, &scan, &args.target.target)?;
    let (mut tree, scores, mut notes) = match args.memory {
        Some(memory) => {
            let target = &args.target.target;
            let fit = fit_streamed(&scan, target, &spec, memory, &mut report, &progress)?;
            (fit.tree, None, fit.notes)
        }
        None => fit_in_memory(&scan, &args, &spec, cv.as_ref(), &mut report, &progress)?,
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
    timed(&mut report.write, || outputs.write(&tree, scores.as_ref()))?;
    notes.iter().for_each(|text| note(text));
    note_model(&tree, &outputs.model);
    report.figure("nodes", tree.n_nodes());
    report.figure("leaves", tree.n_leaves());
    report.figure("depth", tree.depth());
    report.print()
}

/// The tree, the scores of its cross-validation, and notes.
fn fit_in_memory(
    scan: &Scan,
    args: &FitArgs,
    spec: &TreeSpec,
    cv: Option<&CvSpec>,
    report: &mut RunReport,
    progress: &Progress,
) -> Result<(Tree, Option<DataFrame>, Vec<String>)> {
    let target = args.target.target.as_str();
    let needed = fitted(target, spec.features.as_deref(), spec.weight.as_deref());
    note_memory(scan, needed.as_deref());
    let df = read(scan, needed, report, progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("fitting a tree on {} rows", df.height()));
    if let Some(cv) = cv {
        // Encoding and growing alternate, fold by fold.
        let found = || cross_validate_pruning(&*df, target, spec, cv);
        let found = df.named(timed(&mut report.grow, found))?;
        return Ok((found.tree, Some(found.cv), found.notes));
    }
    let fit = df.named(fit_tree(&*df, target, spec))?;
    (report.encode, report.grow) = (fit.timing.encode, fit.timing.grow);
    Ok((fit.tree, None, fit.notes))
}

/// Where the tree and the tables beside it go.
struct FitOutputs {
    model: Output,
    importance: Option<Output>,
    scores: Option<Output>,
}

impl FitOutputs {
    fn new(args: &FitArgs, inputs: &[Input], held_out: &[Input]) -> Result<FitOutputs> {
        let mut taken = input::paths(None, inputs);
        taken.extend(input::paths(None, held_out));
        let model = of_model(&args.output, &taken)?;
        let importance = Output::of_table_or_picture(args.importance.as_deref(), &taken)?;
        let scores = Output::of_table(args.judging.scores.as_deref(), &taken)?;
        check_distinct(&[
            ("-o", Some(&model)),
            ("--importance", importance.as_ref()),
            ("--scores", scores.as_ref()),
        ])?;
        Ok(FitOutputs { model, importance, scores })
    }

    fn write(&self, tree: &Tree, scores: Option<&DataFrame>) -> Result<()> {
        write_model(tree, &self.model)?;
        if let Some(to) = &self.importance {
            let table = tree.importance()?;
            to.write(&table, (Picture::Ranking(&table, "importance"), Ground::Light))?;
        }
        match (&self.scores, scores) {
            (Some(to), Some(table)) => to.write_table(table),
            _ => Ok(()),
        }
    }
}

/// Fits a tree within `memory` bytes: the rows are read in batches, several times.
fn fit_streamed(
    scan: &Scan,
    target: &str,
    spec: &TreeSpec,
    memory: u64,
    report: &mut RunReport,
    progress: &Progress,
) -> Result<StreamedFit> {
    let budget = Budget::of_memory(memory);
    let mut say = |at: gaintree::Pass| {
        let what = match at.task {
            PassTask::Summary => "finding out what there is".to_string(),
            PassTask::Weights => "adding up weights".to_string(),
            PassTask::Counts => format!("counting {} nodes of {}", at.nodes, at.nodes_so_far),
            PassTask::Gather => format!("fetching the rows of {} nodes", at.nodes),
        };
        progress.say(format!("pass {} over {}: {what}", at.number, scan.describe()));
    };
    let fit = timed(&mut report.grow, || {
        in_parts(scan, None, &budget, |rows, files| {
            fit_tree_streaming(rows, files, target, spec, &budget, &mut say)
        })
    })?;
    report.size(fit.report.rows, scan.width());
    fit.report.figures().into_iter().for_each(|(name, value)| report.figure(name, value));
    report.figure("budget_bytes", memory);
    Ok(fit)
}
