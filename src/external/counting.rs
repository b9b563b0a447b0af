//! The passes of a growth that count: bins of nodes, values of bins that are alive, and moments.

use rayon::prelude::*;

use super::counted_node::CountedNode;
use super::passes::changed;
use super::row_store::{BinCounts, BinRequest, CountRequest, MomentRequest, Moments, ValueRequest};
use super::stats::CountedStats;
use super::waiting_node::WaitingNode;
use super::work_list::WorkList;
use crate::error::Result;
use crate::stat::StatVec;

impl<S: CountedStats> WorkList<'_, '_, S> {
    /// Counts the bins of nodes, and the moments of numbers as far as their mean is known.
    pub(super) fn count_bins(
        &mut self,
        batch: Vec<WaitingNode<S::Num>>,
    ) -> Result<Vec<CountedNode<S>>> {
        let centre_of = |node: &WaitingNode<S::Num>| match &node.total {
            Some(total) => S::centre(total).map_or(0, |centre| centre as i64),
            None => self.prepared.centre,
        };
        let mut request = CountRequest {
            tree: &self.tree,
            bins: Vec::new(),
            moments: moments_of::<S>(&self.leaves),
            values: Vec::new(),
        };
        let n_leaves = request.moments.len();
        for node in &batch {
            let centre = centre_of(node);
            request.bins.extend(node.columns.iter().map(|&column| BinRequest {
                node: node.node,
                column,
                bins: self.prepared.columns[column as usize].bins.bins.clone(),
                centre,
            }));
            let centre = node.total.as_ref().and_then(|total| S::centre(total));
            request.moments.extend(centre.map(|centre| MomentRequest { node: node.node, centre }));
        }
        let counts = self.passes.count(&request, batch.len())?;
        let n_bins = counts.bins.iter().map(|bins| bins.rows.len() as u64);
        self.passes.report.bins_counted += n_bins.sum::<u64>();
        let (of_leaves, of_nodes) = counts.moments.split_at(n_leaves);
        let (mut of_nodes, mut bins) = (of_nodes.iter(), counts.bins.into_iter());
        let answered = batch.into_iter().map(|node| {
            let has_moments = node.total.as_ref().and_then(|total| S::centre(total)).is_some();
            let moments = if has_moments { of_nodes.next().cloned() } else { None };
            let of_columns = bins.by_ref().take(node.columns.len()).collect();
            (centre_of(&node), node, moments, of_columns)
        });
        let work: Vec<(_, _, _, Vec<BinCounts>)> = answered.collect();
        let (stats, prepared) = (&self.stats, self.prepared);
        let counted: Vec<CountedNode<S>> = work
            .into_par_iter()
            .map(|(centre, node, moments, bins)| {
                CountedNode::new(node, centre, moments, bins, stats, prepared)
            })
            .collect::<Result<_>>()?;
        self.summarize_leaves(of_leaves)?;
        for node in &counted {
            if let Some(summary) = node.summary {
                self.arena.summarize(node.waiting.at, summary, &node.values);
            }
        }
        Ok(counted)
    }

    /// Fetches the values of bins that are alive, and the moments that are not known yet.
    pub(super) fn count_values(&mut self, nodes: &mut [CountedNode<S>]) -> Result<()> {
        let (grower, stats, prepared) = (&self.grower, &self.stats, self.prepared);
        let alive = |(at, node): (usize, &CountedNode<S>)| {
            let alive = node.alive(grower, stats, prepared).into_iter();
            alive.map(move |(column, bins)| (at, column, bins))
        };
        let wanted: Vec<_> = nodes.par_iter().enumerate().flat_map_iter(alive).collect();
        let width = self.prepared.coding.target.width() as u64;
        let bytes = |rows: u64| rows * 2 * (24 + 16 * width);
        let mut rest = &wanted[..];
        loop {
            let mut used = 0;
            let n = rest.iter().take_while(|(.., bins)| {
                used += bytes(bins.iter().map(|(_, rows)| rows).sum());
                used <= self.budget.memory / 2
            });
            let n = n.count().max(1).min(rest.len());
            let (batch, others) = rest.split_at(n);
            rest = others;
            let without = (0..nodes.len()).filter(|&at| nodes[at].summary.is_none());
            let without: Vec<usize> = without.collect();
            if batch.is_empty() && without.is_empty() {
                return Ok(());
            }
            let moments = without.iter().filter_map(|&at| {
                let centre = S::centre(&nodes[at].total)?;
                Some(MomentRequest { node: nodes[at].waiting.node, centre })
            });
            let values = batch.iter().map(|(at, column, bins)| ValueRequest {
                node: nodes[*at].waiting.node,
                column: nodes[*at].columns[*column].column,
                ranges: bins
                    .iter()
                    .map(|(bin, _)| nodes[*at].columns[*column].range(*bin))
                    .collect(),
            });
            let request = CountRequest {
                tree: &self.tree,
                bins: Vec::new(),
                moments: moments.collect(),
                values: values.collect(),
            };
            let counts = self.passes.count(&request, nodes.len())?;
            for (at, moments) in without.into_iter().zip(&counts.moments) {
                let node = &mut nodes[at];
                node.summarize(&self.stats, Some(moments));
                if let Some(summary) = node.summary {
                    self.arena.summarize(node.waiting.at, summary, &node.values);
                }
            }
            let report = &mut self.passes.report;
            let mut fetched = 0;
            for ((at, column, bins), values) in batch.iter().zip(&counts.values) {
                report.bins_alive += bins.len() as u64;
                fetched += values.keys.len() as u64;
                let bins: Vec<usize> = bins.iter().map(|(bin, _)| *bin).collect();
                nodes[*at].columns[*column].take_apart::<S>(&bins, values)?;
            }
            report.values_fetched += fetched;
            self.passes.took(bytes(fetched));
        }
    }

    /// Counts the moments of the leaves that nothing else was asked of.
    pub(super) fn count_leaves(&mut self) -> Result<()> {
        let moments = moments_of::<S>(&self.leaves);
        if moments.is_empty() {
            return Ok(());
        }
        let (tree, bins, values) = (&self.tree, Vec::new(), Vec::new());
        let request = CountRequest { tree, bins, moments, values };
        let counts = self.passes.count(&request, self.leaves.len())?;
        self.summarize_leaves(&counts.moments)
    }

    fn summarize_leaves(&mut self, moments: &[Moments]) -> Result<()> {
        let leaves = std::mem::take(&mut self.leaves);
        if leaves.len() != moments.len() {
            return Err(changed("nodes have no moments"));
        }
        for ((_, at, total), moments) in leaves.into_iter().zip(moments) {
            let mut values = Vec::new();
            if let Some(summary) = self.stats.summarize_counted(&total, Some(moments), &mut values)
            {
                self.arena.summarize(at, summary, &values);
            }
        }
        Ok(())
    }
}

fn moments_of<S: CountedStats>(leaves: &[(u32, u32, StatVec<S::Num>)]) -> Vec<MomentRequest> {
    let of = |(node, _, total): &(u32, u32, StatVec<S::Num>)| {
        Some(MomentRequest { node: *node, centre: S::centre(total)? })
    };
    leaves.iter().filter_map(of).collect()
}
