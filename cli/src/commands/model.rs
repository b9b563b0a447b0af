//! A model, or a scorecard, as the result of a command.

use std::path::Path;

use gaintree::{Forest, Scorecard, Tree};

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

pub fn write_forest(forest: &Forest, to: &Output) -> Result<()> {
    match to.path() {
        None => print(&forest.to_json()),
        Some(path) => Ok(forest.save(path)?),
    }
}

/// Writes a scorecard, and says where.
pub fn write_card(card: &Scorecard, to: &Output) -> Result<()> {
    let Some(path) = to.path() else { return print(&card.to_json()) };
    card.save(path)?;
    let features = count(card.features().count() as u64, "feature");
    note(&format!("a scorecard of {features} -> {}", path.display()));
    Ok(())
}

/// Says what was written where.
pub fn note_model(tree: &Tree, to: &Output) {
    note_size("", [tree.n_nodes(), tree.n_leaves()], tree.depth(), to);
}

/// Says what was written where.
pub fn note_forest(forest: &Forest, to: &Output) {
    let trees = count(forest.n_trees() as u64, "tree") + ", ";
    note_size(&trees, [forest.n_nodes(), forest.n_leaves()], forest.depth(), to);
}

fn note_size(before: &str, [nodes, leaves]: [usize; 2], depth: u32, to: &Output) {
    let nodes = count(nodes as u64, "node");
    let leaves = match leaves {
        1 => "1 leaf".to_string(),
        n => format!("{n} leaves"),
    };
    let name = to.path().map_or("standard output".to_string(), |path| path.display().to_string());
    note(&format!("{before}{nodes}, {leaves}, depth {depth} -> {name}"));
}
