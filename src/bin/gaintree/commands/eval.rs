//! `gaintree eval`: how good the predictions are where the target is known.

use gaintree::{Budget, Confusion, Evaluation, Tree};

use super::score::note_absent_levels;
use super::{
    check_columns, check_memory, in_parts, open_model, read, show_table, used_and_target,
    with_target,
};
use crate::args::EvalArgs;
use crate::input::{self, ModelColumns};
use crate::output::{Output, RunReport, note, timed};
use crate::process::Result;
use crate::terminal::{Progress, cells, whole_table};

/// The most classes whose confusion is printed as a matrix.
const MATRIX_CLASSES: usize = 20;

pub fn run(args: EvalArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let files = &args.files;
    check_memory(args.memory, &args.rows)?;
    let inputs = input::resolve_rows(files)?;
    let taken = input::paths(Some(&files.model), &inputs);
    let to = Output::of_table(args.output.as_deref(), &taken)?;
    let progress = Progress::start();
    let (tree, scan) =
        timed(&mut report.read, || open_model(&files.model, inputs, ModelColumns::UsedAndTarget))?;
    check_columns(&tree, &scan)?;
    let evaluation = match args.memory {
        Some(memory) => {
            progress.say(format!("scoring {}", scan.describe()));
            let (columns, budget) = (used_and_target(&tree), Budget::of_memory(memory));
            timed(&mut report.score, || {
                in_parts(&scan, Some(&columns), &budget, |rows, files| {
                    tree.evaluation_streaming(rows, files)
                })
            })?
        }
        None => {
            let df = read(&scan, Some(used_and_target(&tree)), &mut report, &progress)?;
            let df = with_target(df, &tree.schema().target, &args.rows)?;
            progress.say(format!("scoring {} rows", df.height()));
            timed(&mut report.score, || df.named(tree.evaluation(&df)))?
        }
    };
    drop(progress);
    let (Evaluation::Classes { rows, .. } | Evaluation::Numbers { rows, .. }) = evaluation;
    if args.memory.is_some() {
        report.size(rows, used_and_target(&tree).len());
    }
    let absent_levels = report_figures(&evaluation, &mut report);
    let table = evaluation.to_frame()?;
    show_table(&table, to.as_ref(), &mut report, || {
        let parts = [whole_table(&table), details(&evaluation, &tree)];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    })?;
    note_absent_levels(absent_levels, rows);
    evaluation.notes().iter().for_each(|text| note(text));
    report.print()
}

/// Puts the figures of an evaluation into the report, and returns `absent_levels`.
fn report_figures(evaluation: &Evaluation, report: &mut RunReport) -> u64 {
    let absent_levels = match *evaluation {
        Evaluation::Classes {
            accuracy,
            majority_accuracy,
            log_loss,
            roc_auc,
            absent_levels,
            ..
        } => {
            report.figure("accuracy", accuracy);
            report.figure("majority_accuracy", majority_accuracy);
            report.figure("log_loss", log_loss);
            if let Some(area) = roc_auc {
                report.figure("roc_auc", area);
            }
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

/// Each class's figures, how often classes were taken for each other, and of two classes how far
/// probabilities can be trusted.
fn details(evaluation: &Evaluation, tree: &Tree) -> String {
    let Evaluation::Classes { by_class, confusion, calibration, .. } = evaluation else {
        return String::new();
    };
    let class = |class: usize| tree.schema().class_text(class);
    let share = |x: Option<f64>| x.map_or("-".to_string(), |x| format!("{x:.6}"));
    let rows = by_class.iter().enumerate().map(|(at, score)| {
        let counts = [score.n, score.predicted].map(|n| n.to_string());
        let shares = [score.precision(), score.recall(), score.f1()].map(share);
        [vec![class(at)], counts.to_vec(), shares.to_vec()].concat()
    });
    let heading = ["class", "n", "predicted", "precision", "recall", "f1"];
    let mut parts = vec![cells(&heading, rows)];
    parts.push(confusion_text(
        confusion,
        &by_class.iter().enumerate().map(|c| class(c.0)).collect::<Vec<_>>(),
    ));
    if !calibration.is_empty() {
        let rows = calibration.iter().map(|bin| {
            vec![
                format!("{:.1} to {:.1}", bin.at_least, bin.at_least + 0.1),
                bin.n.to_string(),
                format!("{:.6}", bin.mean_probability),
                format!("{:.6}", bin.actual_share),
            ]
        });
        let heading = format!("probability of {}", class(1));
        parts.push(cells(&[&heading, "n", "mean_probability", "actual_share"], rows));
    }
    parts.join("\n")
}

/// Actual classes down, predicted ones across; of many classes the pairs that occur.
fn confusion_text(confusion: &[Confusion], classes: &[String]) -> String {
    let k = classes.len();
    let actual = |class: Option<u32>| match class {
        Some(class) => classes[class as usize].clone(),
        None => "(never trained)".to_string(),
    };
    if k > MATRIX_CLASSES {
        let rows = confusion.iter().map(|pair| {
            vec![actual(pair.actual), classes[pair.predicted as usize].clone(), pair.n.to_string()]
        });
        return cells(&["actual", "predicted", "n"], rows);
    }
    let unknown = confusion.iter().any(|pair| pair.actual.is_none()).then_some(None);
    let rows = (0..k as u32).map(Some).chain(unknown).map(|class| {
        let mut counts = vec![0; k];
        for pair in confusion.iter().filter(|pair| pair.actual == class) {
            counts[pair.predicted as usize] = pair.n;
        }
        [actual(class)].into_iter().chain(counts.iter().map(u64::to_string)).collect()
    });
    let heading = ["actual \\ predicted"].into_iter().chain(classes.iter().map(String::as_str));
    cells(&heading.collect::<Vec<_>>(), rows)
}
