//! Scoring by a forest: the rows of a tile go down one tree after the other, and what the leaves say
//! is added up.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::kernel::flat_tree::FlatTree;
use super::kernel::scaled_node::scaled_nodes;
use super::lanes::{TILE_ROWS, read_lanes};
use super::scale::Scale;
use super::tile::TileNumbers;
use super::used_columns;
use crate::data::column_data::Source;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::score::inline::runs_inline;
use crate::score::routes::{Part, RouteStats};
use crate::tree::forest_data::ForestData;
use crate::tree::{Feature, TreeData};
use crate::util::parallel::Tasks;

/// What is prepared of a forest for scoring.
pub(crate) struct ForestScorer {
    used: Vec<u32>,
    /// Of the used features.
    scales: Vec<Scale>,
    trees: Vec<ScoringTree>,
}

/// A tree of a forest, ready to score.
struct ScoringTree {
    flat: FlatTree,
    /// What each node says, node by node: the share of each class, or its mean.
    answers: Vec<f64>,
}

/// The data of a forest, and what was prepared of it for scoring.
#[derive(Clone, Copy)]
pub(crate) struct PreparedForest<'a> {
    pub(crate) data: &'a ForestData,
    pub(crate) scorer: &'a ForestScorer,
}

/// What a forest says of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestAnswers {
    /// The class of each row, as an index into the schema's classes: of the highest probability, the
    /// lower one of equals. None in regression.
    pub classes: Vec<u32>,
    /// Row by row, the probability of each class; or the mean of each row.
    pub values: Vec<f64>,
    /// Rows with a level that no training row had.
    pub absent_levels: u64,
}

/// What a tree of a forest says of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Voting {
    /// The shares of the classes in the row's leaf, or its mean.
    #[default]
    Soft,
    /// One class: that of the leaf (Breiman 2001).
    Hard,
}

impl ForestScorer {
    /// Linear in the trees.
    pub(crate) fn new(forest: &ForestData) -> ForestScorer {
        let used = forest.used_features();
        let splits = forest.trees.iter().flat_map(TreeData::splits);
        let scales = Scale::of_used(&forest.schema, splits, &used);
        let tree = |tree: &TreeData| ScoringTree {
            flat: FlatTree::new(tree, &scaled_nodes(tree, &used, &scales), false),
            answers: answers(tree),
        };
        let trees = forest.trees.iter().map(tree).collect();
        ForestScorer { used, scales, trees }
    }
}

/// What each node of a tree says.
fn answers(tree: &TreeData) -> Vec<f64> {
    let nodes = 0..tree.n_nodes() as u32;
    match tree.is_regression() {
        true => nodes.filter_map(|node| tree.mean(node)).collect(),
        false => nodes
            .flat_map(|node| {
                let weight = tree.weight(node);
                tree.class_counts(node).iter().map(move |count| count / weight)
            })
            .collect(),
    }
}

impl<'t> PreparedForest<'t> {
    /// The used features.
    pub(crate) fn features(self) -> impl Iterator<Item = &'t Feature> {
        let features = &self.data.schema.features;
        self.scorer.used.iter().map(|&index| &features[index as usize])
    }

    /// The used columns, with their features; see [`used_columns`].
    pub(crate) fn sources<S>(
        self,
        column: impl Fn(&str) -> Result<Option<S>>,
        dtype: impl Fn(&S) -> &DType,
        known: &[&str],
    ) -> Result<Vec<(&'t Feature, S)>> {
        used_columns(self.features(), column, dtype, known)
    }

    /// Values a row.
    fn width(self) -> usize {
        self.data.schema.classes.len().max(1)
    }

    /// What the forest says of rows; arguments are those of [`Tree::route`](crate::Tree::route), and
    /// `first` is the number of the first row, if known, for error messages. `O(trees * depth)` a row.
    pub(crate) fn answers<S: Source + Send>(
        self,
        n_rows: usize,
        first: Option<usize>,
        voting: Voting,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<ForestAnswers> {
        let PreparedForest { data, scorer } = self;
        let sources = self.sources(column, S::dtype, known)?;
        let lanes = read_lanes(sources, &scorer.scales, data.spec.tree.missing, n_rows, first)?;
        let (width, is_regression) = (self.width(), data.is_regression());
        let mut values = vec![0.0; n_rows * width];
        let mut classes = vec![0; if is_regression { 0 } else { n_rows }];
        let of_tile = |tile: usize, values: &mut [f64], classes: &mut [u32]| {
            let (start, mut buffers) = (tile * TILE_ROWS, Vec::new());
            let numbers =
                TileNumbers::new(&lanes, &(start..start + values.len() / width), &mut buffers);
            self.add_up(&numbers, voting, values);
            for (class, shares) in classes.iter_mut().zip(values.chunks(width)) {
                *class = highest(shares) as u32;
            }
            self.absent(&numbers, values.len() / width)
        };
        let absent_levels = match runs_inline(n_rows) {
            true => {
                let mut classes = classes.chunks_mut(TILE_ROWS);
                let tiles = values.chunks_mut(TILE_ROWS * width).enumerate();
                tiles.map(|(at, v)| of_tile(at, v, classes.next().unwrap_or_default())).sum()
            }
            false => {
                let mut of_tiles: Vec<&mut [u32]> = classes.chunks_mut(TILE_ROWS).collect();
                of_tiles.resize_with(n_rows.div_ceil(TILE_ROWS), Default::default);
                let tiles = values.par_chunks_mut(TILE_ROWS * width).one_item_per_task();
                let tiles = tiles.zip(of_tiles).enumerate();
                tiles.map(|(at, (v, c))| of_tile(at, v, c)).sum()
            }
        };
        Ok(ForestAnswers { classes, values, absent_levels })
    }

    /// The mean of what the trees say of the rows of a tile; trees are added up in order.
    fn add_up(self, numbers: &TileNumbers, voting: Voting, values: &mut [f64]) {
        let PreparedForest { data, scorer } = self;
        let width = self.width();
        let mut nodes = vec![0; values.len() / width];
        let mut mixed = vec![0.0; width];
        for (tree, scoring) in data.trees.iter().zip(&scorer.trees) {
            let slow = LazyLock::new(|| scaled_nodes(tree, &scorer.used, &scorer.scales));
            // Without rules there are no lanes, and all rows stay at the root.
            let stats = match scorer.used.is_empty() {
                true => RouteStats::default(),
                false => scoring.flat.route_tile(tree, &slow, numbers, &mut nodes),
            };
            let mut mixtures = stats.mixtures.iter().peekable();
            let of_rows = nodes.iter().zip(values.chunks_mut(width));
            for (row, (&node, values)) in (0..).zip(of_rows) {
                let node = node as usize;
                let said = match mixtures.next_if(|(mixture, _)| *mixture == row) {
                    Some((_, parts)) => {
                        scoring.mix(parts, &mut mixed);
                        &mixed
                    }
                    None => &scoring.answers[node * width..(node + 1) * width],
                };
                match voting {
                    Voting::Soft => values.iter_mut().zip(said).for_each(|(sum, x)| *sum += x),
                    Voting::Hard => values[highest(said)] += 1.0,
                }
            }
        }
        let n_trees = data.trees.len() as f64;
        values.iter_mut().for_each(|sum| *sum /= n_trees);
    }

    /// How many rows of a tile have a level that no training row had.
    fn absent(self, numbers: &TileNumbers, n_rows: usize) -> u64 {
        let mut is_absent = vec![false; n_rows];
        for (lane, (feature, scale)) in self.features().zip(&self.scorer.scales).enumerate() {
            if let Scale::LevelIndex = scale {
                let unseen = feature.levels.len() as f64;
                let of_lane = is_absent.iter_mut().zip(numbers.lane(lane));
                of_lane.for_each(|(is_absent, &level)| *is_absent |= level == unseen);
            }
        }
        is_absent.iter().map(|&is_absent| u64::from(is_absent)).sum()
    }
}

impl ScoringTree {
    /// What the nodes that a row ended in say together.
    fn mix(&self, parts: &[Part], mixed: &mut [f64]) {
        let width = mixed.len();
        mixed.fill(0.0);
        for part in parts {
            let answers = &self.answers[part.node as usize * width..];
            mixed.iter_mut().zip(answers).for_each(|(sum, x)| *sum += part.share * x);
        }
    }
}

/// The index of the highest, the lowest of equals.
fn highest(values: &[f64]) -> usize {
    (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
}
