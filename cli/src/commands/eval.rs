//! `gaintree eval`: how good the predictions are where the target is known.

use clap::Args;
use gaintree::{
    Bootstrap, Budget, EvalSpec, Evaluation, Forest, Model, ModelColumns, ModelVerbs, Voting,
};

use super::eval_text::details;
use super::memory::{check_memory, in_parts};
use super::run::Run;
use super::score::{note_unseen, unseen_by};
use crate::args::parsers::{memory, seed};
use crate::args::shared::{ModelArgs, RowArgs, RunArgs, override_spec, set_spec};
use crate::input::Rows;
use crate::output::{RunReport, note_all, timed};
use crate::process::{Failure, Result};
use crate::terminal::whole_table;

#[derive(Args)]
#[command(after_help = "\
Without -o it prints the figures, those of each class, how often each class was taken for each, \
and of the event how far its probabilities can be trusted and what thresholds on them would do; \
with -o it writes the figures.

Examples:
  gaintree eval iris.tree.json examples/data/iris.parquet
  gaintree eval iris.tree.json examples/data/iris.parquet --event virginica --bootstrap 1000
  gaintree eval churn.tree.json held-out.parquet --false-negative-cost 20 --thresholds costs.csv")]
pub struct EvalArgs {
    #[command(flatten)]
    pub files: ModelArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Read the rows in batches, in about this much memory, as 500MB or 2GB; the figures are the
    /// same [default: read all rows into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    /// Answer each row by the trees that did not draw it: the input is all rows a forest was fitted on,
    /// in their order
    #[arg(long, conflicts_with = "memory")]
    pub out_of_bag: bool,
    /// The class that thresholds and probabilities are about [default: the rarer of two]
    #[arg(long, value_name = "CLASS")]
    pub event: Option<String>,
    /// Bins of the event's probability, of about as many rows each [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub bins: Option<usize>,
    /// What a row costs that is taken for the event and is not [default: 1]
    #[arg(long, value_name = "COST", allow_negative_numbers = true)]
    pub false_positive_cost: Option<f64>,
    /// What a row of the event costs that is not taken for it [default: 1]
    #[arg(long, value_name = "COST", allow_negative_numbers = true)]
    pub false_negative_cost: Option<f64>,
    /// Resample the rows N times, and print the interval that the middle of the figures spans
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub bootstrap: Option<u32>,
    /// The share of the resamples in that middle
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, requires = "bootstrap")]
    pub confidence: f64,
    /// Draw by this seed
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = 0, requires = "bootstrap",
        allow_negative_numbers = true)]
    pub seed: u64,
    /// Write what every threshold on the event's probability would do to this file (.parquet, .csv,
    /// .ndjson, .json, .ipc)
    #[arg(long, value_name = "OUT")]
    pub thresholds: Option<String>,
    /// Write the figures to this file (.parquet, .csv, .ndjson, .json, .ipc; - is csv on standard
    /// output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

pub fn run(args: EvalArgs) -> Result<()> {
    check_memory(args.memory, &args.rows)?;
    let (mut run, inputs) = Run::on_model(&args.files, args.run.report)?;
    let to = run.places.table("-o", args.output.as_deref())?;
    let thresholds = run.places.table("--thresholds", args.thresholds.as_deref())?;
    let mut spec = EvalSpec::default().monitor(run.progress.monitor());
    set_spec!(spec, args => event; args.run.threads => threads);
    override_spec!(spec, args => bins, false_positive_cost, false_negative_cost);
    spec.bootstrap =
        args.bootstrap.map(|n| Bootstrap::new(n).confidence(args.confidence).seed(args.seed));
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
    note_all(evaluation.notes());
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
