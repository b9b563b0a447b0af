//! A model as the result of a command.

use std::path::Path;

use gaintree::Tree;

use super::count;
use crate::output::{Output, TextFormat, note, print};
use crate::process::Result;

/// Where a model goes.
pub fn of_model(out: &str, taken: &[&Path]) -> Result<Output> {
    Output::of_text(out, taken, TextFormat::Model)
}

pub fn write_model(tree: &Tree, to: &Output) -> Result<()> {
    match to.path() {
        None => print(&tree.to_json()),
        Some(path) => Ok(tree.save(path)?),
    }
}

/// Says what was written where.
pub fn note_model(tree: &Tree, to: &Output) {
    let nodes = count(tree.n_nodes() as u64, "node");
    let leaves = match tree.n_leaves() {
        1 => "1 leaf".to_string(),
        n => format!("{n} leaves"),
    };
    let name = to.path().map_or("standard output".to_string(), |path| path.display().to_string());
    note(&format!("{nodes}, {leaves}, depth {} -> {name}", tree.depth()));
}
