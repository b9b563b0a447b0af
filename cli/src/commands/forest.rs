//! `gaintree forest`: many trees, as a model file.

use clap::{ArgAction, Args};
use gaintree::{Evaluation, ForestSpec, Model, QuantileSpec, Task, fit_forest};

use super::count;
use super::model::{note_model, write_model};
use super::run::Run;
use crate::args::growth::{DrawArgs, GrowthArgs};
use crate::args::parsers::quantile;
use crate::args::shared::{FeatureArgs, Ground, RunArgs, TargetArgs, set_spec};
use crate::args::show::Form;
use crate::output::{Picture, RunReport, note_all, timed};
use crate::process::{Failure, Result};

#[derive(Args)]
#[command(after_help = "\
The same seed gives the same forest, on any number of threads. Its trees are not pruned. \
`gaintree score` and `gaintree eval` read the model. Training rows are answered out of bag, each by \
the trees that did not draw it, which tells how good the forest is; `gaintree eval --out-of-bag` \
tells more.

Examples:
  gaintree forest examples/data/iris.parquet --target species -o iris.forest.json
  gaintree forest examples/data/wine.parquet --target cultivar --trees 100 --seed 7 \
-o wine.forest.json --importance wine.csv
  gaintree forest examples/data/wine.parquet --target cultivar --max-features 0.5 \
--min-samples-leaf 3 -o wine.forest.json
  gaintree forest examples/data/wine.parquet --target cultivar -o wine.forest.json \
--predictions answers.csv --error-curve curve.csv
  gaintree forest examples/data/diabetes.parquet --target progression --min-samples-leaf 5 \
-o diabetes.forest.json --predictions answers.csv --quantiles 0.05,0.5,0.95")]
pub struct ForestArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    /// Number of trees
    #[arg(long, value_name = "N", default_value_t = 500, allow_negative_numbers = true)]
    pub trees: u32,
    #[command(flatten)]
    pub draws: DrawArgs,
    #[command(flatten)]
    pub growth: GrowthArgs,
    /// Write the model, which is JSON, to this file (- is standard output)
    #[arg(short, long, value_name = "MODEL")]
    pub output: String,
    /// Write the table of feature importances to this file, or a bar chart (.svg, .png)
    #[arg(long, value_name = "OUT")]
    pub importance: Option<String>,
    /// Whether training rows are answered out of bag
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub out_of_bag: bool,
    /// Write the out-of-bag predictions of the training rows to this file (.parquet, .csv, .ndjson,
    /// .json, .ipc)
    #[arg(long, value_name = "OUT")]
    pub predictions: Option<String>,
    /// Add quantiles of the target, taken as a number, to the predictions: such as 0.05,0.5,0.95
    #[arg(long, value_name = "Q,…", value_delimiter = ',', value_parser = quantile,
          requires = "predictions", allow_negative_numbers = true)]
    pub quantiles: Vec<f64>,
    /// Write the out-of-bag error by the number of trees to this file (.parquet, .csv, .ndjson, .json,
    /// .ipc), or a picture of it (.svg, .png)
    #[arg(long, value_name = "OUT")]
    pub error_curve: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl ForestArgs {
    pub fn spec(&self) -> ForestSpec {
        let mut tree = self.growth.spec(&self.target, &self.features, &self.run);
        if !self.quantiles.is_empty() && tree.task == Task::Auto {
            tree.task = Task::Regress;
        }
        self.draws.spec(tree, self.trees).out_of_bag(self.out_of_bag)
    }
}

pub fn run(mut args: ForestArgs) -> Result<()> {
    let (mut run, inputs) = Run::on_table(&args.target.table, args.run.report)?;
    run.add_excluded(&mut args.features, &args.target.table.csv)?;
    let mut spec = args.spec();
    let (importance, curve) = (args.importance.as_deref(), args.error_curve.as_deref());
    let to = run.places.form("-o", &args.output, Form::Json)?;
    let importance = run.places.table_or_picture("--importance", importance, Ground::Light)?;
    let predictions = run.places.table("--predictions", args.predictions.as_deref())?;
    let curve = run.places.table_or_picture("--error-curve", curve, Ground::Light)?;
    if predictions.is_some() || curve.is_some() {
        check_out_of_bag(&spec)?;
    }
    check_quantiles(&args.quantiles, &spec)?;
    spec.tree.monitor = Some(run.progress.monitor());
    let df = run.read_to_learn(inputs, &mut spec.tree, &args.target)?;
    run.progress.say(format!("fitting a forest on {} rows", df.height()));
    let fit = df.named(fit_forest(&*df, &args.target.target, &spec))?;
    (run.report.encode, run.report.grow) = (fit.timing.encode, fit.timing.grow);
    run.report.score = fit.timing.out_of_bag;
    let mut answers = fit.out_of_bag.as_ref().map(|answers| answers.predictions.clone());
    if let (Some(answers), false) = (&mut answers, args.quantiles.is_empty()) {
        let mut quantiles = QuantileSpec::new(args.quantiles);
        set_spec!(quantiles, spec.tree => threads, monitor);
        let of_rows = df.named(fit.forest.out_of_bag_quantiles(&*df, &quantiles))?;
        *answers = answers.hstack(of_rows.drop("n_trees")?.columns())?;
    }
    run.progress.end();
    let model = Model::Forest(fit.forest);
    timed(&mut run.report.write, || -> Result<()> {
        write_model(&model, &to)?;
        if let Some(to) = &importance {
            to.write(&fit.importance, Picture::Ranking(&fit.importance, "importance"))?;
        }
        if let (Some(to), Some(answers)) = (&predictions, &answers) {
            to.write_table(answers)?;
        }
        if let (Some(to), Some(answers)) = (&curve, &fit.out_of_bag) {
            to.write(&answers.curve, Picture::ErrorCurve(&answers.curve))?;
        }
        Ok(())
    })?;
    note_all(&fit.notes);
    let evaluation = fit.out_of_bag.as_ref().and_then(|answers| answers.evaluation.as_ref());
    let text = evaluation.map(|evaluation| out_of_bag_text(evaluation, &mut run.report));
    note_model(&model, &to, &mut run.report);
    note_all(&text);
    run.report.print()
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

/// How good the out-of-bag predictions are, in words and in the report.
fn out_of_bag_text(evaluation: &Evaluation, report: &mut RunReport) -> String {
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
    format!("out of bag: {figures} of {}", count(rows, "row"))
}
