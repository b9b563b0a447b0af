//! `gaintree eval`: how good the predictions are where the target is known.

use gaintree::{Evaluation, Tree};
use polars::prelude::DataFrame;

use super::score::note_absent_levels;
use super::{check_columns, open_model, read, show_table, used_and_target};
use crate::args::EvalArgs;
use crate::input::{self, ModelColumns};
use crate::output::{Output, RunReport, timed};
use crate::process::Result;
use crate::terminal::{Progress, matrix, whole_table};

/// The most classes whose confusion is printed as a matrix.
const MATRIX_CLASSES: usize = 20;

pub fn run(args: EvalArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let files = &args.files;
    let inputs = input::resolve(&files.input)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table(args.output.as_deref(), &taken)?;
    let progress = Progress::start();
    let (tree, scan) =
        timed(&mut report.read, || open_model(&files.model, inputs, ModelColumns::UsedAndTarget))?;
    check_columns(&tree, &scan)?;
    let df = read(&scan, Some(used_and_target(&tree)), &mut report, &progress)?;
    progress.say(format!("scoring {} rows", df.height()));
    let evaluation = timed(&mut report.score, || tree.evaluation(&df))?;
    let confusion = match to {
        None if !tree.is_regression() => Some(tree.confusion(&df)?),
        _ => None,
    };
    drop(progress);
    let absent_levels = report_figures(&evaluation, &mut report);
    let table = evaluation.to_frame()?;
    show_table(&table, to.as_ref(), &mut report, || {
        let confusion = confusion.as_ref().map_or(String::new(), |c| confusion_text(c, &tree));
        format!("{}\n{confusion}", whole_table(&table))
    })?;
    note_absent_levels(absent_levels, df.height() as u64);
    report.print()
}

/// Puts the figures of an evaluation into the report, and returns `absent_levels`.
fn report_figures(evaluation: &Evaluation, report: &mut RunReport) -> u64 {
    let absent_levels = match *evaluation {
        Evaluation::Classes { accuracy, log_loss, absent_levels, .. } => {
            report.figure("accuracy", accuracy);
            report.figure("log_loss", log_loss);
            absent_levels
        }
        Evaluation::Numbers { rmse, mae, r2, absent_levels, .. } => {
            report.figure("rmse", rmse);
            report.figure("mae", mae);
            report.figure("r2", r2);
            absent_levels
        }
    };
    report.figure("absent_levels", absent_levels);
    absent_levels
}

/// Actual classes down, predicted ones across; of many classes a line a pair.
fn confusion_text(confusion: &DataFrame, tree: &Tree) -> String {
    let schema = tree.schema();
    let classes = schema.classes.len();
    if classes > MATRIX_CLASSES {
        return whole_table(confusion);
    }
    let n = confusion.column("n").ok().and_then(|n| n.u64().ok());
    let counts: Vec<u64> = n.map_or_else(Vec::new, |n| n.iter().flatten().collect());
    let predicted: Vec<String> = (0..classes).map(|class| schema.class_text(class)).collect();
    let mut actual = predicted.clone();
    if counts.len() > classes * classes {
        actual.push("(never trained)".to_string());
    }
    matrix("actual \\ predicted", &actual, &predicted, &counts)
}
