//! Why a node split as it did: every column's best candidate, rated as growth rates it.

use std::borrow::Cow;

use crate::data::weights::Weights;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::grow::{
    NodeRows, RatedCandidate, check, feature_of, rated_candidates, rule_of, sharing, units_at,
};
use crate::score::Routes;
use crate::tree::TreeData;

/// A column's best candidate at a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeCandidate {
    /// The column's index in the table.
    pub column: u32,
    /// The rule as text.
    pub rule: String,
    /// In the criterion's units.
    pub gain: f64,
    /// Entropy of the branches' weights.
    pub split_info: f64,
    /// Gain over split info.
    pub gain_ratio: f64,
    /// Whether the selection may take it.
    pub allowed: bool,
    /// Whether the selection takes it.
    pub chosen: bool,
    /// Whether it is one of several allowed candidates that share the winning score.
    pub tied: bool,
    /// The condition of the branch of missing values; `None` where they stop.
    pub missing_to: Option<String>,
}

/// Every column's best candidate at a node of the tree, over the table's rows that pass through
/// it, by the score of the tree's selection, ties in column order. Columns without a candidate are
/// left out. The chosen one is the first that is allowed.
///
/// `routes` has all rows the table was encoded from. The table's columns are the tree's
/// features, in the schema's order. Linear in rows and columns.
///
/// # Errors
/// A node the tree does not have, a table of other columns or rows, and as growth on the table.
pub fn node_candidates(
    tree: &TreeData,
    table: &Table,
    node: u32,
    routes: &Routes,
) -> Result<Vec<NodeCandidate>> {
    let Some(depth) = tree.nodes.get(node as usize).map(|n| n.depth) else {
        return Err(Error::spec(format!(
            "node_id is {node}, and the tree's nodes are 0 to {}: see the table of its nodes",
            tree.nodes.len().saturating_sub(1)
        )));
    };
    check(table, &tree.spec)?;
    let kept = table.context.kept.clone().unwrap_or_else(|| table.all_rows());
    let names = tree.schema.features.iter().map(|f| &f.name);
    let is_routed = kept.iter().all(|&row| (row as usize) < routes.nodes.len());
    if !is_routed || !names.eq(table.columns.iter().map(|c| &c.name)) {
        return Err(Error::data(
            "the table is not of the tree's features and of the rows that were routed".to_string(),
        ));
    }
    let weights = table.weights.as_ref().map(Cow::Borrowed);
    let (weights, _) = table.target.class_weighted(None, weights, &tree.spec.class_weights)?;
    let weights = weights.map(Cow::into_owned);
    let has_missing = table.columns.iter().any(|column| column.first_missing().is_some());
    let sharing = sharing(&tree.spec, weights.as_ref(), has_missing);
    let mut weights = match sharing {
        Some(_) => Some(Weights::divisible(weights, table.n_rows())),
        None => weights,
    };
    let parts: Vec<Vec<u32>> = {
        let mut of_all = vec![Vec::new(); routes.nodes.len()];
        routes.parts().for_each(|(row, part)| of_all[row].push(part.node));
        kept.iter().map(|&row| std::mem::take(&mut of_all[row as usize])).collect()
    };
    let rows = match (&mut weights, &sharing) {
        (Some(weights), Some(sharing)) => {
            let units = std::mem::take(&mut weights.units);
            weights.units = units_at(tree, node, &parts, units, &sharing.copies);
            (0u32..).zip(&weights.units).filter(|(_, u)| **u > 0).map(|(row, _)| row).collect()
        }
        _ => {
            let below = node..tree.end_of_subtree(node);
            let is_here = |parts: &&Vec<u32>| parts.iter().any(|id| below.contains(id));
            let rows = (0u32..).zip(&parts).filter(|(_, parts)| is_here(parts));
            rows.map(|(row, _)| row).collect()
        }
    };
    let rows = NodeRows { depth, rows, weights: weights.as_ref(), sharing: sharing.as_ref() };
    let named = |rated: RatedCandidate| {
        let RatedCandidate { column: at, candidate, allowed, chosen, tied } = rated;
        let column = &table.columns[at as usize];
        let (feature, rule) = (feature_of(column, false, true), rule_of(at, column, &candidate));
        NodeCandidate {
            column: at,
            rule: rule.summary(&feature),
            gain: candidate.gain,
            split_info: candidate.split_info.unwrap_or(0.0),
            gain_ratio: candidate.gain_ratio(),
            allowed,
            chosen,
            tied,
            missing_to: candidate.missing_to.map(|b| rule.describe_branch(&feature, b)),
        }
    };
    Ok(rated_candidates(&tree.spec, table, rows).into_iter().map(named).collect())
}
