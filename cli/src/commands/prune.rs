//! `gaintree prune`: a smaller tree from a fitted one, or the sequence to choose from.

use clap::Args;
use gaintree::{Budget, Model, ModelColumns, PruneBy, Tree, pruning_note};

use super::memory::{check_memory, in_parts};
use super::model::{note_model, write_model};
use super::run::Run;
use crate::args::parsers::memory;
use crate::args::pruning::{JudgingArgs, PruningChoice, pruning};
use crate::args::shared::{CsvArgs, RowArgs, ThreadsArg};
use crate::args::show::Form;
use crate::input::Input;
use crate::output::{note_all, timed};
use crate::process::{Failure, Result};
use crate::terminal::whole_table;

#[derive(Args)]
#[command(after_help = "\
Without --pruning and --held-out, the cost-complexity sequence is listed: each alpha with the \
leaves that are left. Only cross-validation takes an INPUT: the rows the tree was fitted on.

Examples:
  gaintree prune iris.tree.json
  gaintree prune iris.tree.json --pruning leaves=3 -o small.json
  gaintree prune iris.tree.json --held-out new.parquet -o small.json
  gaintree prune iris.tree.json iris.parquet --pruning cv=10 --scores cv.csv -o small.json")]
pub struct PruneArgs {
    /// The model file
    pub model: String,
    /// Parquet, csv, ndjson or ipc files, folders or quoted globs of them, to cross-validate on
    pub input: Vec<String>,
    /// Prune in this way: none, alpha=A, leaves=N, pessimistic=CONFIDENCE, or cv=FOLDS
    /// (cross-validated)
    #[arg(long, visible_alias = "prune", value_name = "HOW", value_parser = pruning)]
    pub pruning: Option<PruningChoice>,
    #[command(flatten)]
    pub judging: JudgingArgs,
    #[command(flatten)]
    pub csv: CsvArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    /// Read the held-out rows in batches, in about this much memory, as 500MB or 2GB; the tree is
    /// the same [default: read all rows into memory]
    #[arg(long, value_name = "BYTES", value_parser = memory)]
    pub memory: Option<u64>,
    /// Write the pruned model to this file, or the list (.parquet, .csv, …; - is standard output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    #[command(flatten)]
    pub threads: ThreadsArg,
}

pub fn run(args: PruneArgs) -> Result<()> {
    let cv = args.judging.cross_validation(args.pruning)?;
    if cv.is_some() == args.input.is_empty() {
        return Err(Failure::usage(match cv {
            Some(_) => "cross-validation needs the rows the tree was fitted on: name their file",
            None => "only cross-validation reads an INPUT: add --pruning cv=10, or leave it out",
        }));
    }
    check_memory(args.memory, &args.rows)?;
    if args.memory.is_some() && args.judging.held_out.is_empty() {
        return Err(Failure::usage(
            "--memory is of the rows of --held-out: name their files, or leave it out",
        ));
    }
    let mut run = Run::start(None);
    run.places.protect(args.model.as_ref());
    let inputs = run.inputs(&args.input, &args.csv)?;
    let held_out = run.inputs(&args.judging.held_out, &args.csv)?;
    let out = args.output.as_deref();
    if args.pruning.is_none() && held_out.is_empty() {
        let to = run.places.table("-o", out)?;
        let path = Tree::load(&args.model)?.cost_complexity_path()?;
        return run.show(&path, to.as_ref(), || whole_table(&path));
    }
    let out = out.ok_or_else(|| {
        Failure::usage("a pruned tree is a model: name its file with -o, as in -o small.json")
    })?;
    let to = run.places.form("-o", out, Form::Json)?;
    let scores = run.places.table("--scores", args.judging.scores.as_deref())?;
    let tree = Tree::load(&args.model)?;
    let mut notes = Vec::new();
    let pruned = match (args.pruning, cv) {
        (Some(PruningChoice::Spec(pruning)), None) => tree.prune(pruning)?,
        (_, Some(cv)) => {
            let columns = tree.trained_columns();
            let scan = run.scan_for(&tree, inputs, &columns)?;
            let df = run.read_known(&scan, Some(&columns), &tree.schema().target, &args.rows)?;
            run.progress.say(format!("fitting {} trees", cv.folds));
            let found = df.named(tree.prune_cross_validated(&*df, &cv))?;
            if let Some(scores) = scores {
                scores.write_table(&found.cv)?;
            }
            notes = found.notes;
            found.tree
        }
        (Some(PruningChoice::CrossValidated { .. }) | None, None) => {
            let by = args.judging.prune_by.unwrap_or_default();
            let pruned = prune_held_out(&mut run, &tree, held_out, by, &args.rows, args.memory)?;
            notes.extend(pruning_note(&tree, &pruned, by));
            pruned
        }
    };
    run.progress.end();
    let pruned = Model::Tree(pruned);
    write_model(&pruned, &to)?;
    note_all(&notes);
    note_model(&pruned, &to, &mut run.report);
    Ok(())
}

/// Prunes by the errors on held-out rows: in memory, or in batches within the memory asked for.
pub fn prune_held_out(
    run: &mut Run,
    tree: &Tree,
    held_out: Vec<Input>,
    by: PruneBy,
    rows: &RowArgs,
    memory: Option<u64>,
) -> Result<Tree> {
    let scan = run.scan_for(tree, held_out, &tree.judged_columns())?;
    let mut columns = tree.weighted_columns();
    columns.retain(|name| scan.has(name) || Some(*name) != tree.spec().weight.as_deref());
    if let Some(memory) = memory {
        run.progress.say(format!("pruning by {}", scan.describe()));
        let budget = Budget::of_memory(memory);
        return timed(&mut run.report.grow, || {
            in_parts(&scan, Some(&columns), &budget, |rows, files| {
                tree.prune_reduced_error_streaming(rows, files, by)
            })
        });
    }
    let df = run.read_known(&scan, Some(&columns), &tree.schema().target, rows)?;
    df.named(timed(&mut run.report.grow, || tree.prune_reduced_error(&*df, by)))
}
