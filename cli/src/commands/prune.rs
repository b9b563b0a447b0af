//! `gaintree prune`: a smaller tree from a fitted one, or the sequence to choose from.

use gaintree::{Budget, PruneBy, Tree, pruning_note};

use super::model::{note_model, of_model, write_model};
use super::{
    check_memory, in_parts, open_scan, read, show_table, trained, used_and_target, with_target,
};
use crate::args::{PruneArgs, PruningChoice, RowArgs};
use crate::input::{self, Input, ModelColumns};
use crate::output::{Output, RunReport, check_distinct, note};
use crate::process::{Failure, Result};
use crate::terminal::{Progress, whole_table};

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
    let inputs = input::resolve(&args.input, &args.csv)?;
    let held_out = input::resolve(&args.judging.held_out, &args.csv)?;
    let mut taken = input::paths(Some(&args.model), &inputs);
    taken.extend(input::paths(None, &held_out));
    let out = args.output.as_deref();
    let mut report = RunReport::start(None);
    if args.pruning.is_none() && held_out.is_empty() {
        let to = Output::of_table(out, &taken)?;
        let path = Tree::load(&args.model)?.cost_complexity_path()?;
        return show_table(&path, to.as_ref(), &mut report, || whole_table(&path));
    }
    let out = out.ok_or_else(|| {
        Failure::usage("a pruned tree is a model: name its file with -o, as in -o small.json")
    })?;
    let to = of_model(out, &taken)?;
    let scores = Output::of_table(args.judging.scores.as_deref(), &taken)?;
    check_distinct(&[("-o", Some(&to)), ("--scores", scores.as_ref())])?;
    let tree = Tree::load(&args.model)?;
    let progress = Progress::start();
    let mut notes = Vec::new();
    let pruned = match (args.pruning, cv) {
        (Some(PruningChoice::Spec(pruning)), None) => tree.prune(pruning)?,
        (_, Some(cv)) => {
            let scan = open_scan(&tree, inputs, ModelColumns::All)?;
            let df = read(&scan, Some(trained(&tree)), &mut report, &progress)?;
            let df = with_target(df, &tree.schema().target, &args.rows)?;
            progress.say(format!("fitting {} trees", cv.folds));
            let found = df.named(tree.prune_cross_validated(&*df, &cv))?;
            if let Some(scores) = scores {
                scores.write_table(&found.cv)?;
            }
            notes = found.notes;
            found.tree
        }
        (Some(PruningChoice::CrossValidated { .. }) | None, None) => {
            let by = args.judging.prune_by.unwrap_or_default();
            let pruned = prune_held_out(&tree, held_out, by, &args.rows, args.memory, &progress)?;
            notes.extend(pruning_note(&tree, &pruned, by));
            pruned
        }
    };
    drop(progress);
    write_model(&pruned, &to)?;
    notes.iter().for_each(|text| note(text));
    note_model(&pruned, &to);
    Ok(())
}

/// Prunes by the errors on the rows of held-out files, which are read into memory, or in batches
/// within the memory asked for.
pub fn prune_held_out(
    tree: &Tree,
    held_out: Vec<Input>,
    by: PruneBy,
    rows: &RowArgs,
    memory: Option<u64>,
    progress: &Progress,
) -> Result<Tree> {
    let scan = open_scan(tree, held_out, ModelColumns::UsedAndTarget)?;
    let mut columns = used_and_target(tree);
    columns.extend(tree.spec().weight.as_deref().filter(|weight| scan.has(weight)));
    if let Some(memory) = memory {
        progress.say(format!("pruning by {}", scan.describe()));
        return in_parts(&scan, Some(&columns), &Budget::of_memory(memory), |rows, files| {
            tree.prune_reduced_error_streaming(rows, files, by)
        });
    }
    let df = read(&scan, Some(columns), &mut RunReport::start(None), progress)?;
    let df = with_target(df, &tree.schema().target, rows)?;
    df.named(tree.prune_reduced_error(&*df, by))
}
