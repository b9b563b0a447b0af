//! Why a node split as it did: every column's best candidate, rated as growth rates it.

use crate::data::column::{Codes, Column, EntryLayout};
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::grow::{Grower, check, feature_of, rule_of, shared_weights, units_at};
use crate::score::Routes;
use crate::split::{Candidate, ColumnView, PresortedView, Scratch, SplitPolicy, best_candidate};
use crate::stat::criterion::quotient;
use crate::stat::{ClassRows, Count, NumberRows, Rating, RowStats, TargetVisitor};
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
    let weights = table.weights.clone();
    let weights = table.target.class_weighted(weights, &tree.spec.class_weights)?;
    let (mut weights, sharing) = shared_weights(&tree.spec, weights, table);
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
    let visitor = NodeVisitor {
        grower: Grower::new(&tree.spec, &table.columns, table.n_rows(), sharing.as_ref()),
        depth,
        rows,
        columns: &table.columns,
    };
    let (criterion, base) = (tree.spec.criterion, tree.spec.log_base);
    Ok(visitor.visit(&table.target, weights.as_ref(), criterion, base))
}

/// A node and its rows.
struct NodeVisitor<'a> {
    grower: Grower,
    depth: u32,
    /// Ascending, as growth has them.
    rows: Vec<u32>,
    columns: &'a [Column],
}

impl TargetVisitor for NodeVisitor<'_> {
    type Output = Vec<NodeCandidate>;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        self.candidates(rows)
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        self.candidates(rows)
    }
}

impl NodeVisitor<'_> {
    fn candidates<S: RowStats>(&self, stats: S) -> Vec<NodeCandidate> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let total = stats.total(&self.rows, EntryLayout::ROWS);
        let summary = stats.summarize(&self.rows, &total, &mut Vec::new());
        let is_leaf = self.grower.is_leaf(self.depth, self.rows.len(), summary);
        let zero_below = stats.rating().zero_below(summary.impurity);
        let policy = SplitPolicy { zero_below, ..self.grower.policy };
        let found = self.search(&policy, &stats, &total);
        let selector = &self.grower.selector;
        let lowest = selector.lowest_gain(&found);
        let chosen = selector.choose(&found).filter(|_| !is_leaf);
        let allowed = |c: &Candidate| !is_leaf && selector.allows(c, lowest);
        let wins = |c: &Candidate| {
            allowed(c) && chosen.is_some_and(|(_, best)| selector.score(c) == selector.score(best))
        };
        let winners = found.iter().filter(|(_, c)| wins(c)).count();

        let mut rated: Vec<&(u32, Candidate)> = found.iter().collect();
        // The sort is stable: ties stay in column order.
        rated.sort_by(|a, b| selector.score(&b.1).total_cmp(&selector.score(&a.1)));
        rated
            .into_iter()
            .map(|&(at, ref c)| {
                let column = &self.columns[at as usize];
                let (feature, rule) = (feature_of(column, false, true), rule_of(at, column, c));
                NodeCandidate {
                    column: at,
                    rule: rule.summary(&feature),
                    gain: c.gain,
                    split_info: c.split_info,
                    gain_ratio: quotient(c.gain, c.split_info),
                    allowed: allowed(c),
                    chosen: chosen.is_some_and(|&(column, _)| column == at),
                    tied: winners > 1 && wins(c),
                    missing_to: c.missing_to.map(|b| rule.describe_branch(&feature, b)),
                }
            })
            .collect()
    }

    /// The columns' best candidates, in column order.
    fn search<S: RowStats>(
        &self,
        policy: &SplitPolicy,
        stats: &S,
        total: &[S::Num],
    ) -> Vec<(u32, Candidate)> {
        let mut is_here = vec![false; self.columns.first().map_or(0, Column::len)];
        self.rows.iter().for_each(|&row| is_here[row as usize] = true);
        let mut scratch = Scratch::default();
        let mut best = |column: &Column| {
            let missing = column.missing_code();
            let order: Vec<u32>;
            let view = match &column.codes {
                Codes::ByRow(codes) => ColumnView::ByRow { codes, rows: &self.rows, missing },
                Codes::Sorted(sorted) => {
                    let rows = sorted.order.iter().copied();
                    order = rows.filter(|&row| is_here[row as usize]).collect();
                    ColumnView::Presorted(PresortedView::of(column, sorted, &order))
                }
            };
            best_candidate(policy, stats, total, column.kind, view, &mut scratch)
        };
        let found = (0u32..).zip(self.columns.iter().map(&mut best));
        found.filter_map(|(at, candidate)| Some((at, candidate?))).collect()
    }
}
