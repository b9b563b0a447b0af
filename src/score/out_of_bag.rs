//! What a forest says of the rows it was grown on, each row by the trees that left it out (Breiman
//! 1996).

use std::ops::Range;

use super::actual::Actual;
use super::forest::{PreparedForest, Voting};
use super::lanes::TILE_ROWS;
use super::tile::TileNumbers;
use crate::data::column_data::Source;
use crate::error::Result;
use crate::spec::Monitor;
use crate::tree::highest;
use crate::util::monitoring::{advance, begin_stage, check_interrupt};
use crate::util::parallel;

/// Trees whose draws are looked at together: as many as a row's mask has bits.
const TREES_OF_MASK: u32 = u64::BITS;

/// The rows a forest was grown on, and how it answers them.
pub(crate) struct OutOfBagRows<'a> {
    pub(crate) actual: &'a Actual,
    pub(crate) voting: Voting,
    pub(crate) monitor: Option<&'a Monitor>,
}

pub(crate) struct OutOfBagAnswers {
    /// The class of each row that some tree left out: of the highest probability, the lower one of
    /// equals. None in regression.
    pub(crate) classes: Vec<u32>,
    /// Row by row, the probability of each class; or the mean of each row. 0 where no tree left it out.
    pub(crate) values: Vec<f64>,
    /// How many trees left each row out.
    pub(crate) n_trees: Vec<u32>,
    /// One for each number of trees, from 1.
    pub(crate) curve: Vec<CurvePoint>,
}

/// How far off the first trees are, for one number of them.
#[derive(Clone, Copy, Default)]
pub(crate) struct CurvePoint {
    /// Rows that some of the trees left out.
    pub(crate) n_rows: u64,
    /// How many of these rows are of another class than predicted; or the sum of their squared
    /// errors.
    pub(crate) errors: f64,
}

/// What is known so far of the rows of a tile.
struct Tile<'a> {
    values: &'a mut [f64],
    classes: &'a mut [u32],
    n_trees: &'a mut [u32],
}

impl PreparedForest<'_> {
    /// What each row is answered by the trees that left it out; `column` and `known` are as for
    /// [`Tree::route`](crate::Tree::route). `left_out` tells of each row which of at most 64 trees
    /// left it out: a bit a tree, the lowest is the first tree's. `O(trees * depth)` a row.
    pub(crate) fn out_of_bag<S: Source + Send>(
        self,
        rows: &OutOfBagRows,
        left_out: impl Fn(Range<u32>) -> Result<Vec<u64>>,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<OutOfBagAnswers> {
        let (n_rows, width) = (rows.actual.len(), self.width());
        let lanes = self.lanes(n_rows, Some(0), column, known)?;
        let (mut values, mut n_trees) = (vec![0.0; n_rows * width], vec![0; n_rows]);
        let (mut classes, all) = (vec![0; n_rows], self.data.trees.len() as u32);
        let mut curve = Vec::with_capacity(all as usize);
        begin_stage(rows.monitor, "answering out of bag", n_rows * all as usize);
        for first in (0..all).step_by(TREES_OF_MASK as usize) {
            let trees = first..all.min(first + TREES_OF_MASK);
            let masks = left_out(trees.clone())?;
            let tiles = values
                .chunks_mut(TILE_ROWS * width)
                .zip(classes.chunks_mut(TILE_ROWS))
                .zip(n_trees.chunks_mut(TILE_ROWS));
            let tiles = (0..).step_by(TILE_ROWS).zip(tiles);
            let of_tiles = parallel::try_map(tiles, |(start, ((values, classes), n_trees))| {
                check_interrupt(rows.monitor)?;
                let n_tile_rows = n_trees.len();
                let of_tile = start..start + n_tile_rows;
                let mut buffers = Vec::new();
                let numbers = TileNumbers::new(&lanes, &of_tile, &mut buffers);
                let tile = Tile { values, classes, n_trees };
                let curve = tile.add_trees(self, &trees, &numbers, &masks[of_tile], rows, start);
                advance(rows.monitor, n_tile_rows * trees.len());
                Ok(curve)
            })?;
            // Tile by tile, so that sums of squares are the same on any number of threads.
            let sum = |at: usize| {
                of_tiles.iter().map(|tile| tile[at]).fold(CurvePoint::default(), CurvePoint::and)
            };
            curve.extend((0..trees.len()).map(sum));
        }
        for (values, &n) in values.chunks_mut(width).zip(&n_trees) {
            values.iter_mut().for_each(|sum| *sum /= f64::from(n.max(1)));
        }
        classes.truncate(if self.data.is_regression() { 0 } else { n_rows });
        Ok(OutOfBagAnswers { classes, values, n_trees, curve })
    }
}

impl Tile<'_> {
    /// Adds what trees say of the rows that they left out, and tells how far off the sums are after
    /// each.
    fn add_trees(
        self,
        forest: PreparedForest,
        trees: &Range<u32>,
        numbers: &TileNumbers,
        left_out: &[u64],
        rows: &OutOfBagRows,
        start: usize,
    ) -> Vec<CurvePoint> {
        let Tile { values, classes, n_trees } = self;
        let (width, is_regression) = (forest.width(), forest.data.is_regression());
        let (mut nodes, mut shares) = (vec![0; n_trees.len()], vec![0.0; width]);
        let mut add = |(bit, tree): (usize, u32)| {
            forest.each_answer(tree as usize, numbers, &mut nodes, |row, said| {
                if left_out[row] >> bit & 1 == 0 {
                    return;
                }
                let sums = &mut values[row * width..(row + 1) * width];
                rows.voting.add(said, sums);
                n_trees[row] += 1;
                if !is_regression {
                    let n = f64::from(n_trees[row]);
                    shares.iter_mut().zip(sums).for_each(|(share, sum)| *share = *sum / n);
                    classes[row] = highest(&shares) as u32;
                }
            });
            let seen = (0..n_trees.len()).filter(|&row| n_trees[row] > 0);
            seen.fold(CurvePoint::default(), |point, row| {
                let error = match rows.actual {
                    Actual::Classes(actual) => f64::from(Some(classes[row]) != actual[start + row]),
                    Actual::Numbers(actual) => {
                        (values[row] / f64::from(n_trees[row]) - actual[start + row]).powi(2)
                    }
                };
                point.and(CurvePoint { n_rows: 1, errors: error })
            })
        };
        trees.clone().enumerate().map(&mut add).collect()
    }
}

impl CurvePoint {
    fn and(self, other: CurvePoint) -> CurvePoint {
        CurvePoint { n_rows: self.n_rows + other.n_rows, errors: self.errors + other.errors }
    }
}
