//! `gaintree prune`: a smaller tree from a fitted one, or the sequence to choose from.

use std::path::Path;

use gaintree::Tree;

use super::model::Model;
use super::{other_places, read, show_table, trained, used};
use crate::args::{PruneArgs, PruningWord};
use crate::failure::{Failure, Result};
use crate::input::{self, Input, Needed, Scan, model_dtypes};
use crate::output::Destination;
use crate::progress::Progress;
use crate::report::Report;
use crate::terminal;

pub fn run(args: PruneArgs) -> Result<()> {
    let from = Path::new(&args.model);
    let cv = args.judged.cross_validation(args.pruning)?;
    if cv.is_some() == args.input.is_empty() {
        return Err(Failure::words(match cv {
            Some(_) => "cross-validation needs the rows the tree was fitted on: name their file",
            None => "only cross-validation reads an INPUT: add --pruning cv=10, or leave it out",
        }));
    }
    let (inputs, held_out) = (input::resolve(&args.input)?, input::resolve(&args.judged.held_out)?);
    let mut places = input::paths(Some(&args.model), &inputs);
    places.extend(input::paths(None, &held_out));
    if args.pruning.is_none() && held_out.is_empty() {
        let to = Destination::resolve(args.output.as_deref(), &places)?;
        let path = Tree::load(from)?.cost_complexity_path()?;
        return show_table(&path, to.as_ref(), &mut Report::start(None), || {
            terminal::whole_table(&path)
        });
    }
    let out = args.output.as_deref().ok_or_else(|| {
        Failure::words("a pruned tree is a model: name its file with -o, as in -o small.json")
    })?;
    let to = Model::resolve(out, &places)?;
    let scores = Destination::resolve(args.judged.scores.as_deref(), &places)?;
    other_places(&to, &[("--scores", scores.as_ref().map(Destination::path))])?;
    let tree = Tree::load(from)?;
    let progress = Progress::start();
    let pruned = match (args.pruning, cv) {
        (Some(PruningWord::Spec(pruning)), _) => tree.prune(pruning)?,
        (_, Some(cv)) => {
            let scan = Scan::new(inputs, model_dtypes(&tree, Needed::All))?;
            let df = read(&scan, Some(trained(&tree)), &mut Report::start(None), &progress)?;
            progress.say(format!("fitting {} trees", cv.folds));
            let found = tree.prune_cross_validated(&df, &cv)?;
            if let Some(scores) = scores {
                scores.write(&found.cv)?;
            }
            found.tree
        }
        _ => by_held_out(&tree, held_out, &progress)?,
    };
    drop(progress);
    to.write(&pruned)?;
    to.note(&pruned);
    Ok(())
}

/// The tree pruned by the rows of held-out files.
pub(super) fn by_held_out(tree: &Tree, held_out: Vec<Input>, progress: &Progress) -> Result<Tree> {
    let scan = Scan::new(held_out, model_dtypes(tree, Needed::UsedAndTarget))?;
    let mut needed = used(tree);
    needed.push(&tree.schema().target);
    let df = read(&scan, Some(needed), &mut Report::start(None), progress)?;
    Ok(tree.prune_reduced_error(&df)?)
}
