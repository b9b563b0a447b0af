//! Every column's best candidate at a node, rated and chosen as in growth.

use super::column_policy::ColumnPolicy;
use super::grower::Grower;
use super::prepare::Sharing;
use crate::data::column::{Codes, Column, EntryLayout};
use crate::data::weights::Weights;
use crate::encode::table::Table;
use crate::spec::TreeSpec;
use crate::split::{Candidate, ColumnView, PresortedView, Scratch, SplitPolicy, best_candidate};
use crate::stat::{ClassRows, Count, NumberRows, RowStats, TargetVisitor};

pub(crate) struct NodeRows<'a> {
    pub(crate) depth: u32,
    /// Ascending.
    pub(crate) rows: Vec<u32>,
    /// Of all rows of the table, as growth counts them at this node.
    pub(crate) weights: Option<&'a Weights>,
    pub(crate) sharing: Option<&'a Sharing>,
}

pub(crate) struct RatedCandidate {
    pub(crate) column: u32,
    pub(crate) candidate: Candidate,
    /// Whether the selection may take it.
    pub(crate) allowed: bool,
    /// Whether the selection takes it.
    pub(crate) chosen: bool,
    /// Whether it is one of several allowed candidates that share the winning score.
    pub(crate) tied: bool,
}

/// Every column's best candidate at a node, by the score of the spec's selection, ties in column
/// order. Columns without a candidate are left out. Linear in rows and columns.
pub(crate) fn rated_candidates(
    spec: &TreeSpec,
    table: &Table,
    node: NodeRows,
) -> Vec<RatedCandidate> {
    let NodeRows { depth, rows, weights, sharing } = node;
    let columns = table.columns.iter().map(|column| &column.info);
    let policies = ColumnPolicy::of_columns(spec, columns, table.n_rows());
    let grower = Grower::new(spec, policies, sharing, None);
    let visitor = NodeVisitor { grower, depth, rows, columns: &table.columns };
    visitor.visit(&table.target, weights, spec.criterion, spec.log_base)
}

struct NodeVisitor<'a> {
    grower: Grower<'a>,
    depth: u32,
    rows: Vec<u32>,
    columns: &'a [Column],
}

impl TargetVisitor for NodeVisitor<'_> {
    type Output = Vec<RatedCandidate>;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        self.candidates(rows)
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        self.candidates(rows)
    }
}

impl NodeVisitor<'_> {
    fn candidates<S: RowStats>(&self, stats: S) -> Vec<RatedCandidate> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let total = stats.total(&self.rows, EntryLayout::ROWS);
        let summary = stats.summarize(&self.rows, &total, &mut Vec::new());
        let n_columns = self.columns.len();
        let is_leaf = self.grower.is_leaf(self.depth, self.rows.len(), n_columns, summary);
        let policy = self.grower.policy_at(stats.rating(), summary.impurity);
        let policy = SplitPolicy { with_split_info: true, ..policy };
        let found = self.search(&policy, &stats, &total);
        let selector = &self.grower.selector;
        let lowest = selector.lowest_gain(&found);
        let best = selector.choose(&found).filter(|_| !is_leaf);
        let best = best.map(|(column, candidate)| (*column, selector.score(candidate)));
        let allowed = |c: &Candidate| !is_leaf && selector.allows(c, lowest);
        let wins =
            |c: &Candidate| allowed(c) && best.is_some_and(|(_, score)| selector.score(c) == score);
        let winners = found.iter().filter(|(_, c)| wins(c)).count();
        let rate = |(column, candidate): (u32, Candidate)| RatedCandidate {
            column,
            allowed: allowed(&candidate),
            chosen: best.is_some_and(|(chosen, _)| chosen == column),
            tied: winners > 1 && wins(&candidate),
            candidate,
        };
        let mut rated: Vec<RatedCandidate> = found.into_iter().map(rate).collect();
        // The sort is stable: ties stay in column order.
        let score = |rated: &RatedCandidate| selector.score(&rated.candidate);
        rated.sort_by(|a, b| score(b).total_cmp(&score(a)));
        rated
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
        let mut best = |(at, column): (u32, &Column)| {
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
            let policy = self.grower.policy_of(at, policy);
            Some((at, best_candidate(&policy, stats, total, column.kind, view, &mut scratch)?))
        };
        (0..).zip(self.columns).filter_map(&mut best).collect()
    }
}
