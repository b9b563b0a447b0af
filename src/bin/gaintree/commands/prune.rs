//! `gaintree prune`: a smaller tree from a fitted one, or the sequence to choose from.

use std::path::Path;

use gaintree::Tree;

use super::model::Model;
use super::{show_table, used};
use crate::args::PruneArgs;
use crate::failure::{Failure, Result};
use crate::input::{self, Scan, model_dtypes};
use crate::output::Destination;
use crate::progress::Progress;
use crate::report::Report;
use crate::terminal;

pub fn run(args: PruneArgs) -> Result<()> {
    let from = Path::new(&args.model);
    let held_out = input::resolve(&args.held_out)?;
    if args.pruning.is_none() && held_out.is_empty() {
        let to = Destination::resolve(args.output.as_deref(), &[from])?;
        let path = Tree::load(from)?.cost_complexity_path()?;
        return show_table(&path, to.as_ref(), &mut Report::start(None), || {
            terminal::whole_table(&path)
        });
    }
    let out = args.output.as_deref().ok_or_else(|| {
        Failure::words("a pruned tree is a model: name its file with -o, as in -o small.json")
    })?;
    let to = Model::resolve(out, &input::paths(Some(&args.model), &held_out))?;
    let tree = Tree::load(from)?;
    let pruned = match args.pruning {
        Some(pruning) => tree.prune(pruning)?,
        None => {
            let progress = Progress::start();
            let scan = Scan::new(held_out, model_dtypes(&tree, true))?;
            let mut needed = used(&tree);
            needed.push(&tree.schema().target);
            let df = super::read(&scan, Some(needed), &mut Report::start(None), &progress)?;
            tree.prune_reduced_error(&df)?
        }
    };
    to.write(&pruned)?;
    to.note(&pruned);
    Ok(())
}
