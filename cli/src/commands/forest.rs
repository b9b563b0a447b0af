//! `gaintree forest`: many trees, as a model file.

use gaintree::{Error, Evaluation, ForestSpec, OutOfBag, QuantileSpec, Task, fit_forest};
use polars::prelude::{DataFrame, Schema};

use super::model::{note_forest, of_model, write_forest};
use super::{count, fitted, name_columns, note_memory, read, with_target};
use crate::args::{ForestArgs, Ground};
use crate::input::{self, Scan};
use crate::output::{Output, Picture, RunReport, check_distinct, note, timed};
use crate::process::{Failure, Result};
use crate::terminal::Progress;

pub fn run(args: ForestArgs) -> Result<()> {
    let mut report = RunReport::start(args.run.report);
    let mut spec = args.spec();
    let inputs = input::resolve(&args.target.input, &args.target.csv)?;
    let taken = input::paths(None, &inputs);
    let model = of_model(&args.output, &taken)?;
    let importance = Output::of_table_or_picture(args.importance.as_deref(), &taken)?;
    let predictions = Output::of_table(args.predictions.as_deref(), &taken)?;
    let curve = Output::of_table_or_picture(args.error_curve.as_deref(), &taken)?;
    check_distinct(&[
        ("-o", Some(&model)),
        ("--importance", importance.as_ref()),
        ("--predictions", predictions.as_ref()),
        ("--error-curve", curve.as_ref()),
    ])?;
    if predictions.is_some() || curve.is_some() {
        check_out_of_bag(&spec)?;
    }
    check_quantiles(&args.quantiles, &spec)?;
    let progress = Progress::start();
    let scan = timed(&mut report.read, || Scan::new(inputs, Schema::default()))?;
    let (target, tree) = (args.target.target.as_str(), &mut spec.tree);
    name_columns(tree, &scan, target)?;
    let needed = fitted(target, tree.features.as_deref(), tree.weight.as_deref());
    note_memory(&scan, needed.as_deref());
    let df = read(&scan, needed, &mut report, &progress)?;
    let df = with_target(df, target, &args.target.rows)?;
    progress.say(format!("fitting a forest on {} rows", df.height()));
    spec.tree.monitor = Some(progress.monitor());
    let fit = df.named(fit_forest(&*df, target, &spec))?;
    (report.encode, report.grow) = (fit.timing.encode, fit.timing.grow);
    report.score = fit.timing.out_of_bag;
    let answers = match (&fit.out_of_bag, args.quantiles.is_empty()) {
        (None, _) => None,
        (Some(answers), true) => Some(answers.predictions.clone()),
        (Some(answers), false) => {
            let mut quantiles = QuantileSpec::new(args.quantiles);
            quantiles.threads = spec.tree.threads;
            quantiles.monitor = spec.tree.monitor.clone();
            let of_rows = df.named(fit.forest.out_of_bag_quantiles(&*df, &quantiles))?;
            Some(with_quantiles(&answers.predictions, &of_rows)?)
        }
    };
    drop(progress);
    timed(&mut report.write, || -> Result<()> {
        write_forest(&fit.forest, &model)?;
        if let Some(to) = &importance {
            let table = &fit.importance;
            to.write(table, (Picture::Ranking(table, "importance"), Ground::Light))?;
        }
        if let (Some(to), Some(answers)) = (&predictions, &answers) {
            to.write_table(answers)?;
        }
        if let (Some(to), Some(answers)) = (&curve, &fit.out_of_bag) {
            to.write(&answers.curve, (Picture::ErrorCurve(&answers.curve), Ground::Light))?;
        }
        Ok(())
    })?;
    fit.notes.iter().for_each(|text| note(text));
    note_forest(&fit.forest, &model);
    if let Some(OutOfBag { evaluation: Some(evaluation), .. }) = &fit.out_of_bag {
        note_out_of_bag(evaluation, &mut report);
    }
    report.figure("trees", fit.forest.n_trees());
    report.figure("nodes", fit.forest.n_nodes());
    report.figure("leaves", fit.forest.n_leaves());
    report.figure("depth", fit.forest.depth());
    report.print()
}

/// Checks that rows are answered out of bag, as they have to be for the files that are asked for.
fn check_out_of_bag(spec: &ForestSpec) -> Result<()> {
    if spec.out_of_bag && !spec.takes_all_rows() {
        return Ok(());
    }
    Err(Failure::usage(
        "--predictions and --error-curve are of rows out of bag: they go with --out-of-bag true, and \
         with --bootstrap true or a --sample-share below 1",
    ))
}

/// Checks what can be known of the quantiles before the forest is grown.
fn check_quantiles(quantiles: &[f64], spec: &ForestSpec) -> Result<()> {
    if !quantiles.is_empty() && spec.tree.task == Task::Classify {
        return Err(Failure::usage("--quantiles are of a number: leave --task classify out"));
    }
    let is_twice = |&(at, quantile): &(usize, &f64)| quantiles[..at].contains(quantile);
    match quantiles.iter().enumerate().find(is_twice) {
        Some((_, quantile)) => {
            Err(Failure::usage(format!("--quantiles has {quantile} twice: once is enough")))
        }
        None => Ok(()),
    }
}

/// The predictions with the quantiles beside them.
fn with_quantiles(predictions: &DataFrame, of_rows: &DataFrame) -> Result<DataFrame> {
    let quantiles = of_rows.drop("n_trees");
    let both = quantiles.and_then(|quantiles| predictions.hstack(quantiles.columns()));
    Ok(both.map_err(Error::from)?)
}

/// Says how good the out-of-bag predictions are.
fn note_out_of_bag(evaluation: &Evaluation, report: &mut RunReport) {
    let (rows, figures) = match *evaluation {
        Evaluation::Classes { rows, accuracy, log_loss, .. } => {
            report.figure("out_of_bag_accuracy", accuracy);
            report.figure("out_of_bag_log_loss", log_loss);
            (rows, format!("accuracy {accuracy:.4}, log loss {log_loss:.4}"))
        }
        Evaluation::Numbers { rows, rmse, r2, .. } => {
            report.figure("out_of_bag_rmse", rmse);
            report.figure("out_of_bag_r2", r2);
            (rows, format!("rmse {rmse:.6}, r2 {r2:.4}"))
        }
    };
    note(&format!("out of bag: {figures} of {}", count(rows, "row")));
}
