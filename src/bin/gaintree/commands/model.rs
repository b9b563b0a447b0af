//! A model as the result of a command.

use std::path::Path;

use gaintree::Tree;

use super::count;
use crate::failure::{Failure, Result};
use crate::format::Format;
use crate::output;

/// Where a model goes.
pub enum Model<'a> {
    Standard,
    File(&'a Path),
}

impl<'a> Model<'a> {
    pub fn resolve(out: &'a str, inputs: &[&Path]) -> Result<Model<'a>> {
        if out == "-" {
            return Ok(Model::Standard);
        }
        let path = Path::new(out);
        // Most likely the table of importances was meant, or an input.
        if Format::of(path).is_some_and(|format| format != Format::Json) {
            return Err(Failure::words(format!(
                "output `{out}`: a model is json; name it so, as in `model.json` (--importance \
                 takes the name of a table)"
            )));
        }
        output::check_place(path, inputs)?;
        Ok(Model::File(path))
    }

    /// The file; `None` is standard output.
    pub fn path(&self) -> Option<&'a Path> {
        match self {
            Model::Standard => None,
            Model::File(path) => Some(path),
        }
    }

    pub fn write(&self, tree: &Tree) -> Result<()> {
        match self {
            Model::Standard => output::print(&tree.to_json()),
            Model::File(path) => Ok(tree.save(path)?),
        }
    }

    /// Says what was written where.
    pub fn note(&self, tree: &Tree) {
        let (n, l) = (count(tree.n_nodes() as u64, "node"), leaves_text(tree.n_leaves()));
        let place = match self {
            Model::Standard => "standard output".to_string(),
            Model::File(path) => path.display().to_string(),
        };
        output::note(&format!("{n}, {l}, depth {} -> {place}", tree.depth()));
    }
}

fn leaves_text(n: usize) -> String {
    if n == 1 { "1 leaf".to_string() } else { format!("{n} leaves") }
}
