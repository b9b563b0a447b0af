//! The passes of counts, which growth and rankings share. They count bins first. Then they take alive
//! bins apart, into finer bins or into values, until the best cuts are known.

use super::bins::FineBins;
use super::counted_column::{AliveBins, CountedColumn};
use super::growing_tree::{GrowingNode, GrowingTree, WaitingNode};
use super::key_range::KeyRange;
use super::passes::{PassTask, Passes, changed};
use super::prepare::Prepared;
use super::row_store::{
    BinCounts, BinRequest, CountRequest, MomentRequest, Moments, RowStore, ValueCounts,
    ValueRequest,
};
use super::stats::CountedStats;
use crate::error::Result;
use crate::spec::Budget;
use crate::util::parallel;

/// A store, how its rows are counted, and how much is counted at a time.
pub(super) struct Counter<'a, 'p, R: RowStore + ?Sized = dyn RowStore + 'p> {
    pub(super) passes: Passes<'p, R>,
    pub(super) prepared: &'a Prepared,
    pub(super) budget: &'a Budget,
    /// Which rows are in which node. It begins with a root.
    pub(super) tree: GrowingTree,
}

/// The answers of one pass. Bins and values come with their requests.
pub(super) struct Answers {
    pub(super) bins: Vec<(BinRequest, BinCounts)>,
    pub(super) moments: Vec<Moments>,
    pub(super) values: Vec<(ValueRequest, ValueCounts)>,
}

/// Counted columns whose best cuts are wanted: of open nodes, or of ranked features.
pub(super) trait CutSearch<S: CountedStats>: Sync {
    type At: Copy + Send + Sync;

    fn n_nodes(&self) -> usize;

    /// The bins that may hold a best cut.
    fn alive(&self) -> Vec<AliveColumn<Self::At>>;

    fn column(&self, at: Self::At) -> &CountedColumn<S::Num>;

    fn column_mut(&mut self, at: Self::At) -> &mut CountedColumn<S::Num>;

    /// Merges the values that were fetched from some ranges of a column, except beside its best cuts.
    fn settle(&mut self, at: Self::At, ranges: &[KeyRange]);

    /// Moments that are not known yet; the next pass counts them too.
    fn missing_moments(&self) -> Vec<MomentRequest> {
        Vec::new()
    }

    fn take_moments(&mut self, _: &[Moments]) {}
}

pub(super) struct AliveColumn<C> {
    pub(super) at: C,
    pub(super) bins: AliveBins,
}

impl<C> AliveColumn<C> {
    /// What looking into all bins takes.
    pub(super) fn size(&self) -> u64 {
        self.bins.iter().map(|(_, size)| size).sum()
    }

    fn indices(&self) -> Vec<usize> {
        self.bins.iter().map(|(bin, _)| *bin).collect()
    }
}

impl<'a, 'p, R: RowStore + ?Sized> Counter<'a, 'p, R> {
    pub(super) fn new(
        passes: Passes<'p, R>,
        prepared: &'a Prepared,
        budget: &'a Budget,
    ) -> Counter<'a, 'p, R> {
        let tree = GrowingTree { nodes: vec![GrowingNode::default()] };
        Counter { passes, prepared, budget, tree }
    }

    /// Bytes that the answers of a pass may take.
    pub(super) fn room(&self) -> u64 {
        self.budget.memory / 2
    }

    pub(super) fn bin_bytes<N>(&self, node: &WaitingNode<N>, column: u32) -> u64 {
        let bins = self.prepared.columns[column as usize].bins.for_rows(node.rows);
        (bins.len() as u64 + 1) * self.prepared.count_bytes()
    }

    pub(super) fn bin_request<S: CountedStats>(
        &self,
        node: &WaitingNode<S::Num>,
        column: u32,
    ) -> BinRequest {
        let bins = self.prepared.columns[column as usize].bins.for_rows(node.rows);
        let centre = node.total.as_ref().and_then(|total| S::centre(total));
        BinRequest {
            node: node.node,
            column,
            bins: bins.bins.clone(),
            within: Vec::new(),
            centre: centre.map_or(self.prepared.centre, |centre| centre as i64),
        }
    }

    /// One pass of counts, which are about `n_nodes` nodes.
    pub(super) fn count(
        &mut self,
        n_nodes: usize,
        bins: Vec<BinRequest>,
        moments: Vec<MomentRequest>,
        values: Vec<ValueRequest>,
    ) -> Result<Answers> {
        self.passes.begin(PassTask::Counts, n_nodes)?;
        let request = CountRequest { tree: &self.tree, bins, moments, values };
        let counts = self.passes.store.count(&request)?;
        let CountRequest { bins, moments, values, .. } = request;
        if counts.bins.len() != bins.len()
            || counts.moments.len() != moments.len()
            || counts.values.len() != values.len()
        {
            return Err(changed("there are fewer answers than questions"));
        }
        let n_bins: usize = counts.bins.iter().map(|bins| bins.rows.len()).sum();
        let n_values: usize = counts.values.iter().map(|values| values.keys.len()).sum();
        self.passes.took(self.prepared.count_bytes() * (n_bins + n_values) as u64);
        self.passes.report.bins_counted += n_bins as u64;
        self.passes.report.values_fetched += n_values as u64;
        Ok(Answers {
            bins: bins.into_iter().zip(counts.bins).collect(),
            moments: counts.moments,
            values: values.into_iter().zip(counts.values).collect(),
        })
    }

    /// Looks into bins until no bin is alive and all moments are known. If there are more values than
    /// there is room for, finer bins are counted first, and then some values are fetched at a time.
    pub(super) fn find_cuts<S: CountedStats, C: CutSearch<S>>(
        &mut self,
        columns: &mut C,
    ) -> Result<()> {
        let mut may_zoom = true;
        loop {
            let alive = columns.alive();
            if alive.is_empty() && columns.missing_moments().is_empty() {
                return Ok(());
            }
            let n_values: u64 = alive.iter().map(AliveColumn::size).sum();
            let most = self.most_values();
            let few = most.min(self.passes.store.limits().few_values);
            if n_values > few && std::mem::take(&mut may_zoom) && self.zoom(columns, &alive)? {
                continue;
            }
            let parts = in_parts(alive, most);
            let is_whole = parts.len() <= 1;
            let part = parts.into_iter().next().unwrap_or_default();
            self.fetch_values(columns, &part, is_whole)?;
        }
    }

    fn most_values(&self) -> u64 {
        let by_memory = || self.room() / self.prepared.count_bytes();
        let by_store = self.passes.store.limits().values;
        self.budget.fetched_values.unwrap_or_else(|| by_memory().min(by_store))
    }

    /// One pass that takes bins apart into finer bins. Returns whether there was one: there is none
    /// where the samples know of no finer bins, or where there is no room.
    fn zoom<S: CountedStats, C: CutSearch<S>>(
        &mut self,
        columns: &mut C,
        alive: &[AliveColumn<C::At>],
    ) -> Result<bool> {
        let n_alive: usize = alive.iter().map(|of| of.bins.len()).sum();
        let most_bins = self.room() / self.prepared.count_bytes();
        let most_bins = most_bins.min(self.passes.store.limits().fine_bins);
        let Some(n_bins) = fine_bins_each(n_alive, most_bins) else { return Ok(false) };
        let finer = parallel::map(alive, |of| {
            let column = columns.column(of.at);
            column.finer(&of.bins, &self.prepared.columns[column.column as usize], n_bins)
        });
        let finer: Vec<(&AliveColumn<C::At>, FineBins)> =
            alive.iter().zip(finer).filter_map(|(of, fine)| Some((of, fine?))).collect();
        if finer.is_empty() {
            return Ok(false);
        }
        let bins = finer.iter().map(|(of, fine)| columns.column(of.at).fine_request::<S>(fine));
        let (bins, moments) = (bins.collect(), columns.missing_moments());
        let answers = self.count(columns.n_nodes(), bins, moments, Vec::new())?;
        columns.take_moments(&answers.moments);
        for ((of, fine), (request, counts)) in finer.iter().zip(&answers.bins) {
            let column = columns.column_mut(of.at);
            column.zoom::<S>(&of.indices(), fine, counts, request.centre)?;
        }
        Ok(true)
    }

    /// One pass that takes bins apart into their values. If these are not all bins that are alive,
    /// values that cannot matter any more are merged, which makes room for the others.
    fn fetch_values<S: CountedStats, C: CutSearch<S>>(
        &mut self,
        columns: &mut C,
        alive: &[AliveColumn<C::At>],
        are_all: bool,
    ) -> Result<()> {
        let request = |of: &AliveColumn<C::At>| columns.column(of.at).value_request(&of.bins);
        let (values, moments) = (alive.iter().map(request).collect(), columns.missing_moments());
        let answers = self.count(columns.n_nodes(), Vec::new(), moments, values)?;
        columns.take_moments(&answers.moments);
        for (of, (request, values)) in alive.iter().zip(&answers.values) {
            self.passes.report.bins_alive += of.bins.len() as u64;
            columns.column_mut(of.at).take_apart::<S>(&of.indices(), values)?;
            if !are_all {
                columns.settle(of.at, &request.ranges);
            }
        }
        Ok(())
    }
}

/// The bins in parts: each takes at most `most`, or is one bin.
pub(super) fn in_parts<C: Copy>(alive: Vec<AliveColumn<C>>, most: u64) -> Vec<Vec<AliveColumn<C>>> {
    let (mut parts, mut part, mut size) = (Vec::new(), Vec::new(), 0);
    for AliveColumn { at, bins } in alive {
        let mut of_part = AliveBins::new();
        for (bin, of_bin) in bins {
            if size > 0 && size + of_bin > most {
                let bins = std::mem::take(&mut of_part);
                if !bins.is_empty() {
                    part.push(AliveColumn { at, bins });
                }
                parts.push(std::mem::take(&mut part));
                size = 0;
            }
            of_part.push((bin, of_bin));
            size += of_bin;
        }
        part.push(AliveColumn { at, bins: of_part });
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// The finer bins of each alive bin, at most `most_bins` together; `None` if that is less than two.
fn fine_bins_each(n_alive: usize, most_bins: u64) -> Option<usize> {
    let n_bins = most_bins / n_alive.max(1) as u64;
    let n_bins = n_bins.saturating_sub(1).min(FINE_BINS);
    (n_bins >= 2).then_some(n_bins as usize)
}

const FINE_BINS: u64 = 16;
