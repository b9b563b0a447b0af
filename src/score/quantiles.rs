//! Quantiles of a numeric target for the rows a forest was grown on (Meinshausen 2006).
//!
//! A tree that left a row out gives each training row in the row's leaf its share of the leaf's weight.
//! The mean of these shares over the trees is a distribution of the target.

use std::ops::{AddAssign, Range};

use rayon::prelude::*;

use super::forest::PreparedForest;
use super::lanes::{LaneSource, TILE_ROWS};
use super::routes::{Part, RouteStats, Routes};
use super::tile::TileNumbers;
use crate::data::column_data::Source;
use crate::error::Result;
use crate::spec::QuantileSpec;
use crate::tree::TreeData;
use crate::util::monitoring::{advance, begin_stage, check_interrupt};
use crate::util::parallel;

/// How far below a quantile's share a sum of weights may be, relative to the share, and still reach it:
/// such sums are rounded.
const SLACK: f64 = 1e-11;

pub(crate) struct OutOfBagQuantiles {
    /// Row by row, a number for each quantile. NaN where no tree left it out.
    pub(crate) values: Vec<f64>,
    /// How many trees left each row out.
    pub(crate) n_trees: Vec<u32>,
}

/// The rows a forest of numbers was grown on, in the order of their numbers. A row's place is its index
/// in it.
pub(crate) struct AscendingRows<'a> {
    /// The number at each place.
    numbers: Vec<f64>,
    places: Vec<u32>,
    /// The weight of each row; all positive, `None` if all are 1.
    weights: Option<&'a [f64]>,
}

impl<'a> AscendingRows<'a> {
    /// `O(n log n)`.
    pub(crate) fn new(numbers: &[f64], weights: Option<&'a [f64]>) -> AscendingRows<'a> {
        let mut rows: Vec<u32> = (0..numbers.len() as u32).collect();
        rows.par_sort_by(|&a, &b| numbers[a as usize].total_cmp(&numbers[b as usize]));
        let mut places = vec![0; rows.len()];
        (0..).zip(&rows).for_each(|(place, &row)| places[row as usize] = place);
        let numbers = rows.iter().map(|&row| numbers[row as usize]).collect();
        AscendingRows { numbers, places, weights }
    }
}

/// Where a tree has the rows it was grown on, and where the rows it left out end.
struct RowsOfTree<'t> {
    tree: &'t TreeData,
    /// The places of the rows it was grown on: node by node, ascending in each.
    places: Vec<u32>,
    /// The sum of the weights in its node up to each of these.
    weights: Vec<f64>,
    /// Where the rows of each node begin, and at last where all end.
    starts: Vec<usize>,
    /// The rows it left out, ascending, each with the nodes it ended in.
    left_out: Vec<(u32, Part)>,
}

/// The training rows in one node, as a component of the distribution of another row's target, which is a
/// mixture.
struct Component<'t> {
    places: &'t [u32],
    /// As in [`RowsOfTree`].
    weights: &'t [f64],
    /// What a weight of 1 adds to the distribution.
    factor: f64,
}

impl<'t> RowsOfTree<'t> {
    /// `O(n log n)`.
    fn new(
        tree: &'t TreeData,
        routes: &Routes,
        times: &[u32],
        rows: &AscendingRows,
    ) -> RowsOfTree<'t> {
        let (mut drawn, mut left_out) = (Vec::new(), Vec::new());
        for (row, part) in routes.parts() {
            match times[row] {
                0 => left_out.push((row as u32, part)),
                times => {
                    let weight =
                        f64::from(times) * rows.weights.map_or(1.0, |weights| weights[row]);
                    drawn.push((part.node, rows.places[row], weight * part.share));
                }
            }
        }
        drawn.sort_unstable_by_key(|&(node, place, _)| (node, place));
        let mut starts = vec![0; tree.n_nodes() + 1];
        drawn.iter().for_each(|&(node, ..)| starts[node as usize + 1] += 1);
        cumulate(&mut starts);
        let (places, mut weights): (Vec<u32>, Vec<f64>) =
            drawn.into_iter().map(|(_, place, weight)| (place, weight)).unzip();
        starts.windows(2).for_each(|of_node| cumulate(&mut weights[of_node[0]..of_node[1]]));
        RowsOfTree { tree, places, weights, starts, left_out }
    }

    /// Adds the rows of the leaves that a part of a row ended in: more than one where it stopped above
    /// them.
    fn add_components<'a>(&'a self, part: Part, to: &mut Vec<Component<'a>>) {
        let leaves = part.node..self.tree.end_of_subtree(part.node);
        let first = to.len();
        for leaf in leaves {
            let rows = self.starts[leaf as usize]..self.starts[leaf as usize + 1];
            if !rows.is_empty() {
                let (places, weights) = (&self.places[rows.clone()], &self.weights[rows]);
                to.push(Component { places, weights, factor: 1.0 });
            }
        }
        let total: f64 = to[first..].iter().map(Component::all).sum();
        to[first..].iter_mut().for_each(|component| component.factor = part.share / total);
    }
}

/// Replaces each number by the sum of all numbers up to it.
fn cumulate<N: Copy + Default + AddAssign>(numbers: &mut [N]) {
    let mut sum = N::default();
    for number in numbers {
        sum += *number;
        *number = sum;
    }
}

impl Component<'_> {
    /// What all rows add to it.
    fn all(&self) -> f64 {
        self.weights.last().map_or(0.0, |weight| self.factor * weight)
    }

    /// What the rows up to a place add to the distribution.
    fn up_to(&self, place: u32) -> f64 {
        let n = self.places.partition_point(|&of| of <= place);
        if n == 0 { 0.0 } else { self.factor * self.weights[n - 1] }
    }
}

/// The first of `n_places` places at which a mixture reaches a share. `O(components * log² n)`.
fn place_of(quantile: f64, mixture: &[Component], n_places: usize) -> usize {
    let whole: f64 = mixture.iter().map(Component::all).sum();
    let share = quantile * whole * (1.0 - SLACK);
    let is_reached = |place: usize| {
        let sum: f64 = mixture.iter().map(|component| component.up_to(place as u32)).sum();
        sum > 0.0 && sum >= share
    };
    let mut open = 0..n_places - 1;
    while !open.is_empty() {
        let middle = open.start + open.len() / 2;
        match is_reached(middle) {
            true => open.end = middle,
            false => open.start = middle + 1,
        }
    }
    open.start
}

impl PreparedForest<'_> {
    /// Quantiles of each row by the trees that left it out. `drawn` tells how often each row was
    /// drawn for a tree; `column` and `known` are as for [`Tree::route`](crate::Tree::route).
    /// `O(trees * n log n)`, and `O(quantiles * trees * log² n)` a row; about 20 bytes a row and
    /// tree.
    pub(crate) fn out_of_bag_quantiles<S: Source + Send>(
        self,
        rows: &AscendingRows,
        spec: &QuantileSpec,
        drawn: impl Fn(u32) -> Result<Vec<u32>> + Sync,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<OutOfBagQuantiles> {
        let (n_rows, width) = (rows.numbers.len(), spec.quantiles.len());
        let lanes = self.lanes(n_rows, Some(0), column, known)?;
        let monitor = spec.monitor.as_ref();
        begin_stage(monitor, "routing rows", self.data.trees.len());
        let trees = parallel::try_map(0..self.data.trees.len(), |tree| {
            check_interrupt(monitor)?;
            let (times, routes) = (drawn(tree as u32)?, self.routes(tree, &lanes, n_rows));
            let tree = &self.data.trees[tree];
            let rows = RowsOfTree::new(tree, &routes, &times, rows);
            advance(monitor, 1);
            Ok(rows)
        })?;
        let (mut values, mut n_trees) = (vec![f64::NAN; n_rows * width], vec![0; n_rows]);
        let tiles = values.chunks_mut(TILE_ROWS * width).zip(n_trees.chunks_mut(TILE_ROWS));
        let tiles = (0..).step_by(TILE_ROWS).zip(tiles);
        begin_stage(monitor, "finding quantiles", n_rows);
        parallel::try_map(tiles, |(start, (values, n_trees))| {
            check_interrupt(monitor)?;
            let of_tile = start..start + n_trees.len();
            advance(monitor, of_tile.len());
            each_mixture(&trees, of_tile, |row, mixture, n| {
                n_trees[row] = n;
                if n > 0 {
                    let values = &mut values[row * width..(row + 1) * width];
                    for (value, &quantile) in values.iter_mut().zip(&spec.quantiles) {
                        *value = rows.numbers[place_of(quantile, mixture, n_rows)];
                    }
                }
            });
            Ok(())
        })?;
        Ok(OutOfBagQuantiles { values, n_trees })
    }

    /// Where rows end in a tree.
    fn routes<S: Source>(self, tree: usize, lanes: &[LaneSource<S>], n_rows: usize) -> Routes {
        let mut nodes = vec![0; n_rows];
        let of_tile = |(tile, nodes): (usize, &mut [u32])| {
            let (start, mut buffers) = (tile * TILE_ROWS, Vec::new());
            let numbers = TileNumbers::new(lanes, &(start..start + nodes.len()), &mut buffers);
            (start, self.route(tree, &numbers, nodes))
        };
        let stats: RouteStats = nodes.chunks_mut(TILE_ROWS).enumerate().map(of_tile).collect();
        Routes::new(nodes, stats)
    }
}

/// Calls a function with each of some rows, counted from 0, the components of its distribution, and how
/// many trees left it out.
fn each_mixture(
    trees: &[RowsOfTree],
    rows: Range<usize>,
    mut of_row: impl FnMut(usize, &[Component], u32),
) {
    let begins =
        |tree: &RowsOfTree| tree.left_out.partition_point(|(row, _)| (*row as usize) < rows.start);
    let mut nexts: Vec<usize> = trees.iter().map(begins).collect();
    let mut mixture = Vec::new();
    for row in rows.clone() {
        let mut n = 0;
        mixture.clear();
        for (tree, next) in trees.iter().zip(&mut nexts) {
            let parts = tree.left_out[*next..].iter().take_while(|(of, _)| *of as usize == row);
            let before = *next;
            for &(_, part) in parts {
                tree.add_components(part, &mut mixture);
                *next += 1;
            }
            n += u32::from(*next > before);
        }
        of_row(row - rows.start, &mixture, n);
    }
}
