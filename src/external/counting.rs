//! The passes of a growth that count: bins of nodes, values of bins that are alive, and moments.

use super::alive_bins::{AliveColumn, fine_bins_each, in_parts};
use super::bins::FineBins;
use super::counted_node::CountedNode;
use super::passes::changed;
use super::row_store::{BinRequest, CountRequest, MomentRequest, Moments, ValueRequest};
use super::stats::CountedStats;
use super::waiting_node::WaitingNode;
use super::work_list::WorkList;
use crate::error::Result;
use crate::stat::StatVec;
use crate::util::parallel;

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
                bins: self.prepared.columns[column as usize].bins.for_rows(node.rows).bins.clone(),
                within: Vec::new(),
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
        let (stats, prepared) = (&self.stats, self.prepared);
        let counted = parallel::try_map(answered, |(centre, node, moments, bins)| {
            CountedNode::<S>::new(node, centre, moments, bins, stats, prepared)
        })?;
        self.summarize_leaves(of_leaves)?;
        for node in &counted {
            if let Some(summary) = node.summary {
                self.arena.summarize(node.waiting.at, summary, &node.values);
            }
        }
        Ok(counted)
    }

    /// Fetches the values of bins that are alive, and the moments that are not known yet. Of more
    /// values than there is room for, finer bins are counted first, and then some are fetched at a
    /// time.
    pub(super) fn count_values(&mut self, nodes: &mut [CountedNode<S>]) -> Result<()> {
        let mut may_zoom = true;
        loop {
            let alive = self.alive(nodes);
            if alive.is_empty() && nodes.iter().all(|node| node.summary.is_some()) {
                return Ok(());
            }
            let values: u64 = alive.iter().map(AliveColumn::size).sum();
            let most = self.fetched_values();
            let few = most.min(self.passes.store.limits().few_values);
            if values > few && std::mem::take(&mut may_zoom) && self.zoom(nodes, &alive)? {
                continue;
            }
            if values <= most {
                self.fetch_values(nodes, &alive)?;
            } else {
                let parts = in_parts(alive, most);
                let part = parts.into_iter().next().unwrap_or_default();
                let fetched = self.fetch_values(nodes, &part)?;
                self.settle(nodes, &part, &fetched);
            }
        }
    }

    /// The bins that are alive, by node and column.
    fn alive(&self, nodes: &[CountedNode<S>]) -> Vec<AliveColumn<NodeColumn>> {
        let (grower, stats, prepared) = (&self.grower, &self.stats, self.prepared);
        let alive = |(at, node): (usize, &CountedNode<S>)| {
            let alive = match node.is_leaf(grower) {
                true => Vec::new(),
                false => node.alive(grower, stats, prepared),
            };
            let of_node = alive.into_iter().map(|(column, bins)| {
                let of = NodeColumn { node: at, column };
                AliveColumn { of, bins }
            });
            of_node.collect::<Vec<_>>()
        };
        parallel::map(nodes.iter().enumerate(), alive).into_iter().flatten().collect()
    }

    /// The most values that are fetched at a time.
    fn fetched_values(&self) -> u64 {
        self.prepared.fetched_values(&self.passes, self.budget)
    }

    /// The moments of nodes that are not summarized.
    fn missing_moments(&self, nodes: &[CountedNode<S>]) -> (Vec<usize>, Vec<MomentRequest>) {
        let without = nodes.iter().enumerate().filter(|(_, node)| node.summary.is_none());
        let asked = without.filter_map(|(at, node)| {
            let centre = S::centre(&node.total)?;
            Some((at, MomentRequest { node: node.waiting.node, centre }))
        });
        asked.unzip()
    }

    fn take_moments(&mut self, nodes: &mut [CountedNode<S>], of: Vec<usize>, moments: &[Moments]) {
        for (at, moments) in of.into_iter().zip(moments) {
            let node = &mut nodes[at];
            node.summarize(&self.stats, Some(moments));
            if let Some(summary) = node.summary {
                self.arena.summarize(node.waiting.at, summary, &node.values);
            }
        }
    }

    /// One pass that takes bins apart into their values. Returns what was asked for.
    fn fetch_values(
        &mut self,
        nodes: &mut [CountedNode<S>],
        alive: &[AliveColumn<NodeColumn>],
    ) -> Result<Vec<ValueRequest>> {
        let (of_moments, moments) = self.missing_moments(nodes);
        let values = alive.iter().map(|AliveColumn { of, bins }| {
            let node = &nodes[of.node];
            node.columns[of.column].value_request(node.waiting.node, bins)
        });
        let (values, bins) = (values.collect(), Vec::new());
        let request = CountRequest { tree: &self.tree, bins, moments, values };
        let counts = self.passes.count(&request, nodes.len())?;
        let asked = request.values;
        self.take_moments(nodes, of_moments, &counts.moments);
        let mut fetched = 0;
        for (alive, values) in alive.iter().zip(&counts.values) {
            fetched += values.keys.len() as u64;
            let of = alive.of;
            nodes[of.node].columns[of.column].take_apart::<S>(&alive.indices(), values)?;
        }
        let n_bins: usize = alive.iter().map(|alive| alive.bins.len()).sum();
        self.passes.report.bins_alive += n_bins as u64;
        self.passes.report.values_fetched += fetched;
        self.passes.took(self.prepared.cell_bytes() * fetched);
        Ok(asked)
    }

    /// One pass that takes bins apart into finer bins; none if the samples know of none, or if there
    /// is no room.
    fn zoom(
        &mut self,
        nodes: &mut [CountedNode<S>],
        alive: &[AliveColumn<NodeColumn>],
    ) -> Result<bool> {
        let n_alive: usize = alive.iter().map(|alive| alive.bins.len()).sum();
        let most_cells = self.budget.memory / 2 / self.prepared.cell_bytes();
        let most_cells = most_cells.min(self.passes.store.limits().fine_bins);
        let Some(n_bins) = fine_bins_each(n_alive, most_cells) else { return Ok(false) };
        let prepared = self.prepared;
        let finer = |alive: &AliveColumn<NodeColumn>| {
            let AliveColumn { of, bins } = alive;
            let counted = &nodes[of.node].columns[of.column];
            counted.finer(bins, &prepared.columns[counted.column as usize], n_bins)
        };
        let finer = alive.iter().zip(parallel::map(alive, finer));
        let finer: Vec<(&AliveColumn<NodeColumn>, FineBins)> =
            finer.filter_map(|(alive, finer)| Some((alive, finer?))).collect();
        if finer.is_empty() {
            return Ok(false);
        }
        let (of_moments, moments) = self.missing_moments(nodes);
        let centre = |at: usize| S::centre(&nodes[at].total).map_or(0, |centre| centre as i64);
        let bins = finer.iter().map(|(AliveColumn { of, .. }, fine)| BinRequest {
            node: nodes[of.node].waiting.node,
            column: nodes[of.node].columns[of.column].column,
            bins: fine.bins.clone(),
            within: fine.coarse.clone(),
            centre: centre(of.node),
        });
        let (bins, values): (Vec<_>, _) = (bins.collect(), Vec::new());
        let request = CountRequest { tree: &self.tree, bins, moments, values };
        let counts = self.passes.count(&request, nodes.len())?;
        let centres: Vec<i64> = request.bins.iter().map(|of| of.centre).collect();
        self.take_moments(nodes, of_moments, &counts.moments);
        let n_cells: usize = counts.bins.iter().map(|bins| bins.rows.len()).sum();
        self.passes.report.bins_counted += n_cells as u64;
        self.passes.took(self.prepared.cell_bytes() * n_cells as u64);
        for (((alive, fine), counts), centre) in finer.iter().zip(&counts.bins).zip(centres) {
            let NodeColumn { node, column } = alive.of;
            let column = &mut nodes[node].columns[column];
            column.zoom::<S>(&alive.indices(), fine, counts, centre)?;
        }
        Ok(true)
    }

    /// Forgets the values of bins that were taken apart, but for those of the best cuts.
    fn settle(
        &self,
        nodes: &mut [CountedNode<S>],
        part: &[AliveColumn<NodeColumn>],
        fetched: &[ValueRequest],
    ) {
        let (grower, stats, prepared) = (&self.grower, &self.stats, self.prepared);
        for (AliveColumn { of, .. }, asked) in part.iter().zip(fetched) {
            nodes[of.node].settle(of.column, &asked.ranges, grower, stats, prepared);
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

/// A column of a node, both by their indices.
#[derive(Clone, Copy)]
struct NodeColumn {
    node: usize,
    column: usize,
}

fn moments_of<S: CountedStats>(leaves: &[(u32, u32, StatVec<S::Num>)]) -> Vec<MomentRequest> {
    let of = |(node, _, total): &(u32, u32, StatVec<S::Num>)| {
        Some(MomentRequest { node: *node, centre: S::centre(total)? })
    };
    leaves.iter().filter_map(of).collect()
}
