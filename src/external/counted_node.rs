//! One node whose bins are counted: which bins are worth a look, and its rule.

use super::alive_bins::AliveBins;
use super::counted_column::{CountedColumn, left_out};
use super::growing_tree::NodeRule;
use super::grown_nodes::rule_of;
use super::key_range::KeyRange;
use super::passes::changed;
use super::prepare::Prepared;
use super::row_store::{BinCounts, Moments};
use super::stats::{CountedStats, most_impure};
use super::waiting_node::WaitingNode;
use crate::error::Result;
use crate::grow::Grower;
use crate::split::{Candidate, SplitPolicy};
use crate::stat::{CountRows, StatVec, Summary};
use crate::tree::Split;

pub(super) struct CountedNode<S: CountRows> {
    pub(super) waiting: WaitingNode<S::Num>,
    pub(super) total: StatVec<S::Num>,
    /// `None` where moments are not known yet.
    pub(super) summary: Option<Summary>,
    pub(super) values: Vec<f64>,
    pub(super) columns: Vec<CountedColumn<S::Num>>,
}

/// The rule of a node, in keys and in values.
pub(super) struct Decided<N> {
    pub(super) rule: NodeRule,
    /// As yet without branches.
    pub(super) split: Split,
    /// The rows and the stat of each branch.
    pub(super) branches: Vec<(u64, StatVec<N>)>,
}

impl<S: CountedStats> CountedNode<S> {
    pub(super) fn new(
        mut waiting: WaitingNode<S::Num>,
        centre: i64,
        moments: Option<Moments>,
        bins: Vec<BinCounts>,
        stats: &S,
        prepared: &Prepared,
    ) -> Result<CountedNode<S>> {
        let mut columns = Vec::with_capacity(bins.len());
        for (&column, counts) in waiting.columns.iter().zip(&bins) {
            let bins = prepared.columns[column as usize].bins.for_rows(waiting.rows);
            let counted = CountedColumn::new::<S>(column, bins, counts, centre, &waiting)?;
            waiting.total.get_or_insert_with(|| counted.total());
            columns.push(counted);
        }
        let Some(total) = waiting.total.clone() else {
            return Err(changed("a node has no columns"));
        };
        let (summary, values) = (None, Vec::new());
        let mut node = CountedNode { waiting, total, summary, values, columns };
        node.summarize(stats, moments.as_ref());
        Ok(node)
    }

    pub(super) fn summarize(&mut self, stats: &S, moments: Option<&Moments>) {
        self.values.clear();
        self.summary = stats.summarize_counted(&self.total, moments, &mut self.values);
    }

    /// Whether the node is a leaf whatever its columns hold, so far as is known.
    pub(super) fn is_leaf(&self, grower: &Grower) -> bool {
        let WaitingNode { depth, rows, columns, .. } = &self.waiting;
        let leaf = |summary| grower.is_leaf(*depth, *rows as usize, columns.len(), summary);
        self.summary.is_some_and(leaf)
    }

    /// The columns that vary in the node.
    pub(super) fn varying(&self) -> Vec<u32> {
        self.columns.iter().filter(|c| c.varies()).map(|c| c.column).collect()
    }

    fn policy(&self, grower: &Grower, stats: &S, prepared: &Prepared) -> SplitPolicy {
        // A gain is counted as zero rather too often than too seldom, so that no bin dies of it.
        let known = self.summary.map(|summary| summary.impurity);
        let impurity = known.unwrap_or_else(|| most_impure(&prepared.coding.target));
        grower.policy_at(stats.rating(), impurity)
    }

    fn candidates(
        &self,
        policy: &SplitPolicy,
        grower: &Grower,
        stats: &S,
        prepared: &Prepared,
    ) -> Vec<(u32, Candidate)> {
        let best = |column: &CountedColumn<S::Num>| {
            let of = &prepared.columns[column.column as usize];
            let policy = grower.policy_of(column.column, policy);
            Some((column.column, column.best(&policy, stats.rating(), of)?))
        };
        self.columns.iter().filter_map(best).collect()
    }

    /// For each column of keys that may do better inside its bins, the bins to look into: the
    /// column by its index here.
    ///
    /// Where the highest gain is chosen, the gain to reach is the best boundary's of all columns;
    /// else each column's own best cut must be found.
    pub(super) fn alive(
        &self,
        grower: &Grower,
        stats: &S,
        prepared: &Prepared,
    ) -> Vec<(usize, AliveBins)> {
        let policy = self.policy(grower, stats, prepared);
        let candidates = self.candidates(&policy, grower, stats, prepared);
        let highest =
            |gains: &mut dyn Iterator<Item = f64>| gains.fold(grower.selector.min_gain, f64::max);
        let of_all = highest(&mut candidates.iter().map(|(_, c)| c.gain));
        let alive = |(index, column): (usize, &CountedColumn<S::Num>)| {
            let gain = match grower.selector.goes_by_gain() {
                true => of_all,
                false => {
                    let own = candidates.iter().filter(|(of, _)| *of == column.column);
                    highest(&mut own.map(|(_, c)| c.gain))
                }
            };
            let of = &prepared.columns[column.column as usize];
            let bins = column.alive(&policy, stats.rating(), of, gain);
            (!bins.is_empty()).then_some((index, bins))
        };
        self.columns.iter().enumerate().filter_map(alive).collect()
    }

    /// Forgets the values of a column's bins but for those that the best cut is between. Before the
    /// node is summarized the best cut is not known.
    pub(super) fn settle(
        &mut self,
        column: usize,
        bins: &[KeyRange],
        grower: &Grower,
        stats: &S,
        prepared: &Prepared,
    ) {
        if self.summary.is_some() {
            let policy = self.policy(grower, stats, prepared);
            let column = &mut self.columns[column];
            let of = &prepared.columns[column.column as usize];
            let beside = column.beside_best(&policy, stats.rating(), of);
            column.settle(&beside, bins);
        }
    }

    /// The node's rule, if there is one.
    pub(super) fn decide(
        &self,
        grower: &Grower,
        stats: &S,
        prepared: &Prepared,
    ) -> Result<Option<Decided<S::Num>>> {
        let policy = self.policy(grower, stats, prepared);
        let candidates = self.candidates(&policy, grower, stats, prepared);
        let Some((column, candidate)) = grower.selector.choose(&candidates) else {
            return Ok(None);
        };
        let Some(counted) = self.columns.iter().find(|c| c.column == *column) else {
            return Ok(None);
        };
        let of = &prepared.columns[*column as usize];
        let Some(test) = counted.test(&candidate.test, of) else {
            return Err(left_out(of));
        };
        let &Candidate { gain, missing_to, approximate, .. } = candidate;
        let (rule, branches) = (rule_of(*column, of, &test, missing_to), Vec::new());
        Ok(Some(Decided {
            rule: NodeRule { column: *column, test, missing_to },
            split: Split { rule, branches, gain, approximate },
            branches: counted.branches(candidate),
        }))
    }
}
