//! `gaintree fit`: a tree, as a model file.

use clap::Args;
use gaintree::{
    Budget, CvSpec, FeatureSpec, Model, PassTask, Pruning, StreamedFit, Tree, TreeSpec,
    cross_validate_pruning, fit_tree, fit_tree_streaming, pruning_note,
};
use polars::prelude::DataFrame;

use super::columns::name_columns;
use super::memory::{check_memory, in_parts, note_memory};
use super::model::{note_model, write_model};
use super::prune::prune_held_out;
use super::run::Run;
use crate::args::growth::GrowthArgs;
use crate::args::parsers::memory;
use crate::args::pruning::{JudgingArgs, PruningChoice, pruning};
use crate::args::shared::{FeatureArgs, Ground, RunArgs, TargetArgs, override_spec};
use crate::args::show::Form;
use crate::input::Scan;
use crate::output::{Picture, note_all, timed};
use crate::process::{Failure, Result};

#[derive(Args)]
#[command(after_help = "\
A flag overrides what its algorithm would have it be.

Examples:
  gaintree fit examples/data/iris.parquet --target species -o iris.tree.json
  gaintree fit examples/data/weather.csv --target play --algorithm c45 -o play.tree.json
  gaintree fit examples/data/wine.parquet --target cultivar --max-depth 3 -o wine.tree.json \
--importance wine.csv
  gaintree fit examples/data/wine.parquet --target cultivar --prune cv=10 -o wine.tree.json")]
pub struct FitArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub features: FeatureArgs,
    #[command(flatten)]
    pub growth: GrowthArgs,
    /// Prune the grown tree: none, alpha=A, leaves=N, pessimistic=CONFIDENCE, or cv=FOLDS
    /// (cross-validated) [default: pessimistic=0.25 of c45, else none]
    #[arg(long, visible_alias = "prune", value_name = "HOW", value_parser = pruning)]
    pub pruning: Option<PruningChoice>,
    /// With pessimistic pruning: whether a node's largest branch may take the node's place
    /// [default: true of c45]
    #[arg(long, value_name = "BOOL")]
    pub subtree_raising: Option<bool>,
    #[command(flatten)]
    pub judging: JudgingArgs,
    /// Write the model, which is JSON, to this file (- is standard output)
    #[arg(short, long, value_name = "MODEL")]
    pub output: String,
    /// Write the table of feature importances to this file, or a bar chart (.svg, .png)
    #[arg(long, value_name = "OUT")]
    pub importance: Option<String>,
    /// Fit in this much memory, as 500MB or 2GB, by reading the rows several times; the tree is the
    /// same [default: read all rows into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub run: RunArgs,
}

impl FitArgs {
    pub fn spec(&self) -> TreeSpec {
        let mut spec = self.growth.spec(&self.target, &self.features, &self.run);
        override_spec!(spec, self => subtree_raising);
        match self.pruning {
            Some(PruningChoice::Spec(pruning)) => spec.pruning = pruning,
            Some(PruningChoice::CrossValidated { .. }) => spec.pruning = Pruning::None,
            None if !self.judging.held_out.is_empty() => spec.pruning = Pruning::None,
            None => {}
        }
        spec
    }
}

pub fn run(mut args: FitArgs) -> Result<()> {
    let (target, rows) = (args.target.target.as_str(), &args.target.rows);
    let cv = args.judging.cross_validation(args.pruning)?;
    check_memory(args.memory, rows)?;
    if args.memory.is_some() && cv.is_some() {
        return Err(Failure::usage(
            "--memory reads the rows in batches, and goes with no cv=FOLDS: leave one of them out",
        ));
    }
    let (mut run, inputs) = Run::on_table(&args.target.table, args.run.report)?;
    run.add_excluded(&mut args.features, &args.target.table.csv)?;
    let held_out = run.inputs(&args.judging.held_out, &args.target.table.csv)?;
    let to = run.places.form("-o", &args.output, Form::Json)?;
    let importance = args.importance.as_deref();
    let importance = run.places.table_or_picture("--importance", importance, Ground::Light)?;
    let scores_to = run.places.table("--scores", args.judging.scores.as_deref())?;
    let (scan, mut spec) = (run.scan(inputs)?, args.spec());
    name_columns(&mut spec, &scan, target)?;
    let (mut tree, scores, mut notes) = match args.memory {
        Some(memory) => {
            let fit = fit_streamed(&mut run, &scan, target, &spec, memory)?;
            (fit.tree, None, fit.notes)
        }
        None => fit_in_memory(&mut run, &scan, &args, &spec, cv.as_ref())?,
    };
    if !held_out.is_empty() {
        let by = args.judging.prune_by.unwrap_or_default();
        let pruned = prune_held_out(&mut run, &tree, held_out, by, rows, args.memory)?;
        notes.extend(pruning_note(&tree, &pruned, by));
        tree = pruned;
    }
    run.progress.end();
    let of_features = importance.is_some().then(|| tree.importance()).transpose()?;
    let model = Model::Tree(tree);
    timed(&mut run.report.write, || -> Result<()> {
        write_model(&model, &to)?;
        if let (Some(to), Some(table)) = (&importance, &of_features) {
            to.write(table, Picture::Ranking(table, "importance"))?;
        }
        match (&scores_to, &scores) {
            (Some(to), Some(table)) => to.write_table(table),
            _ => Ok(()),
        }
    })?;
    note_all(&notes);
    note_model(&model, &to, &mut run.report);
    run.report.print()
}

/// The tree, the scores of its cross-validation, and notes.
fn fit_in_memory(
    run: &mut Run,
    scan: &Scan,
    args: &FitArgs,
    spec: &TreeSpec,
    cv: Option<&CvSpec>,
) -> Result<(Tree, Option<DataFrame>, Vec<String>)> {
    let target = args.target.target.as_str();
    let needed = spec.needed_columns(target);
    note_memory(scan, needed.as_deref());
    let df = run.read_known(scan, needed.as_deref(), target, &args.target.rows)?;
    run.progress.say(format!("fitting a tree on {} rows", df.height()));
    if let Some(cv) = cv {
        // Encoding and growing alternate, fold by fold.
        let found = || cross_validate_pruning(&*df, target, spec, cv);
        let found = df.named(timed(&mut run.report.grow, found))?;
        return Ok((found.tree, Some(found.cv), found.notes));
    }
    let fit = df.named(fit_tree(&*df, target, spec))?;
    (run.report.encode, run.report.grow) = (fit.timing.encode, fit.timing.grow);
    Ok((fit.tree, None, fit.notes))
}

/// Fits a tree within `memory` bytes: the rows are read in batches, several times.
fn fit_streamed(
    run: &mut Run,
    scan: &Scan,
    target: &str,
    spec: &TreeSpec,
    memory: u64,
) -> Result<StreamedFit> {
    let budget = Budget::of_memory(memory);
    let mut say = |at: gaintree::Pass| {
        let what = match at.task {
            PassTask::Summary => "finding out what there is".to_string(),
            PassTask::Weights => "adding up weights".to_string(),
            PassTask::Counts => format!("counting {} nodes of {}", at.nodes, at.nodes_so_far),
            PassTask::Gather => format!("fetching the rows of {} nodes", at.nodes),
        };
        run.progress.say(format!("pass {} over {}: {what}", at.number, scan.describe()));
    };
    let fit = timed(&mut run.report.grow, || {
        in_parts(scan, None, &budget, |rows, files| {
            fit_tree_streaming(rows, files, target, spec, &budget, &mut say)
        })
    })?;
    run.report.size(fit.report.rows, scan.width());
    fit.report.figures().into_iter().for_each(|(name, value)| run.report.figure(name, value));
    run.report.figure("budget_bytes", memory);
    Ok(fit)
}
