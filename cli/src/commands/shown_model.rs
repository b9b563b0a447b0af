//! The model, or the part of it, that `gaintree show` shows.

use std::fmt::Display;
use std::io::{self, IsTerminal, Read};

use gaintree::{Model, RowScorer, Tree, Voting};

use crate::args::show::ShowArgs;
use crate::process::{Failure, Result};

/// A tree, a forest, or one of its trees, and how the trees of a forest vote.
pub(super) fn whole(model: Model, args: &ShowArgs) -> Result<(Model, Voting)> {
    match (model, args.tree) {
        (model @ Model::Forest(_), None) => {
            Ok((model, if args.votes { Voting::Hard } else { Voting::Soft }))
        }
        _ if args.votes => {
            Err(Failure::usage("--votes is of a forest, and this is one tree: leave it out"))
        }
        (model, number) => Ok((Model::Tree(one_tree(model, number)?), Voting::Soft)),
    }
}

/// What a file, or standard input, holds.
pub(super) fn read(path: &str) -> Result<RowScorer> {
    if path != "-" {
        return Ok(RowScorer::load(path)?);
    }
    let (mut input, mut text) = (io::stdin().lock(), String::new());
    if input.is_terminal() {
        return Err(Failure::usage(
            "model `-` is standard input, and that is a terminal: pipe a model into it, or name a file",
        ));
    }
    let of_input = |e: &dyn Display| Failure::work(format!("cannot read standard input: {e}"));
    input.read_to_string(&mut text).map_err(|e| of_input(&e))?;
    RowScorer::from_json(&text).map_err(|e| of_input(&e))
}

/// The model, or one of the trees of a forest; the first is 1.
pub(super) fn one_tree(model: Model, number: Option<u64>) -> Result<Tree> {
    match (model, number) {
        (Model::Tree(tree), None) => Ok(tree),
        (Model::Tree(_), Some(_)) => {
            Err(Failure::usage("--tree is of a forest, and the model is one tree: leave it out"))
        }
        (Model::Forest(forest), None) => Err(Failure::usage(format!(
            "the model is a forest of {} trees: name one of them, as --tree 1",
            forest.n_trees()
        ))),
        (Model::Forest(forest), Some(number)) => {
            let tree = usize::try_from(number - 1).ok().and_then(|at| forest.tree(at));
            tree.ok_or_else(|| {
                Failure::usage(format!(
                    "--tree is {number}, and the forest has {} trees: name one of them",
                    forest.n_trees()
                ))
            })
        }
    }
}
