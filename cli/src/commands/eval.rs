//! `gaintree eval`: how good the predictions are where the target is known.

use gaintree::{Budget, EvalSpec, Evaluation, Forest, Model, ModelVerbs, Voting};

use super::eval_text::details;
use super::out_of_bag::{judged_columns, out_of_bag_forest};
use super::score::note_absent_levels;
use super::{
    check_columns, check_memory, in_parts, open_scan, read, show_table, used_and_target,
    with_target,
};
use crate::args::EvalArgs;
use crate::input::{self, ModelColumns, Rows, Scan};
use crate::output::{Output, RunReport, check_distinct, note, timed};
use crate::process::{Failure, Result};
use crate::terminal::{Progress, whole_table};

pub fn run(args: EvalArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let files = &args.files;
    check_memory(args.memory, &args.rows)?;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table(args.output.as_deref(), &taken)?;
    let thresholds = Output::of_table(args.thresholds.as_deref(), &taken)?;
    check_distinct(&[("-o", to.as_ref()), ("--thresholds", thresholds.as_ref())])?;
    let progress = Progress::start();
    let spec = args.spec().monitor(progress.monitor());
    let (model, scan) = timed(&mut report.read, || -> Result<(Model, Scan)> {
        let model = Model::load(&files.model)?;
        let scan = open_scan(&model, inputs, ModelColumns::UsedAndTarget)?;
        Ok((model, scan))
    })?;
    check_columns(&model, &scan)?;
    let out_of_bag = out_of_bag_forest(&model, args.out_of_bag)?;
    let evaluation = match args.memory {
        Some(memory) => {
            let Model::Tree(tree) = &model else {
                return Err(Failure::usage(
                    "--memory reads the rows in batches, and goes with no forest: leave it out",
                ));
            };
            progress.say(format!("scoring {}", scan.describe()));
            let (columns, budget) = (used_and_target(&model), Budget::of_memory(memory));
            timed(&mut report.score, || {
                in_parts(&scan, Some(&columns), &budget, |rows, files| {
                    tree.evaluation_streaming(rows, files, &spec)
                })
            })?
        }
        None => {
            let columns = judged_columns(&model, out_of_bag);
            let df = read(&scan, Some(columns), &mut report, &progress)?;
            let df = with_target(df, &model.schema().target, &args.rows)?;
            progress.say(format!("scoring {} rows", df.height()));
            timed(&mut report.score, || match out_of_bag {
                Some(forest) => evaluate_out_of_bag(forest, &df, &spec),
                None => df.named(model.evaluation_with(&*df, &spec)),
            })?
        }
    };
    drop(progress);
    let (Evaluation::Classes { rows, .. } | Evaluation::Numbers { rows, .. }) = evaluation;
    if args.memory.is_some() {
        report.size(rows, used_and_target(&model).len());
    }
    let of_thresholds =
        thresholds.as_ref().map(|_| evaluation.thresholds_to_frame()).transpose()?;
    let absent_levels = report_figures(&evaluation, &mut report);
    let table = evaluation.to_frame()?;
    show_table(&table, to.as_ref(), &mut report, || {
        let parts = [vec![whole_table(&table)], details(&evaluation, model.schema())].concat();
        parts.join("\n")
    })?;
    if let (Some(to), Some(table)) = (&thresholds, &of_thresholds) {
        to.write_table(table)?;
    }
    note_absent_levels(absent_levels, rows, matches!(model, Model::Forest(_)));
    evaluation.notes().iter().for_each(|text| note(text));
    report.print()
}

/// How good the forest's out-of-bag predictions are.
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
