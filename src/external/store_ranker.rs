//! The passes of a ranking: the bins of all features, their variances and levels, and the bins where
//! the best cuts may be.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::counted_column::{AliveBins, CountedColumn};
use super::counted_feature::{CountedFeature, FeatureCuts};
use super::counting::{AliveColumn, Counter, in_parts};
use super::growing_tree::{GrowingNode, NodeRule, WaitingNode};
use super::key_range::KeyRange;
use super::passes::{ExternalReport, PassTask, changed};
use super::rank_store::{LevelCount, LevelRequest, RankStore, RatedMomentRequest};
use super::row_store::BinRequest;
use super::stats::CountedStats;
use crate::error::Result;
use crate::rank::{FeatureGain, RANKING, RankCounts};
use crate::spec::RankSpec;
use crate::stat::StatVec;
use crate::tree::rule::Test;
use crate::util::monitoring::{advance, begin_stage};
use crate::util::parallel;

/// The figures of each feature by group, and how it went.
pub(super) type RankedFeatures = Result<(Vec<Vec<FeatureGain>>, ExternalReport)>;

/// What a ranking has at hand, whatever its target.
pub(super) struct RankTask<'a, 'p> {
    pub(super) counter: Counter<'a, 'p, dyn RankStore + 'p>,
    /// The column whose levels are groups.
    pub(super) groups: Option<u32>,
    pub(super) spec: &'a RankSpec,
}

pub(super) struct StoreRanker<'a, 'p, S: CountedStats> {
    stats: S,
    /// Each has a best cut of its own.
    ratings: Vec<S::Rating>,
    of: RankTask<'a, 'p>,
    /// The root, or its branches if there are groups: a branch for each group.
    nodes: Vec<WaitingNode<S::Num>>,
    columns: Vec<u32>,
    /// The variances of all rows of a node. They hold for each column without missing values.
    variances: HashMap<RatedMomentRequest, f64>,
    /// The ranked features that the monitor heard of.
    n_told: usize,
}

impl<'a, 'p, S: CountedStats + RankCounts> StoreRanker<'a, 'p, S> {
    pub(super) fn new(stats: S, of: RankTask<'a, 'p>) -> Self {
        let prepared = of.counter.prepared;
        let root = WaitingNode::root(0, prepared.rows, prepared.columns.len());
        let mut columns = root.columns.clone();
        columns.retain(|column| Some(*column) != of.groups);
        let (ratings, variances) = (stats.ratings(), HashMap::new());
        StoreRanker { ratings, stats, of, nodes: vec![root], columns, variances, n_told: 0 }
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
            let (stats, ratings, n_nodes) = (&self.stats, &self.ratings[..], self.nodes.len());
            let mut cuts = FeatureCuts { features: &mut features, stats, ratings, n_nodes };
            self.of.counter.find_cuts(&mut cuts)?;
            gains.extend(parallel::try_map(features, |feature| feature.gain(stats, ratings))?);
            self.say(gains.len());
        }
        let mut gains = gains.into_iter();
        let by_group = self.columns.iter().map(|_| gains.by_ref().take(n_groups).collect());
        Ok((by_group.collect(), self.of.counter.passes.report))
    }

    /// Tells how many features are ranked.
    fn say(&mut self, n_ranked: usize) {
        advance(self.of.spec.monitor.as_ref(), n_ranked - self.n_told);
        self.n_told = n_ranked;
    }

    /// Makes a node for each level of a column, and counts its rows.
    fn group_by(&mut self, column: u32) -> Result<()> {
        let (counter, root) = (&mut self.of.counter, &mut self.nodes[0]);
        let of = &counter.prepared.columns[column as usize];
        // The spreads of groups are not looked at.
        let request = BinRequest { centre: 0, ..counter.bin_request::<S>(root, column) };
        let n_groups = request.bins.len() as u32;
        let answers = counter.count(1, vec![request], Vec::new(), Vec::new())?;
        let counted = CountedColumn::new::<S>(&answers.bins[0], of, root)?;
        if counted.buckets.missing_rows > 0 || counted.buckets.len() != n_groups as usize {
            return Err(changed("the rows have other groups"));
        }
        let test = Test::Each((0..n_groups).collect());
        let rule = NodeRule { column, test, missing_to: None };
        counter.tree.nodes[0] = GrowingNode { parent: None, rule: Some(rule), first_branch: 1 };
        self.nodes.clear();
        for (group, stat) in (0..n_groups).zip(counted.buckets.iter()) {
            let parent = Some((0, group));
            counter.tree.nodes.push(GrowingNode { parent, ..GrowingNode::default() });
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

    /// Counts the bins of the first features, a column in a group each, that there is room for.
    fn count_bins(&mut self, wanted: &[(u32, usize)]) -> Result<Vec<CountedFeature<'a, S::Num>>> {
        let RankTask { counter, spec, .. } = &mut self.of;
        let (mut room, mut requests) = (counter.room(), Vec::new());
        for &(column, group) in wanted {
            let node = &self.nodes[group];
            let bytes = counter.bin_bytes(node, column);
            if bytes > room && !requests.is_empty() {
                break;
            }
            room = room.saturating_sub(bytes);
            requests.push(counter.bin_request::<S>(node, column));
        }
        let answers = counter.count(self.nodes.len(), requests, Vec::new(), Vec::new())?;
        let mut features = Vec::new();
        for (&(column, group), counted) in wanted.iter().zip(&answers.bins) {
            let of = &counter.prepared.columns[column as usize];
            let counted = CountedColumn::new::<S>(counted, of, &mut self.nodes[group])?;
            features.push(CountedFeature::new(group, of, counted, spec.missing));
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
            let Counter { passes, tree, .. } = &mut self.of.counter;
            passes.begin(PassTask::Counts, self.nodes.len())?;
            let moments = passes.store.rated_moments(tree, &requests)?;
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
        // The variance of the rows that have a value of one column is not needed again.
        self.variances.retain(|request, _| request.known_in.is_none());
        Ok(())
    }

    /// Counts the levels of features, as many rows at a time as there is room for. `n_ranked` other
    /// features are ranked already.
    fn count_levels(
        &mut self,
        features: &mut [CountedFeature<S::Num>],
        n_ranked: usize,
    ) -> Result<()> {
        let uncounted = features.iter_mut().enumerate().filter_map(|(at, feature)| {
            let key_bytes =
                self.of.counter.passes.store.level_bytes(feature.column.dtype.is_wide());
            let bins = feature.uncounted_levels().into_iter();
            let bins: AliveBins = bins.map(|(bin, rows)| (bin, key_bytes * rows)).collect();
            (!bins.is_empty()).then_some(AliveColumn { at, bins })
        });
        for part in in_parts(uncounted.collect(), self.of.counter.room()) {
            let request = |AliveColumn { at, bins }: &AliveColumn<usize>| {
                let counted = &features[*at].counted;
                let rows = bins.iter().map(|(bin, _)| u64::from(counted.buckets.rows[*bin]));
                let ranges = KeyRange::joined(bins.iter().map(|(bin, _)| counted.range(*bin)));
                let (node, column) = (counted.node, counted.column);
                LevelRequest { node, column, ranges, rows: rows.sum() }
            };
            let requests: Vec<LevelRequest> = part.iter().map(request).collect();
            self.say(n_ranked + part.first().map_or(0, |first| first.at));
            let Counter { passes, tree, .. } = &mut self.of.counter;
            passes.begin(PassTask::Counts, self.nodes.len())?;
            passes.took(part.iter().map(AliveColumn::size).sum());
            let counts = passes.store.count_levels(tree, &requests)?;
            let as_asked = |(asked, found): (&LevelRequest, &LevelCount)| {
                asked.rows == found.rows && found.levels <= found.rows
            };
            if counts.len() != requests.len() || !requests.iter().zip(&counts).all(as_asked) {
                return Err(changed("the levels of bins are not those of their rows"));
            }
            for (AliveColumn { at, .. }, found) in part.iter().zip(counts) {
                features[*at].n_levels += found.levels;
            }
        }
        Ok(())
    }
}
