//! One feature of a ranking, as it was counted.

use super::counted_column::{AliveBins, BucketKeys, CountedColumn, left_out};
use super::counting::{AliveColumn, CutSearch};
use super::key_range::KeyRange;
use super::prepare::PreparedColumn;
use super::stats::CountedStats;
use crate::data::column::{ColumnInfo, Levels};
use crate::data::dtype::{Kind, value_of_key};
use crate::error::Result;
use crate::rank::{FeatureGain, Numbering, RankCounts, SignLimits};
use crate::spec::RankMissing;
use crate::split::SplitPolicy;
use crate::stat::{Num, StatVec};
use crate::util::parallel;

pub(super) struct CountedFeature<'a, N> {
    /// Its group, by index.
    pub(super) group: usize,
    pub(super) column: &'a PreparedColumn,
    pub(super) counted: CountedColumn<N>,
    missing: RankMissing,
    pub(super) n_levels: u64,
    /// The variance of the rows that are rated; 0 for classes.
    pub(super) variance: f64,
}

impl<'a, N: Num> CountedFeature<'a, N> {
    /// A feature whose levels are yet to be counted.
    pub(super) fn new(
        group: usize,
        column: &'a PreparedColumn,
        counted: CountedColumn<N>,
        missing: RankMissing,
    ) -> Self {
        CountedFeature { group, column, counted, missing, n_levels: 0, variance: 0.0 }
    }

    /// The column whose value is known in all rows that are rated, and their stat. `None` is all rows
    /// of the group.
    pub(super) fn rated_rows(&self) -> (Option<u32>, StatVec<N>) {
        let CountedColumn { column, buckets, .. } = &self.counted;
        match self.missing {
            RankMissing::Known if buckets.missing_rows > 0 => (Some(*column), buckets.known()),
            RankMissing::Known | RankMissing::OwnLevel => (None, self.counted.total()),
        }
    }

    /// Counts the levels of bins of one value; returns the others, each with its rows.
    pub(super) fn uncounted_levels(&mut self) -> AliveBins {
        let mut uncounted = AliveBins::new();
        for (at, (keys, &rows)) in
            self.counted.keys.iter().zip(&self.counted.buckets.rows).enumerate()
        {
            match keys {
                BucketKeys::Within(_) if rows > 1 => uncounted.push((at, rows.into())),
                _ => self.n_levels += 1,
            }
        }
        uncounted
    }

    fn policy<S: RankCounts<Num = N>>(&self, stats: &S) -> SplitPolicy {
        stats.policy(self.column.kind, self.missing, self.variance)
    }

    /// The bins that may hold a best cut by one of some ratings.
    fn alive<S: RankCounts<Num = N>>(&self, stats: &S, ratings: &[S::Rating]) -> AliveBins {
        let policy = self.policy(stats);
        let alive = ratings.iter().flat_map(|rating| {
            let best = self.counted.best(&policy, rating, self.column);
            let gain = best.map_or(0.0, |candidate| candidate.gain);
            self.counted.alive(&policy, rating, self.column, gain)
        });
        let mut alive: AliveBins = alive.collect();
        alive.sort_unstable();
        alive.dedup();
        alive
    }

    /// The buckets beside the best cuts that are known so far.
    fn beside_best<S: RankCounts<Num = N>>(&self, stats: &S, ratings: &[S::Rating]) -> Vec<usize> {
        let policy = self.policy(stats);
        let beside = |rating| self.counted.beside_best(&policy, rating, self.column);
        ratings.iter().flat_map(beside).collect()
    }

    /// The feature's figures, once no bin is alive.
    pub(super) fn gain<S: RankCounts<Num = N>>(
        mut self,
        stats: &S,
        ratings: &[S::Rating],
    ) -> Result<FeatureGain> {
        let is_known = |&at: &usize| matches!(self.counted.keys[at], BucketKeys::One(_));
        if !self.beside_best(stats, ratings).iter().all(is_known) {
            return Err(left_out(self.column));
        }
        let mut column = self.column.info.clone();
        // A bucket of several values is beside no cut: any of its keys will do.
        let keys = self.counted.keys.iter().map(|keys| keys.range().first);
        match &mut column.levels {
            // A group need not have all levels.
            Levels::Text(_) => self.counted.buckets.codes = keys.map(|code| code as u32).collect(),
            Levels::Keys(levels) => levels.extend(keys.map(|key| key as u64)),
            Levels::Wide(levels) => levels.extend(keys),
        }
        let (buckets, n_levels) = (&mut self.counted.buckets, self.n_levels as u32);
        let mut gain =
            stats.gain_of_buckets(&column, buckets, n_levels, self.missing, self.variance);
        gain.signs.numbering = self.numbering(&gain);
        Ok(gain)
    }

    /// Whether integers number the rows, by the keys of the least and the greatest.
    fn numbering(&self, gain: &FeatureGain) -> Numbering {
        let ColumnInfo { dtype, kind, .. } = &self.column.info;
        let keys = &self.counted.keys;
        let (Kind::Ordered, true, Some(first), Some(last)) =
            (*kind, dtype.holds_integers(), keys.first(), keys.last())
        else {
            return Numbering::None;
        };
        let ends = [first.range().first, last.range().last];
        let value = |at: usize| value_of_key(dtype, ends[at]);
        let counts = [gain.n_levels, gain.n - gain.n_missing];
        Numbering::of(dtype, counts, SignLimits::default().id_share, ends.len(), value)
    }
}

/// Ranked features whose best cuts are wanted.
pub(super) struct FeatureCuts<'f, 'a, S: CountedStats> {
    pub(super) features: &'f mut [CountedFeature<'a, S::Num>],
    pub(super) stats: &'f S,
    /// Each has a best cut of its own.
    pub(super) ratings: &'f [S::Rating],
    pub(super) n_nodes: usize,
}

impl<S: CountedStats + RankCounts> CutSearch<S> for FeatureCuts<'_, '_, S> {
    type At = usize;

    fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    fn alive(&self) -> Vec<AliveColumn<usize>> {
        let of = |feature: &CountedFeature<S::Num>| feature.alive(self.stats, self.ratings);
        let alive = parallel::map(&*self.features, of).into_iter().enumerate();
        let alive = alive.filter(|(_, bins)| !bins.is_empty());
        alive.map(|(at, bins)| AliveColumn { at, bins }).collect()
    }

    fn column(&self, at: usize) -> &CountedColumn<S::Num> {
        &self.features[at].counted
    }

    fn column_mut(&mut self, at: usize) -> &mut CountedColumn<S::Num> {
        &mut self.features[at].counted
    }

    fn settle(&mut self, at: usize, ranges: &[KeyRange]) {
        let feature = &mut self.features[at];
        let beside = feature.beside_best(self.stats, self.ratings);
        feature.counted.settle(&beside, ranges);
    }
}
