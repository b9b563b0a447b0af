//! How much worse answers get where the values of features are permuted among the rows.

use std::collections::BTreeSet;
use std::ops::Range;

use super::actual::Actual;
use super::forest::{PreparedForest, Voting};
use super::lanes::{LaneSource, TILE_ROWS};
use super::loss::RowLosses;
use super::tile::TileNumbers;
use crate::data::column_data::Source;
use crate::error::{Error, Result};
use crate::spec::{PermutationLoss, PermutationSpec};
use crate::util::monitoring::{advance, begin_stage, check_interrupt};
use crate::util::parallel;
use crate::util::random::Random;

/// The rows that a model is judged on, and how.
pub(crate) struct JudgedRows<'a> {
    pub(crate) actual: &'a Actual,
    pub(crate) loss: PermutationLoss,
    pub(crate) repeats: u32,
    /// If given, a row is answered only by the trees that left it out, and not judged if none did. A list
    /// is of 64 trees: row by row, a bit for each of them.
    pub(crate) left_out: Option<Vec<Vec<u64>>>,
    pub(crate) spec: &'a PermutationSpec,
}

const PERMUTING: &str = "permuting features";

/// Features that are permuted together, by their indices in the schema; there is at least one.
pub(crate) type Group = Vec<u32>;

/// The order of `n` rows in a draw: row i gets the value of the i-th of these. `feature` is the index
/// of the first feature that is permuted. `O(n)`.
pub fn permuted_rows(seed: u64, feature: u32, draw: u64, n: usize) -> Vec<u32> {
    Random::of_stream(seed, [u64::from(feature), draw]).order(n)
}

impl PreparedForest<'_> {
    /// By how much the loss of rows increases where each group is permuted, one number a repeat.
    /// `column` and `known` are as for [`Tree::route`](crate::Tree::route). `O(groups * repeats)`
    /// times scoring.
    pub(crate) fn loss_increases<S: Source + Send>(
        self,
        rows: &JudgedRows,
        groups: &[Group],
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Vec<Vec<f64>>> {
        let n_rows = rows.actual.len();
        let mut lanes = self.lanes(n_rows, Some(0), column, known)?;
        let n_used = groups.iter().filter(|group| !self.lanes_of(group).is_empty()).count();
        let n_times = 1 + n_used * rows.repeats as usize;
        begin_stage(rows.spec.monitor.as_ref(), PERMUTING, n_times * n_rows);
        let before = self.loss(&lanes, rows)?;
        let increases_of = |group: &Group| {
            let of_group = self.lanes_of(group);
            if of_group.is_empty() {
                return Ok(vec![0.0; rows.repeats as usize]);
            }
            let whole = |&lane: &usize| lanes[lane].rows(&(0..n_rows), &mut Vec::new()).to_vec();
            let whole: Vec<Vec<f64>> = of_group.iter().map(whole).collect();
            let increase = |repeat: u32| {
                let order = permuted_rows(rows.spec.seed, group[0], u64::from(repeat), n_rows);
                let permuted = of_group.iter().zip(&whole).map(|(&lane, numbers)| {
                    (lane, order.iter().map(|&row| numbers[row as usize]).collect())
                });
                let permuted = permuted.collect();
                let after = with_lanes(&mut lanes, permuted, |lanes| self.loss(lanes, rows));
                Ok(after? - before)
            };
            (0..rows.repeats).map(increase).collect()
        };
        groups.iter().map(increases_of).collect()
    }

    /// By how much the loss of each tree on the rows that it left out increases where each group is
    /// permuted among them, one number a tree that left rows out that have a loss. `drawn` tells how often each row was
    /// drawn for a tree. `O(groups * repeats)` times scoring, but only groups that a tree uses are
    /// permuted.
    pub(crate) fn loss_increases_out_of_bag<S: Source + Send>(
        self,
        rows: &JudgedRows,
        groups: &[Group],
        drawn: impl Fn(u32) -> Result<Vec<u32>> + Sync,
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
        let monitor = rows.spec.monitor.as_ref();
        begin_stage(monitor, PERMUTING, self.data.trees.len());
        let of_trees = parallel::try_map(0..self.data.trees.len() as u32, |tree| {
            check_interrupt(monitor)?;
            let times = drawn(tree)?;
            let left_out = (0..).zip(times).filter(|(_, times)| *times == 0);
            let left_out: Vec<u32> = left_out.map(|(row, _)| row).collect();
            let increases =
                self.loss_increases_of_tree::<S>(tree, &left_out, &lanes, &groups, rows);
            advance(monitor, 1);
            Ok(increases)
        })?;
        let of_trees: Vec<Vec<f64>> = of_trees.into_iter().flatten().collect();
        if of_trees.is_empty() {
            return Err(Error::data(match rows.loss {
                PermutationLoss::RocAuc => {
                    "each tree drew every row, or left out rows of one class, which have no ROC curve: \
                     give more rows, or a sample_share below 1"
                }
                _ => {
                    "each tree drew every row, so that none is out of bag: give more rows, or a \
                     sample_share below 1"
                }
            }));
        }
        Ok((0..groups.len())
            .map(|group| of_trees.iter().map(|increases| increases[group]).collect())
            .collect())
    }

    /// By how much the loss of a tree on the rows that it left out increases, group by group: a mean over
    /// the repeats. `None` where these rows have no loss.
    fn loss_increases_of_tree<S: Source>(
        self,
        tree: u32,
        left_out: &[u32],
        lanes: &[&[f64]],
        groups: &[(u32, Vec<usize>)],
        rows: &JudgedRows,
    ) -> Option<Vec<f64>> {
        let gather = |lane: &&[f64]| left_out.iter().map(|&row| lane[row as usize]).collect();
        let mut gathered: Vec<LaneSource<S>> =
            lanes.iter().map(gather).map(LaneSource::Converted).collect();
        let before = self.loss_of_tree(tree, &gathered, left_out, rows)?;
        let features = self.data.trees[tree as usize].used_features();
        let used: BTreeSet<usize> = self.lanes_of(&features).into_iter().collect();
        let increase = |(first, of_group): &(u32, Vec<usize>)| {
            let of_group: Vec<usize> =
                of_group.iter().copied().filter(|lane| used.contains(lane)).collect();
            if of_group.is_empty() {
                return Some(0.0);
            }
            let mut sum = 0.0;
            for repeat in 0..rows.repeats {
                let draw = u64::from(tree) * u64::from(rows.repeats) + u64::from(repeat);
                let order = permuted_rows(rows.spec.seed, *first, draw, left_out.len());
                let permuted = of_group.iter().map(|&lane| {
                    let row = |&place: &u32| left_out[place as usize] as usize;
                    (lane, order.iter().map(|place| lanes[lane][row(place)]).collect())
                });
                let permuted = permuted.collect();
                let loss = |lanes: &[_]| self.loss_of_tree(tree, lanes, left_out, rows);
                sum += with_lanes(&mut gathered, permuted, loss)? - before;
            }
            Some(sum / f64::from(rows.repeats))
        };
        groups.iter().map(increase).collect()
    }

    /// The lanes of features; a feature that no rule uses has none.
    fn lanes_of(self, features: &[u32]) -> Vec<usize> {
        let used = &self.scorer.used.indices;
        features.iter().filter_map(|feature| used.binary_search(feature).ok()).collect()
    }

    /// The loss of the forest's answers for rows; there is at least one row.
    fn loss<S: Source + Send>(self, lanes: &[LaneSource<S>], rows: &JudgedRows) -> Result<f64> {
        let (n_rows, width) = (rows.actual.len(), self.width());
        // Tile by tile, so that the sum is the same on any number of threads.
        let of_tiles = parallel::try_map((0..n_rows).step_by(TILE_ROWS), |start| {
            check_interrupt(rows.spec.monitor.as_ref())?;
            let of_tile = start..n_rows.min(start + TILE_ROWS);
            advance(rows.spec.monitor.as_ref(), of_tile.len());
            let mut buffers = Vec::new();
            let numbers = TileNumbers::new(lanes, &of_tile, &mut buffers);
            let mut values = vec![0.0; of_tile.len() * width];
            let is_answered = match &rows.left_out {
                None => {
                    self.add_up(&numbers, Voting::Soft, &mut values);
                    vec![true; of_tile.len()]
                }
                Some(masks) => self.add_up_of(masks, &of_tile, &numbers, &mut values),
            };
            let mut losses = RowLosses::new(rows.actual, rows.loss);
            let answers = values.chunks(width).zip(of_tile).zip(is_answered);
            let answers = answers.filter(|(_, is_answered)| *is_answered);
            answers.for_each(|((said, row), _)| losses.add(row, said));
            Ok(losses)
        })?;
        let losses =
            of_tiles.into_iter().fold(RowLosses::new(rows.actual, rows.loss), RowLosses::append);
        losses.get().ok_or_else(|| {
            Error::data(match rows.loss {
                PermutationLoss::RocAuc => {
                    "the rows are of one class, so that they have no ROC curve: give rows of several \
                     classes, or judge answers by another loss, as brier"
                }
                _ => "no row is out of bag: more trees leave more rows out",
            })
        })
    }

    /// Sets `values` to the mean answer, for each row of a tile, of the trees that left it out. Says for
    /// each row whether there is such a tree.
    fn add_up_of(
        self,
        masks: &[Vec<u64>],
        of_tile: &Range<usize>,
        numbers: &TileNumbers,
        values: &mut [f64],
    ) -> Vec<bool> {
        let (width, mut nodes) = (self.width(), vec![0; of_tile.len()]);
        let mut n_trees = vec![0u32; of_tile.len()];
        for tree in 0..self.data.trees.len() {
            let (word, bit) = (tree / u64::BITS as usize, tree % u64::BITS as usize);
            let masks = &masks[word][of_tile.clone()];
            self.each_answer(tree, numbers, &mut nodes, |row, said| {
                if masks[row] >> bit & 1 == 1 {
                    Voting::Soft.add(said, &mut values[row * width..(row + 1) * width]);
                    n_trees[row] += 1;
                }
            });
        }
        for (values, &n) in values.chunks_mut(width).zip(&n_trees) {
            values.iter_mut().for_each(|sum| *sum /= f64::from(n.max(1)));
        }
        n_trees.into_iter().map(|n| n > 0).collect()
    }

    /// The loss of what a tree says of some rows, whose numbers are gathered in the lanes; `None` where
    /// they have none.
    fn loss_of_tree<S: Source>(
        self,
        tree: u32,
        lanes: &[LaneSource<S>],
        left_out: &[u32],
        rows: &JudgedRows,
    ) -> Option<f64> {
        let mut losses = RowLosses::new(rows.actual, rows.loss);
        for start in (0..left_out.len()).step_by(TILE_ROWS) {
            let of_tile = start..left_out.len().min(start + TILE_ROWS);
            let (mut buffers, mut nodes) = (Vec::new(), vec![0; of_tile.len()]);
            let numbers = TileNumbers::new(lanes, &of_tile, &mut buffers);
            self.each_answer(tree as usize, &numbers, &mut nodes, |at, said| {
                losses.add(left_out[start + at] as usize, said);
            });
        }
        losses.get()
    }
}

/// Calls a function with other numbers in some lanes, and puts back what was there.
fn with_lanes<S, R>(
    lanes: &mut [LaneSource<S>],
    numbers: Vec<(usize, Vec<f64>)>,
    work: impl FnOnce(&[LaneSource<S>]) -> R,
) -> R {
    let replace = |(lane, numbers)| {
        (lane, std::mem::replace(&mut lanes[lane], LaneSource::Converted(numbers)))
    };
    let before: Vec<(usize, LaneSource<S>)> = numbers.into_iter().map(replace).collect();
    let made = work(lanes);
    before.into_iter().for_each(|(lane, source)| lanes[lane] = source);
    made
}
