//! A model, or a scorecard, as the result of a command.

use gaintree::{Model, Scorecard};

use super::count;
use crate::output::{Output, RunReport, note, print};
use crate::process::Result;

pub fn write_model(model: &Model, to: &Output) -> Result<()> {
    match to.path() {
        None => print(&model.to_json()),
        Some(path) => Ok(model.save(path)?),
    }
}

pub fn write_card(card: &Scorecard, to: &Output) -> Result<()> {
    let Some(path) = to.path() else { return print(&card.to_json()) };
    card.save(path)?;
    let features = count(card.features().count() as u64, "feature");
    note(&format!("a scorecard of {features} -> {}", path.display()));
    Ok(())
}

/// Says what was written where, and puts the model's size into the report.
pub fn note_model(model: &Model, to: &Output, report: &mut RunReport) {
    let (nodes, leaves, depth) = match model {
        Model::Tree(tree) => (tree.n_nodes(), tree.n_leaves(), tree.depth()),
        Model::Forest(forest) => (forest.n_nodes(), forest.n_leaves(), forest.depth()),
    };
    let mut trees = String::new();
    if let Model::Forest(forest) = model {
        trees = count(forest.n_trees() as u64, "tree") + ", ";
        report.figure("trees", forest.n_trees());
    }
    report.figure("nodes", nodes);
    report.figure("leaves", leaves);
    report.figure("depth", depth);
    let nodes = count(nodes as u64, "node");
    let leaves = match leaves {
        1 => "1 leaf".to_string(),
        n => format!("{n} leaves"),
    };
    let name = to.path().map_or("standard output".to_string(), |path| path.display().to_string());
    note(&format!("{trees}{nodes}, {leaves}, depth {depth} -> {name}"));
}
