//! How much worse answers get where the values of features are permuted among the rows.

use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;

use super::actual::Actual;
use super::forest::{PreparedForest, Voting};
use super::lanes::{LaneSource, TILE_ROWS};
use super::tile::TileNumbers;
use crate::data::column_data::Source;
use crate::error::{Error, Result};
use crate::spec::{Interrupt, PermutationLoss, PermutationSpec};
use crate::tree::highest;
use crate::util::parallel::Tasks;
use crate::util::random::Random;

/// The rows that a model is judged on, and how.
pub(crate) struct JudgedRows<'a> {
    pub(crate) actual: &'a Actual,
    pub(crate) repeats: u32,
    pub(crate) spec: &'a PermutationSpec,
}

/// Features that are permuted together, by their indices in the schema; there is at least one.
pub(crate) type Group = Vec<u32>;

/// The order of `n` rows in a draw: row i gets the value of the i-th of these. `feature` is the index
/// of the first feature that is permuted. `O(n)`.
pub fn permuted_rows(seed: u64, feature: u32, draw: u64, n: usize) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..n as u32).collect();
    Random::of_stream(seed, [u64::from(feature), draw]).shuffle(&mut rows);
    rows
}

impl PreparedForest<'_> {
    /// By how much the mean loss of rows rises where each group is permuted, one number a repeat.
    /// `column` and `known` are those of [`Tree::route`](crate::Tree::route). `O(groups * repeats)`
    /// times scoring.
    pub(crate) fn rises<S: Source + Send>(
        self,
        rows: &JudgedRows,
        groups: &[Group],
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Vec<Vec<f64>>> {
        let n_rows = rows.actual.len();
        let mut lanes = self.lanes(n_rows, Some(0), column, known)?;
        let before = self.mean_loss(&lanes, rows)?;
        let rises_of = |group: &Group| {
            let of_group = self.lanes_of(group);
            if of_group.is_empty() {
                return Ok(vec![0.0; rows.repeats as usize]);
            }
            let rise = |repeat: u32| {
                let order = permuted_rows(rows.spec.seed, group[0], u64::from(repeat), n_rows);
                let permuted = of_group.iter().map(|&lane| {
                    let whole = lanes[lane].rows(&(0..n_rows), &mut Vec::new()).to_vec();
                    (lane, order.iter().map(|&row| whole[row as usize]).collect())
                });
                let permuted: Vec<(usize, Vec<f64>)> = permuted.collect();
                let mut kept = Vec::with_capacity(permuted.len());
                for (lane, numbers) in permuted {
                    let lane_now = &mut lanes[lane];
                    kept.push((lane, std::mem::replace(lane_now, LaneSource::Converted(numbers))));
                }
                let after = self.mean_loss(&lanes, rows);
                kept.into_iter().for_each(|(lane, source)| lanes[lane] = source);
                Ok(after? - before)
            };
            (0..rows.repeats).map(rise).collect()
        };
        groups.iter().map(rises_of).collect()
    }

    /// By how much the mean loss of each tree on the rows that it left out rises where each group is
    /// permuted among them, one number a tree that left rows out. `left_out` is that of
    /// [`out_of_bag`](Self::out_of_bag). `O(groups * repeats)` times scoring, but only groups that a
    /// tree uses are permuted.
    pub(crate) fn rises_out_of_bag<S: Source + Send>(
        self,
        rows: &JudgedRows,
        groups: &[Group],
        left_out: impl Fn(Range<u32>) -> Result<Vec<u64>> + Sync,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Vec<Vec<f64>>> {
        let n_rows = rows.actual.len();
        let lanes = self.lanes(n_rows, Some(0), column, known)?;
        let mut buffers = vec![Vec::new(); lanes.len()];
        let lanes: Vec<&[f64]> = lanes
            .iter()
            .zip(&mut buffers)
            .map(|(lane, buffer)| lane.rows(&(0..n_rows), buffer))
            .collect();
        let groups: Vec<(u32, Vec<usize>)> =
            groups.iter().map(|group| (group[0], self.lanes_of(group))).collect();
        let trees = (0..self.data.trees.len() as u32).into_par_iter().one_item_per_task();
        let of_trees = trees.map(|tree| {
            if rows.spec.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
                return Err(Error::interrupted());
            }
            let mask = left_out(tree..tree + 1)?;
            let of_tree: Vec<u32> =
                (0..n_rows as u32).filter(|&row| mask[row as usize] > 0).collect();
            Ok((!of_tree.is_empty())
                .then(|| self.rises_of_tree::<S>(tree, &of_tree, &lanes, &groups, rows)))
        });
        let of_trees: Vec<Vec<f64>> =
            of_trees.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        if of_trees.is_empty() {
            return Err(Error::data(
                "each tree drew every row, so that none is out of bag: give more rows, or a \
                 sample_share below 1",
            ));
        }
        Ok((0..groups.len())
            .map(|group| of_trees.iter().map(|rises| rises[group]).collect())
            .collect())
    }

    /// By how much the mean loss of a tree on some rows rises, group by group: a mean over the repeats.
    fn rises_of_tree<S: Source>(
        self,
        tree: u32,
        of_tree: &[u32],
        lanes: &[&[f64]],
        groups: &[(u32, Vec<usize>)],
        rows: &JudgedRows,
    ) -> Vec<f64> {
        let gather = |lane: &&[f64]| of_tree.iter().map(|&row| lane[row as usize]).collect();
        let mut gathered: Vec<LaneSource<S>> =
            lanes.iter().map(gather).map(LaneSource::Converted).collect();
        let before = self.mean_loss_of_tree(tree, &gathered, of_tree, rows);
        let features = self.data.trees[tree as usize].used_features();
        let used: BTreeSet<usize> = self.lanes_of(&features).into_iter().collect();
        let rise = |(first, of_group): &(u32, Vec<usize>)| {
            let of_group: Vec<usize> =
                of_group.iter().copied().filter(|lane| used.contains(lane)).collect();
            if of_group.is_empty() {
                return 0.0;
            }
            let mut sum = 0.0;
            for repeat in 0..rows.repeats {
                let draw = u64::from(tree) * u64::from(rows.repeats) + u64::from(repeat);
                let order = permuted_rows(rows.spec.seed, *first, draw, of_tree.len());
                let at = |&place: &u32| of_tree[place as usize] as usize;
                let mut kept = Vec::with_capacity(of_group.len());
                for &lane in &of_group {
                    let permuted = order.iter().map(|place| lanes[lane][at(place)]).collect();
                    let permuted = LaneSource::Converted(permuted);
                    kept.push((lane, std::mem::replace(&mut gathered[lane], permuted)));
                }
                sum += self.mean_loss_of_tree(tree, &gathered, of_tree, rows) - before;
                kept.into_iter().for_each(|(lane, source)| gathered[lane] = source);
            }
            sum / f64::from(rows.repeats)
        };
        groups.iter().map(rise).collect()
    }

    /// The lanes of features; a feature that no rule uses has none.
    fn lanes_of(self, features: &[u32]) -> Vec<usize> {
        let used = &self.scorer.used.indices;
        features.iter().filter_map(|feature| used.binary_search(feature).ok()).collect()
    }

    /// The mean loss of what the forest says of rows, of which there are some.
    fn mean_loss<S: Source + Send>(
        self,
        lanes: &[LaneSource<S>],
        rows: &JudgedRows,
    ) -> Result<f64> {
        let (n_rows, width) = (rows.actual.len(), self.width());
        let tiles = (0..n_rows.div_ceil(TILE_ROWS)).into_par_iter().one_item_per_task();
        let losses = tiles.map(|tile| {
            if rows.spec.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
                return Err(Error::interrupted());
            }
            let of_tile = tile * TILE_ROWS..n_rows.min((tile + 1) * TILE_ROWS);
            let mut buffers = Vec::new();
            let numbers = TileNumbers::new(lanes, &of_tile, &mut buffers);
            let mut values = vec![0.0; of_tile.len() * width];
            self.add_up(&numbers, Voting::Soft, &mut values);
            let said = values.chunks(width).zip(of_tile);
            Ok(said.map(|(said, row)| rows.actual.loss(row, said, rows.spec.loss)).sum())
        });
        // Tile by tile, so that the sum is the same on any number of threads.
        let losses: Vec<f64> = losses.collect::<Result<_>>()?;
        Ok(losses.iter().sum::<f64>() / n_rows as f64)
    }

    /// The mean loss of what a tree says of some rows, whose numbers are gathered in the lanes.
    fn mean_loss_of_tree<S: Source>(
        self,
        tree: u32,
        lanes: &[LaneSource<S>],
        of_tree: &[u32],
        rows: &JudgedRows,
    ) -> f64 {
        let mut sum = 0.0;
        for start in (0..of_tree.len()).step_by(TILE_ROWS) {
            let of_tile = start..of_tree.len().min(start + TILE_ROWS);
            let (mut buffers, mut nodes) = (Vec::new(), vec![0; of_tile.len()]);
            let numbers = TileNumbers::new(lanes, &of_tile, &mut buffers);
            self.each_answer(tree as usize, &numbers, &mut nodes, |at, said| {
                let row = of_tree[start + at] as usize;
                sum += rows.actual.loss(row, said, rows.spec.loss);
            });
        }
        sum / of_tree.len() as f64
    }
}

impl Actual {
    /// The loss of what is said of a row.
    fn loss(&self, row: usize, said: &[f64], loss: PermutationLoss) -> f64 {
        match self {
            Actual::Numbers(numbers) => (said[0] - numbers[row]).powi(2),
            Actual::Classes(classes) => match loss {
                PermutationLoss::Error => f64::from(Some(highest(said) as u32) != classes[row]),
                PermutationLoss::Brier => {
                    let own = classes[row].map_or(0.0, |class| said[class as usize]);
                    let squares: f64 = said.iter().map(|share| share * share).sum();
                    // Of two classes the square of either is the same.
                    (squares - 2.0 * own + 1.0) / if said.len() == 2 { 2.0 } else { 1.0 }
                }
            },
        }
    }
}

/// What the rises of a group's losses come to.
pub(crate) struct MeanRise {
    pub(crate) mean: f64,
    /// Of the mean; `None` of fewer than two numbers.
    pub(crate) standard_error: Option<f64>,
}

impl MeanRise {
    /// Of some numbers.
    pub(crate) fn of(rises: &[f64]) -> MeanRise {
        let n = rises.len() as f64;
        let mean = rises.iter().sum::<f64>() / n;
        let squares: f64 = rises.iter().map(|rise| (rise - mean).powi(2)).sum();
        let standard_error = (rises.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt());
        MeanRise { mean, standard_error }
    }

    /// The mean in standard errors; `None` where there is no error.
    pub(crate) fn z(&self) -> Option<f64> {
        self.standard_error.filter(|&error| error > 0.0).map(|error| self.mean / error)
    }
}
