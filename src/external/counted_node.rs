//! One node whose bins are counted: which bins are worth a look, and its rule.

use super::counted_column::{AliveBins, CountedColumn, left_out};
use super::counting::{AliveColumn, CutSearch};
use super::growing_tree::{NodeRule, WaitingNode};
use super::key_range::KeyRange;
use super::passes::changed;
use super::prepare::Prepared;
use super::row_store::{BinCounts, BinRequest, MomentRequest, Moments};
use super::stats::{CountedStats, most_impure};
use crate::data::dtype::Value;
use crate::error::Result;
use crate::grow::Grower;
use crate::spec::TreeSpec;
use crate::split::{Candidate, SplitPolicy};
use crate::stat::{CountRows, StatVec, Summary};
use crate::util::parallel;

pub(super) struct CountedNode<S: CountRows> {
    pub(super) waiting: WaitingNode<S::Num>,
    pub(super) total: StatVec<S::Num>,
    /// `None` where moments are not known yet.
    pub(super) summary: Option<Summary>,
    pub(super) values: Vec<f64>,
    pub(super) columns: Vec<CountedColumn<S::Num>>,
}

/// What is the same for all nodes of a growth.
pub(super) struct NodeRater<'a, S> {
    pub(super) spec: &'a TreeSpec,
    pub(super) grower: Grower<'a>,
    pub(super) stats: S,
    pub(super) prepared: &'a Prepared,
}

/// The rule of a node, in keys and in values.
pub(super) struct Decided<N> {
    pub(super) rule: NodeRule,
    pub(super) candidate: Candidate<Value>,
    pub(super) branches: Vec<(u64, StatVec<N>)>,
}

impl<S: CountedStats> CountedNode<S> {
    pub(super) fn new(
        mut waiting: WaitingNode<S::Num>,
        bins: &[(BinRequest, BinCounts)],
        moments: Option<&Moments>,
        rater: &NodeRater<S>,
    ) -> Result<CountedNode<S>> {
        let mut columns = Vec::with_capacity(bins.len());
        for counted in bins {
            let of = &rater.prepared.columns[counted.0.column as usize];
            columns.push(CountedColumn::new::<S>(counted, of, &mut waiting)?);
        }
        let Some(total) = waiting.total.clone() else {
            return Err(changed("a node has no columns"));
        };
        let (summary, values) = (None, Vec::new());
        let mut node = CountedNode { waiting, total, summary, values, columns };
        node.summarize(&rater.stats, moments);
        Ok(node)
    }

    fn summarize(&mut self, stats: &S, moments: Option<&Moments>) {
        self.values.clear();
        self.summary = stats.summarize_counted(&self.total, moments, &mut self.values);
    }

    /// Whether the node is known to be a leaf, whatever its columns hold.
    pub(super) fn is_leaf(&self, rater: &NodeRater<S>) -> bool {
        let WaitingNode { depth, rows, columns, .. } = &self.waiting;
        let leaf = |summary| rater.grower.is_leaf(*depth, *rows as usize, columns.len(), summary);
        self.summary.is_some_and(leaf)
    }

    pub(super) fn varying(&self) -> Vec<u32> {
        self.columns.iter().filter(|c| c.varies()).map(|c| c.column).collect()
    }

    fn policy(&self, rater: &NodeRater<S>) -> SplitPolicy {
        let NodeRater { grower, stats, prepared, .. } = rater;
        // Without an impurity too many gains count as zero, so that no bin is dead by mistake.
        let known = self.summary.map(|summary| summary.impurity);
        let impurity = known.unwrap_or_else(|| most_impure(&prepared.coding.target));
        grower.policy_at(stats.rating(), impurity)
    }

    fn candidates(&self, policy: &SplitPolicy, rater: &NodeRater<S>) -> Vec<(u32, Candidate)> {
        let NodeRater { grower, stats, prepared, .. } = rater;
        let best = |column: &CountedColumn<S::Num>| {
            let of = &prepared.columns[column.column as usize];
            let policy = grower.policy_of(column.column, policy);
            Some((column.column, column.best(&policy, stats.rating(), of)?))
        };
        self.columns.iter().filter_map(best).collect()
    }

    /// The columns that have alive bins, by index, and these bins.
    ///
    /// Where the highest gain is chosen, a cut must reach the gain of the best boundary of all columns.
    /// Otherwise the best cut of each column must be found.
    fn alive(&self, rater: &NodeRater<S>) -> Vec<(usize, AliveBins)> {
        let NodeRater { grower, stats, prepared, .. } = rater;
        let policy = self.policy(rater);
        let candidates = self.candidates(&policy, rater);
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

    pub(super) fn decide(&self, rater: &NodeRater<S>) -> Result<Option<Decided<S::Num>>> {
        let candidates = self.candidates(&self.policy(rater), rater);
        let Some((column, candidate)) = rater.grower.selector.choose(&candidates) else {
            return Ok(None);
        };
        let Some(counted) = self.columns.iter().find(|c| c.column == *column) else {
            return Ok(None);
        };
        let of = &rater.prepared.columns[*column as usize];
        let Some(test) = counted.test(&candidate.test, of) else {
            return Err(left_out(of));
        };
        let in_values = test.map_cut(|cut| of.cut_value(*cut));
        Ok(Some(Decided {
            rule: NodeRule { column: *column, test, missing_to: candidate.missing_to },
            candidate: candidate.with_test(in_values),
            branches: counted.branches(candidate),
        }))
    }
}

/// The open nodes of a growth, whose best cuts are wanted.
pub(super) struct NodeCuts<'n, 'a, S: CountedStats> {
    pub(super) nodes: &'n mut [CountedNode<S>],
    pub(super) rater: &'n NodeRater<'a, S>,
}

impl<S: CountedStats> CutSearch<S> for NodeCuts<'_, '_, S> {
    type At = (usize, usize);

    fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    fn alive(&self) -> Vec<AliveColumn<(usize, usize)>> {
        let of_nodes = parallel::map(&*self.nodes, |node| match node.is_leaf(self.rater) {
            true => Vec::new(),
            false => node.alive(self.rater),
        });
        let of_node = |(at, alive): (usize, Vec<(usize, AliveBins)>)| {
            alive.into_iter().map(move |(column, bins)| AliveColumn { at: (at, column), bins })
        };
        of_nodes.into_iter().enumerate().flat_map(of_node).collect()
    }

    fn column(&self, (node, column): (usize, usize)) -> &CountedColumn<S::Num> {
        &self.nodes[node].columns[column]
    }

    fn column_mut(&mut self, (node, column): (usize, usize)) -> &mut CountedColumn<S::Num> {
        &mut self.nodes[node].columns[column]
    }

    fn settle(&mut self, (node, column): (usize, usize), ranges: &[KeyRange]) {
        let (node, rater) = (&mut self.nodes[node], self.rater);
        // Before the node is summarized its best cut is not known.
        if node.summary.is_some() {
            let (policy, column) = (node.policy(rater), &mut node.columns[column]);
            let of = &rater.prepared.columns[column.column as usize];
            let beside = column.beside_best(&policy, rater.stats.rating(), of);
            column.settle(&beside, ranges);
        }
    }

    fn missing_moments(&self) -> Vec<MomentRequest> {
        let without = self.nodes.iter().filter(|node| node.summary.is_none());
        without.filter_map(|node| S::moment_request(node.waiting.node, &node.total)).collect()
    }

    fn take_moments(&mut self, moments: &[Moments]) {
        let without = self.nodes.iter_mut().filter(|node| node.summary.is_none());
        for (node, moments) in without.zip(moments) {
            node.summarize(&self.rater.stats, Some(moments));
        }
    }
}
