//! `gaintree eval`: how good the predictions are where the target is known.

use gaintree::{Budget, EvalSpec, Evaluation, Forest, Model, ModelColumns, ModelVerbs, Voting};

use super::eval_text::details;
use super::memory::{check_memory, in_parts};
use super::run::Run;
use super::score::{note_unseen, unseen_by};
use crate::args::EvalArgs;
use crate::input::Rows;
use crate::output::{RunReport, note, timed};
use crate::process::{Failure, Result};
use crate::terminal::whole_table;

pub fn run(args: EvalArgs) -> Result<()> {
    let mut run = Run::start(args.run.report);
    check_memory(args.memory, &args.rows)?;
    let inputs = run.rows_of(&args.files)?;
    let to = run.places.table("-o", args.output.as_deref())?;
    let thresholds = run.places.table("--thresholds", args.thresholds.as_deref())?;
    let spec = args.spec().monitor(run.progress.monitor());
    let model = timed(&mut run.report.read, || Model::load(&args.files.model))?;
    let (scan, out_of_bag) = run.scan_to_judge(&model, inputs, args.out_of_bag)?;
    let evaluation = match args.memory {
        Some(memory) => {
            let Model::Tree(tree) = &model else {
                return Err(Failure::usage(
                    "--memory reads the rows in batches, and goes with no forest: leave it out",
                ));
            };
            run.progress.say(format!("scoring {}", scan.describe()));
            let (columns, budget) = (model.judged_columns(), Budget::of_memory(memory));
            timed(&mut run.report.score, || {
                in_parts(&scan, Some(&columns), &budget, |rows, files| {
                    tree.evaluation_streaming(rows, files, &spec)
                })
            })?
        }
        None => {
            let df = run.read_judged(&scan, &model, out_of_bag.is_some(), &args.rows)?;
            run.progress.say(format!("scoring {} rows", df.height()));
            timed(&mut run.report.score, || match out_of_bag {
                Some(forest) => evaluate_out_of_bag(forest, &df, &spec),
                None => df.named(model.evaluation_with(&*df, &spec)),
            })?
        }
    };
    run.progress.end();
    let (Evaluation::Classes { rows, .. } | Evaluation::Numbers { rows, .. }) = evaluation;
    if args.memory.is_some() {
        run.report.size(rows, model.judged_columns().len());
    }
    let of_thresholds =
        thresholds.as_ref().map(|_| evaluation.thresholds_to_frame()).transpose()?;
    let absent_levels = report_figures(&evaluation, &mut run.report);
    let table = evaluation.to_frame()?;
    run.show(&table, to.as_ref(), || {
        let parts = [vec![whole_table(&table)], details(&evaluation, model.schema())].concat();
        parts.join("\n")
    })?;
    if let (Some(to), Some(table)) = (&thresholds, &of_thresholds) {
        to.write_table(table)?;
    }
    note_unseen(absent_levels, rows, unseen_by(&model));
    evaluation.notes().iter().for_each(|text| note(text));
    run.report.print()
}

fn evaluate_out_of_bag(forest: &Forest, df: &Rows, spec: &EvalSpec) -> Result<Evaluation> {
    let answers = df.named(forest.out_of_bag_with(&**df, Voting::Soft, spec))?;
    answers.evaluation.ok_or_else(|| {
        Failure::work("every row was drawn for every tree, and none is out of bag: grow more trees")
    })
}

/// Puts the figures of an evaluation into the report, and returns `absent_levels`.
fn report_figures(evaluation: &Evaluation, report: &mut RunReport) -> u64 {
    for (name, figure) in evaluation.figures() {
        if let Some(figure) = figure {
            report.figure(name, figure);
        }
    }
    let (Evaluation::Classes { absent_levels, .. } | Evaluation::Numbers { absent_levels, .. }) =
        *evaluation;
    report.figure("absent_levels", absent_levels);
    absent_levels
}
