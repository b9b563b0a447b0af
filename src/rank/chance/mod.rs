//! What chance alone would have gained: expected gains and p-values of a ranking.
//!
//! The null hypothesis is that the target is independent of the column: then every order of the
//! rated rows' targets (and their weights with them) is as likely. A partition into levels has an
//! [exact expectation](exact) and, where counts are large, a G test. All else is by
//! permutations, which are the same for all columns and end [early](tally) column by column. A
//! column is encoded and sorted once: a permutation needs its [`Shape`] alone.

mod exact;
mod permuted;
mod shape;
mod tally;

use std::cell::LazyCell;

use super::FeatureGain;
use super::figures::missing_policy;
use crate::data::column::{Column, EntryLayout};
use crate::data::dtype::Kind;
use crate::spec::{Chance, Cuts, Monitor, RankMissing};
use crate::split::{BinarySplits, ColumnView, Scratch, SplitPolicy};
use crate::stat::significance::benjamini_hochberg;
use crate::stat::{Rating, RowStats};
use crate::util::parallel;
use crate::util::random::Random;
use crate::util::scratch_pool::ScratchPool;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(super) use exact::expected_gain;
use exact::impurity;
pub(super) use exact::{Exact, LevelTotals};
use permuted::Permuted;
use shape::{RowsOfLevels, Shape};
use tally::Tally;

/// How a feature's gain compares with the gain of chance; see the table `rank_gain`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct ChanceFigures {
    pub expected_gain: f64,
    pub adjusted_gain: f64,
    pub p_value: f64,
    pub q_value: f64,
}

/// Permutations that are made before any column is looked at again.
const BATCH: u32 = 16;

/// Sets the rate of false discoveries among the columns of each group (Benjamini & Hochberg 1995) in
/// gains `[column][group]`.
pub(crate) fn set_q_values(gains: &mut [Vec<FeatureGain>]) {
    for group in 0..gains.first().map_or(0, Vec::len) {
        let mut figures: Vec<&mut ChanceFigures> =
            gains.iter_mut().filter_map(|groups| groups[group].chance.as_mut()).collect();
        let p_values: Vec<f64> = figures.iter().map(|figures| figures.p_value).collect();
        let q_values = benjamini_hochberg(&p_values);
        figures.iter_mut().zip(q_values).for_each(|(figures, q)| figures.q_value = q);
    }
}

/// A column's figures in one group of rows, and what permutations need to know of it.
pub(super) struct Ranked {
    pub(super) gain: FeatureGain,
    kind: Kind,
    shape: Shape,
}

/// What chance would have gained in one ranking.
pub(super) struct ByChance<'a, S, F, E> {
    pub(super) rows: &'a S,
    pub(super) chance: Chance,
    pub(super) missing: RankMissing,
    pub(super) is_weighted: bool,
    pub(super) monitor: Option<&'a Monitor>,
    /// The gain of the buckets of a column that is no partition into all levels.
    pub(super) of_buckets: F,
    /// What is known without permutations.
    pub(super) exact: E,
}

/// A column as it is tested.
struct Test<'a> {
    ranked: &'a Ranked,
    policy: SplitPolicy,
    share: f64,
    exact: Exact,
    tally: Tally,
}

impl Ranked {
    pub(super) fn new(
        gain: FeatureGain,
        column: &Column,
        view: ColumnView,
        rows: &[u32],
        missing: RankMissing,
        cuts: Cuts,
    ) -> Ranked {
        Ranked { gain, kind: column.kind, shape: Shape::of(view, rows, column.kind, missing, cuts) }
    }
}

impl<S, F, E> ByChance<'_, S, F, E>
where
    S: RowStats,
    F: Fn(&BinarySplits<S::Rating>) -> f64 + Sync,
    E: Fn(&FeatureGain, LevelTotals) -> Exact + Sync,
{
    /// Adds the figures to a ranking, `columns[column][group]`; `rows_of` lists a group's rows.
    /// Q-values are to be [set](set_q_values).
    pub(super) fn add<'r>(
        &self,
        columns: Vec<Vec<Ranked>>,
        rows_of: impl Fn(usize) -> &'r [u32] + Sync,
    ) -> Vec<Vec<FeatureGain>> {
        let n_groups = columns.first().map_or(0, Vec::len);
        let figures = parallel::map(0..n_groups, |group| {
            let of_group = columns.iter().map(|groups| &groups[group]);
            self.figures(of_group, rows_of(group), group as u64)
        });
        let with_figures = |(column, groups): (usize, Vec<Ranked>)| {
            let groups = groups.into_iter().zip(&figures);
            groups
                .map(|(ranked, of_group)| FeatureGain {
                    chance: Some(of_group[column]),
                    ..ranked.gain
                })
                .collect()
        };
        columns.into_iter().enumerate().map(with_figures).collect()
    }

    /// The figures of the columns in one group.
    fn figures<'a>(
        &self,
        columns: impl Iterator<Item = &'a Ranked>,
        rows: &[u32],
        group: u64,
    ) -> Vec<ChanceFigures> {
        let mut tests: Vec<Test> = columns.map(|ranked| self.test(ranked, rows)).collect();
        self.permute(&mut tests, rows, group);
        let figures = |test: &Test| {
            let expected_gain = test.exact.expected_gain.unwrap_or_else(|| test.tally.mean());
            let adjusted_gain = test.ranked.gain.gain() - expected_gain;
            ChanceFigures { expected_gain, adjusted_gain, p_value: test.p_value(), q_value: 1.0 }
        };
        tests.iter().map(figures).collect()
    }

    fn test<'a>(&self, ranked: &'a Ranked, rows: &[u32]) -> Test<'a> {
        let Ranked { gain, kind, shape } = ranked;
        let rating = self.rows.rating();
        let policy = missing_policy(self.missing, *kind);
        let policy = SplitPolicy::unlimited(policy, rating.zero_below(impurity(gain)));
        let mut test =
            Test { ranked, policy, share: 1.0, exact: Exact::default(), tally: Tally::default() };
        if shape.is_constant() {
            test.exact = Exact { expected_gain: Some(0.0), p_value: Some(1.0) };
            return test;
        }
        let weight = |total: &[S::Num]| rating.weight(rating.units(total));
        let mut total = self.rows.total(rows, EntryLayout::ROWS);
        if let Some(rated) = &shape.rated {
            let rated: Vec<u32> = kept(rows, rated).collect();
            let of_rated = self.rows.total(&rated, EntryLayout::ROWS);
            test.share = weight(&of_rated) / weight(&total);
            total = of_rated;
        }
        if let (true, RowsOfLevels::Sizes(levels), false) =
            (shape.is_partition, &shape.levels, self.is_weighted)
        {
            // Without weights, a class counts its rows.
            let rows = |&units: &S::Num| rating.weight(units) as u32;
            let classes: Vec<u32> = total.iter().map(rows).collect();
            let totals = LevelTotals { levels, classes: &classes, share: test.share };
            test.exact = (self.exact)(gain, totals);
        }
        test
    }

    /// Permutes the target until every test is decided.
    fn permute(&self, tests: &mut [Test], rows: &[u32], group: u64) {
        let pool = ScratchPool::<Scratch<S::Num>>::default();
        let is_interrupted = || self.monitor.is_some_and(Monitor::is_interrupted);
        let all = self.chance.permutations;
        for first in (0..all).step_by(BATCH as usize) {
            if tests.iter().all(Test::is_decided) || is_interrupted() {
                break;
            }
            let batch = first..first.saturating_add(BATCH).min(all);
            let gains = |permutation: u32| {
                let mut random = Random::of_stream(self.chance.seed, [group, permutation.into()]);
                pool.with(|scratch| self.gains(tests, rows, &mut random, scratch))
            };
            for of_columns in parallel::map(batch, gains) {
                for (test, gain) in tests.iter_mut().zip(of_columns) {
                    test.tally.add(gain, test.ranked.gain.gain());
                }
            }
        }
    }

    /// What the columns gain in one permutation. The gain of a column that is decided may be
    /// anything.
    fn gains(
        &self,
        tests: &[Test],
        rows: &[u32],
        random: &mut Random,
        scratch: &mut Scratch<S::Num>,
    ) -> Vec<f64> {
        let positions = random.order(rows.len());
        let rows_of = |positions: &mut dyn Iterator<Item = u32>| -> Vec<u32> {
            positions.map(|position| rows[position as usize]).collect()
        };
        let all =
            LazyCell::new(|| Permuted::new(self.rows, &rows_of(&mut positions.iter().copied())));
        let mut common = None;
        let mut gain = |test: &Test| {
            let shape = &test.ranked.shape;
            let mut of = |permuted: &Permuted<S>| {
                permuted.gain(shape, &test.policy, scratch, &self.of_buckets)
            };
            let gain = match &shape.rated {
                Some(rated) => {
                    let is_rated = |&position: &u32| rated[position as usize];
                    let kept = all.kept(positions.iter().map(is_rated));
                    of(&kept.unwrap_or_else(|| {
                        let mut rated = positions.iter().copied().filter(is_rated);
                        Permuted::new(self.rows, &rows_of(&mut rated))
                    }))
                }
                None if shape.is_common() => *common.get_or_insert_with(|| of(&all)),
                None => of(&all),
            };
            gain * test.share
        };
        tests.iter().map(|test| if test.is_decided() { 0.0 } else { gain(test) }).collect()
    }
}

impl Test<'_> {
    fn is_decided(&self) -> bool {
        let Exact { expected_gain, p_value } = self.exact;
        self.tally.is_done() || (expected_gain.is_some() && p_value.is_some())
    }

    fn p_value(&self) -> f64 {
        self.exact.p_value.unwrap_or_else(|| self.tally.p_value())
    }
}

/// The rows at the positions that are rated.
fn kept(rows: &[u32], rated: &[bool]) -> impl Iterator<Item = u32> {
    rows.iter().zip(rated).filter(|&(_, &rated)| rated).map(|(&row, _)| row)
}
