//! The passes of a ranking: bins of all features, then their levels, then the values of the bins
//! where the best cuts may be.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::alive_bins::{AliveBins, AliveColumn, fine_bins_each, in_parts};
use super::bins::FineBins;
use super::counted_column::CountedColumn;
use super::counted_feature::CountedFeature;
use super::growing_tree::{GrowingNode, GrowingTree, NodeRule};
use super::key_range::KeyRange;
use super::passes::{Passes, changed};
use super::prepare::Prepared;
use super::rank_store::{LevelCount, LevelRequest, RankStore, RatedMomentRequest};
use super::report::{ExternalReport, PassTask};
use super::row_store::{BinRequest, CountRequest, Counts, ValueRequest};
use super::stats::CountedStats;
use super::waiting_node::WaitingNode;
use crate::error::Result;
use crate::rank::{FeatureGain, RANKING, RankCounts};
use crate::spec::{Budget, RankSpec};
use crate::stat::StatVec;
use crate::tree::rule::Test;
use crate::util::monitoring::{advance, begin_stage};
use crate::util::parallel;

/// The figures of each feature by group, and how it went.
pub(super) type RankedFeatures = Result<(Vec<Vec<FeatureGain>>, ExternalReport)>;

/// What a ranking has at hand, whatever its target.
pub(super) struct RankTask<'a, 'p> {
    pub(super) passes: Passes<'p, dyn RankStore + 'p>,
    pub(super) prepared: &'a Prepared,
    /// The column whose levels are groups.
    pub(super) groups: Option<u32>,
    pub(super) spec: &'a RankSpec,
    pub(super) budget: &'a Budget,
}

/// A ranking under way.
pub(super) struct StoreRanker<'a, 'p, S: CountedStats> {
    stats: S,
    /// Each has a best cut of its own.
    ratings: Vec<S::Rating>,
    of: RankTask<'a, 'p>,
    /// The root, and a branch for each group if there are groups.
    tree: GrowingTree,
    /// The nodes of the groups.
    nodes: Vec<WaitingNode<S::Num>>,
    /// The columns that are ranked.
    columns: Vec<u32>,
    /// The variances of all rows of a node, which are those of each column without missing values.
    variances: HashMap<RatedMomentRequest, f64>,
    /// The ranked features that the monitor heard of.
    n_told: usize,
}

impl<'a, 'p, S: CountedStats + RankCounts> StoreRanker<'a, 'p, S> {
    pub(super) fn new(stats: S, of: RankTask<'a, 'p>) -> Self {
        let tree = GrowingTree { nodes: vec![GrowingNode::default()] };
        let root = WaitingNode::root(0, of.prepared.rows, of.prepared.columns.len());
        let mut columns = root.columns.clone();
        columns.retain(|column| Some(*column) != of.groups);
        let (ratings, variances) = (stats.ratings(), HashMap::new());
        StoreRanker { ratings, stats, of, tree, nodes: vec![root], columns, variances, n_told: 0 }
    }

    pub(super) fn rank(mut self) -> RankedFeatures {
        if let Some(column) = self.of.groups {
            self.group_by(column)?;
        }
        let n_groups = self.nodes.len();
        let each_group = |&column: &u32| (0..n_groups).map(move |group| (column, group));
        let wanted: Vec<(u32, usize)> = self.columns.iter().flat_map(each_group).collect();
        let mut gains: Vec<FeatureGain> = Vec::new();
        begin_stage(self.of.spec.monitor.as_ref(), RANKING, wanted.len());
        while gains.len() < wanted.len() {
            let mut features = self.count_bins(&wanted[gains.len()..])?;
            self.add_variances(&mut features)?;
            self.count_levels(&mut features, gains.len())?;
            self.find_cuts(&mut features)?;
            let (stats, ratings) = (&self.stats, &self.ratings);
            gains.extend(parallel::try_map(features, |feature| feature.gain(stats, ratings))?);
            self.say(gains.len());
        }
        let mut gains = gains.into_iter();
        let by_group = self.columns.iter().map(|_| gains.by_ref().take(n_groups).collect());
        Ok((by_group.collect(), self.of.passes.report))
    }

    /// Tells how many features are ranked.
    fn say(&mut self, n_ranked: usize) {
        advance(self.of.spec.monitor.as_ref(), n_ranked - self.n_told);
        self.n_told = n_ranked;
    }

    /// Makes a node for each level of a column, and counts its rows.
    fn group_by(&mut self, column: u32) -> Result<()> {
        let of = &self.of.prepared.columns[column as usize];
        let bins = of.bins.for_rows(self.of.prepared.rows);
        let request =
            BinRequest { node: 0, column, bins: bins.bins.clone(), within: Vec::new(), centre: 0 };
        let counts = self.count(vec![request], Vec::new())?;
        let counted = CountedColumn::new::<S>(column, bins, &counts.bins[0], 0, &self.nodes[0])?;
        let n_groups = bins.len() as u32;
        if counted.buckets.missing_rows > 0 || counted.buckets.len() != bins.len() {
            return Err(changed("the rows have other groups"));
        }
        let test = Test::Each((0..n_groups).collect());
        let rule = NodeRule { column, test, missing_to: None };
        self.tree.nodes[0] = GrowingNode { parent: None, rule: Some(rule), first_branch: 1 };
        self.nodes.clear();
        for (group, stat) in (0..n_groups).zip(counted.buckets.iter()) {
            let parent = Some((0, group));
            self.tree.nodes.push(GrowingNode { parent, ..GrowingNode::default() });
            self.nodes.push(WaitingNode {
                at: group,
                node: group + 1,
                depth: 1,
                rows: counted.buckets.rows[group as usize].into(),
                total: Some(StatVec::from_slice(stat)),
                columns: Vec::new(),
            });
        }
        Ok(())
    }

    /// The centre of a group's spreads.
    fn centre(&self, group: usize) -> i64 {
        let of_total = self.nodes[group].total.as_ref().and_then(|total| S::centre(total));
        of_total.map_or(self.of.prepared.centre, |centre| centre as i64)
    }

    fn count(&mut self, bins: Vec<BinRequest>, values: Vec<ValueRequest>) -> Result<Counts> {
        let request = CountRequest { tree: &self.tree, bins, moments: Vec::new(), values };
        let counts = self.of.passes.count(&request, self.nodes.len())?;
        let n_bins: usize = counts.bins.iter().map(|bins| bins.rows.len()).sum();
        let n_values: usize = counts.values.iter().map(|values| values.keys.len()).sum();
        let bytes = self.of.prepared.cell_bytes();
        self.of.passes.took(bytes * (n_bins + n_values) as u64);
        self.of.passes.report.bins_counted += n_bins as u64;
        self.of.passes.report.values_fetched += n_values as u64;
        Ok(counts)
    }

    /// Counts the bins of the first features that there is room for, each of a column and a group.
    fn count_bins(&mut self, wanted: &[(u32, usize)]) -> Result<Vec<CountedFeature<'a, S::Num>>> {
        let (prepared, missing) = (self.of.prepared, self.of.spec.missing);
        let (mut room, mut requests) = (self.of.budget.memory / 2, Vec::new());
        for &(column, group) in wanted {
            let node = &self.nodes[group];
            let bins = prepared.columns[column as usize].bins.for_rows(node.rows);
            let bytes = (bins.len() + 1) as u64 * prepared.cell_bytes();
            if bytes > room && !requests.is_empty() {
                break;
            }
            room = room.saturating_sub(bytes);
            let (bins, centre) = (bins.bins.clone(), self.centre(group));
            requests.push(BinRequest { node: node.node, column, bins, within: Vec::new(), centre });
        }
        let centres: Vec<i64> = requests.iter().map(|of| of.centre).collect();
        let counts = self.count(requests, Vec::new())?;
        let mut features = Vec::new();
        for ((&(column, group), counts), centre) in wanted.iter().zip(&counts.bins).zip(centres) {
            let (of, node) = (&prepared.columns[column as usize], &mut self.nodes[group]);
            let bins = of.bins.for_rows(node.rows);
            let counted = CountedColumn::new::<S>(column, bins, counts, centre, node)?;
            node.total.get_or_insert_with(|| counted.total());
            features.push(CountedFeature::new(group, of, counted, missing));
        }
        Ok(features)
    }

    /// Finds the variance of the rows that each feature is rated on.
    fn add_variances(&mut self, features: &mut [CountedFeature<S::Num>]) -> Result<()> {
        let (mut requests, mut stats): (Vec<RatedMomentRequest>, Vec<StatVec<S::Num>>) =
            (Vec::new(), Vec::new());
        let mut asked = Vec::new();
        for feature in features.iter() {
            let (known_in, stat) = feature.rated_rows();
            let has_rows = known_in.is_none() || feature.counted.buckets.known_rows() > 0;
            let centre = if has_rows { S::centre(&stat) } else { None };
            let node = self.nodes[feature.group].node;
            let request = centre.map(|centre| RatedMomentRequest { node, known_in, centre });
            if let Some(request) = request
                && let Entry::Vacant(unknown) = self.variances.entry(request)
            {
                // The variance follows below. Other features with the same rows do not ask again.
                unknown.insert(0.0);
                requests.push(request);
                stats.push(stat);
            }
            asked.push(request);
        }
        if !requests.is_empty() {
            self.of.passes.begin(PassTask::Counts, self.nodes.len())?;
            let moments = self.of.passes.store.rated_moments(&self.tree, &requests)?;
            if moments.len() != requests.len() {
                return Err(changed("there are fewer answers than questions"));
            }
            for ((request, stat), moments) in requests.into_iter().zip(stats).zip(&moments) {
                let summary = self.stats.summarize_counted(&stat, Some(moments), &mut Vec::new());
                let variance = summary.map_or(0.0, |summary| summary.impurity);
                self.variances.insert(request, variance);
            }
        }
        for (feature, request) in features.iter_mut().zip(asked) {
            feature.variance = request.map_or(0.0, |request| self.variances[&request]);
        }
        // Nobody asks again about the rows that have a value of one column.
        self.variances.retain(|request, _| request.known_in.is_none());
        Ok(())
    }

    /// Counts the levels of features, as many rows at a time as there is room for. So many others are
    /// ranked.
    fn count_levels(
        &mut self,
        features: &mut [CountedFeature<S::Num>],
        n_ranked: usize,
    ) -> Result<()> {
        let uncounted = features.iter_mut().enumerate().filter_map(|(of, feature)| {
            let key_bytes = self.of.passes.store.level_bytes(feature.column.dtype.is_wide());
            let bins = feature.uncounted_levels().into_iter();
            let bins: AliveBins = bins.map(|(bin, rows)| (bin, key_bytes * rows)).collect();
            (!bins.is_empty()).then_some(AliveColumn { of, bins })
        });
        for part in in_parts(uncounted.collect(), self.of.budget.memory / 2) {
            let request = |AliveColumn { of, bins }: &AliveColumn<usize>| {
                let CountedFeature { group, counted, .. } = &features[*of];
                let rows = bins.iter().map(|(bin, _)| u64::from(counted.buckets.rows[*bin]));
                let ranges = joined(bins.iter().map(|(bin, _)| counted.range(*bin)));
                let (node, column) = (self.nodes[*group].node, counted.column);
                LevelRequest { node, column, ranges, rows: rows.sum() }
            };
            let requests: Vec<LevelRequest> = part.iter().map(request).collect();
            self.say(n_ranked + part.first().map_or(0, |first| first.of));
            self.of.passes.begin(PassTask::Counts, self.nodes.len())?;
            self.of.passes.took(part.iter().map(AliveColumn::size).sum());
            let counts = self.of.passes.store.count_levels(&self.tree, &requests)?;
            let as_asked = |(asked, found): (&LevelRequest, &LevelCount)| {
                asked.rows == found.rows && found.levels <= found.rows
            };
            if counts.len() != requests.len() || !requests.iter().zip(&counts).all(as_asked) {
                return Err(changed("the levels of bins are not those of their rows"));
            }
            for (AliveColumn { of, .. }, found) in part.iter().zip(counts) {
                features[*of].n_levels += found.levels;
            }
        }
        Ok(())
    }

    /// Looks into the bins that may hold a best cut, until none is left.
    fn find_cuts(&mut self, features: &mut [CountedFeature<S::Num>]) -> Result<()> {
        let mut may_zoom = true;
        loop {
            let (stats, ratings) = (&self.stats, &self.ratings);
            let alive = parallel::map(features.iter().enumerate(), |(of, feature)| {
                let bins = feature.alive(stats, ratings);
                (!bins.is_empty()).then_some(AliveColumn { of, bins })
            });
            let alive: Vec<AliveColumn<usize>> = alive.into_iter().flatten().collect();
            let values: u64 = alive.iter().map(AliveColumn::size).sum();
            let most = self.of.prepared.fetched_values(&self.of.passes, self.of.budget);
            let few = most.min(self.of.passes.store.limits().few_values);
            if values > few && std::mem::take(&mut may_zoom) && self.zoom(features, &alive)? {
                continue;
            }
            let parts = in_parts(alive, most);
            let is_whole = parts.len() == 1;
            let Some(part) = parts.into_iter().next() else { return Ok(()) };
            let asked = self.fetch_values(features, &part)?;
            for (AliveColumn { of, .. }, asked) in part.iter().zip(asked).filter(|_| !is_whole) {
                let feature = &mut features[*of];
                let beside = feature.beside_best(&self.stats, &self.ratings);
                feature.counted.settle(&beside, &asked.ranges);
            }
        }
    }

    /// One pass that takes bins apart into their values. Returns what was asked for.
    fn fetch_values(
        &mut self,
        features: &mut [CountedFeature<S::Num>],
        alive: &[AliveColumn<usize>],
    ) -> Result<Vec<ValueRequest>> {
        let request = |AliveColumn { of, bins }: &AliveColumn<usize>| {
            let CountedFeature { group, counted, .. } = &features[*of];
            counted.value_request(self.nodes[*group].node, bins)
        };
        let asked: Vec<ValueRequest> = alive.iter().map(request).collect();
        let counts = self.count(Vec::new(), asked.clone())?;
        for (alive, values) in alive.iter().zip(&counts.values) {
            self.of.passes.report.bins_alive += alive.bins.len() as u64;
            features[alive.of].counted.take_apart::<S>(&alive.indices(), values)?;
        }
        Ok(asked)
    }

    /// One pass that takes bins apart into finer bins; none if the samples know of none, or if there
    /// is no room.
    fn zoom(
        &mut self,
        features: &mut [CountedFeature<S::Num>],
        alive: &[AliveColumn<usize>],
    ) -> Result<bool> {
        let n_alive = alive.iter().map(|alive| alive.bins.len()).sum();
        let most_cells = self.of.budget.memory / 2 / self.of.prepared.cell_bytes();
        let most_cells = most_cells.min(self.of.passes.store.limits().fine_bins);
        let Some(n_bins) = fine_bins_each(n_alive, most_cells) else { return Ok(false) };
        let finer = |AliveColumn { of, bins }: &AliveColumn<usize>| {
            let feature = &features[*of];
            feature.counted.finer(bins, feature.column, n_bins)
        };
        let finer: Vec<(&AliveColumn<usize>, FineBins)> =
            alive.iter().filter_map(|alive| Some((alive, finer(alive)?))).collect();
        if finer.is_empty() {
            return Ok(false);
        }
        let request = |(alive, fine): &(&AliveColumn<usize>, FineBins)| {
            let CountedFeature { group, counted, .. } = &features[alive.of];
            let (node, centre) = (self.nodes[*group].node, self.centre(*group));
            BinRequest {
                node,
                column: counted.column,
                bins: fine.bins.clone(),
                within: fine.coarse.clone(),
                centre,
            }
        };
        let counts = self.count(finer.iter().map(request).collect(), Vec::new())?;
        for ((alive, fine), counts) in finer.iter().zip(&counts.bins) {
            let feature = &mut features[alive.of];
            let centre = self.centre(feature.group);
            feature.counted.zoom::<S>(&alive.indices(), fine, counts, centre)?;
        }
        Ok(true)
    }
}

/// Ranges that ascend, of which neighbours are one.
fn joined(ranges: impl Iterator<Item = KeyRange>) -> Vec<KeyRange> {
    let mut joined: Vec<KeyRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.last.checked_add(1) == Some(range.first) => last.last = range.last,
            _ => joined.push(range),
        }
    }
    joined
}
