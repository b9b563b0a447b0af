//! Scoring by a forest: the rows of a tile go down one tree after the other, and what the leaves say
//! is added up.

use std::sync::LazyLock;

use super::kernel::flat_tree::FlatTree;
use super::lanes::{LaneSource, TILE_ROWS, read_lanes};
use super::scale::Scale;
use super::tile::TileNumbers;
use super::used::UsedFeatures;
use crate::data::column_data::Source;
use crate::error::Result;
use crate::score::inline::{TASK_ROWS, runs_inline};
use crate::score::routes::{Part, RouteStats};
use crate::tree::forest_data::ForestData;
use crate::tree::{TreeData, highest};
use crate::util::parallel;

/// What is prepared of a forest for scoring.
pub(crate) struct ForestScorer {
    pub(crate) used: UsedFeatures,
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

impl Voting {
    /// Adds what a tree says of a row.
    pub(crate) fn add(self, said: &[f64], sums: &mut [f64]) {
        match self {
            Voting::Soft => sums.iter_mut().zip(said).for_each(|(sum, x)| *sum += x),
            Voting::Hard => sums[highest(said)] += 1.0,
        }
    }
}

impl ForestScorer {
    /// Linear in the trees.
    pub(crate) fn new(forest: &ForestData) -> ForestScorer {
        let used = UsedFeatures::new(&forest.schema, forest.used_features(), forest.splits());
        let tree = |tree: &TreeData| ScoringTree {
            flat: FlatTree::new(tree, &used.scaled_nodes(tree), false),
            answers: answers(tree),
        };
        let trees = forest.trees.iter().map(tree).collect();
        ForestScorer { used, trees }
    }
}

/// Rows that go down one tree after the other together: many, as a tree is then in cache for all of
/// them, but no fewer tiles than keep all threads at work.
fn tile_rows(n_rows: usize) -> usize {
    if runs_inline(n_rows) {
        return TASK_ROWS;
    }
    let of_thread = n_rows / (4 * rayon::current_num_threads());
    of_thread.next_multiple_of(TILE_ROWS).clamp(TILE_ROWS, TASK_ROWS)
}

fn answers(tree: &TreeData) -> Vec<f64> {
    let nodes = 0..tree.n_nodes() as u32;
    match tree.is_regression() {
        true => nodes.filter_map(|node| tree.mean(node)).collect(),
        false => nodes.flat_map(|node| tree.shares(node)).collect(),
    }
}

impl PreparedForest<'_> {
    /// Values a row.
    pub(super) fn width(self) -> usize {
        self.data.schema.classes.len().max(1)
    }

    /// What the forest says of rows; arguments are as for [`Tree::route`](crate::Tree::route), and
    /// `first` is the number of the first row, if known, for error messages. `O(trees * depth)` a
    /// row.
    pub(crate) fn answers<S: Source + Send>(
        self,
        n_rows: usize,
        first: Option<usize>,
        voting: Voting,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<ForestAnswers> {
        let lanes = self.lanes(n_rows, first, column, known)?;
        let (width, is_regression) = (self.width(), self.data.is_regression());
        let mut values = vec![0.0; n_rows * width];
        let tile_rows = tile_rows(n_rows);
        let tile = |(start, values): (usize, &mut [f64])| {
            let mut buffers = Vec::new();
            let rows = start..start + values.len() / width;
            let numbers = TileNumbers::new(&lanes, &rows, &mut buffers);
            self.add_up(&numbers, voting, values);
            let classes: Vec<u32> = match is_regression {
                true => Vec::new(),
                false => values.chunks(width).map(|shares| highest(shares) as u32).collect(),
            };
            (classes, self.absent(&numbers, rows.len()))
        };
        let tiles = (0..).step_by(tile_rows).zip(values.chunks_mut(tile_rows * width));
        let tiles = parallel::map_if(!runs_inline(n_rows), tiles, tile);
        let absent_levels = tiles.iter().map(|(_, absent)| absent).sum();
        let classes = tiles.into_iter().flat_map(|(classes, _)| classes).collect();
        Ok(ForestAnswers { classes, values, absent_levels })
    }

    /// The lanes of the used columns; arguments are as for [`answers`](Self::answers).
    pub(super) fn lanes<S: Source + Send>(
        self,
        n_rows: usize,
        first: Option<usize>,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Vec<LaneSource<S>>> {
        let PreparedForest { data, scorer } = self;
        let sources = scorer.used.columns(&data.schema, column, S::dtype, known)?;
        read_lanes(sources, &scorer.used.scales, data.spec.tree.missing, n_rows, first)
    }

    /// The mean of what the trees say of the rows of a tile; trees are added up in order.
    pub(super) fn add_up(self, numbers: &TileNumbers, voting: Voting, values: &mut [f64]) {
        let width = self.width();
        let mut nodes = vec![0; values.len() / width];
        for tree in 0..self.data.trees.len() {
            self.each_answer(tree, numbers, &mut nodes, |row, said| {
                voting.add(said, &mut values[row * width..(row + 1) * width]);
            });
        }
        let n_trees = self.data.trees.len() as f64;
        values.iter_mut().for_each(|sum| *sum /= n_trees);
    }

    /// Calls a function with each row of a tile, in order, and what a tree says of it. `nodes`, one a
    /// row, is overwritten.
    pub(super) fn each_answer(
        self,
        tree: usize,
        numbers: &TileNumbers,
        nodes: &mut [u32],
        mut of_row: impl FnMut(usize, &[f64]),
    ) {
        let (scoring, width) = (&self.scorer.trees[tree], self.width());
        let stats = self.route(tree, numbers, nodes);
        let mut mixtures = stats.mixtures.iter().peekable();
        let mut mixed = vec![0.0; width];
        for (row, &node) in nodes.iter().enumerate() {
            let node = node as usize;
            match mixtures.next_if(|(mixture, _)| *mixture as usize == row) {
                Some((_, parts)) => {
                    scoring.mix(parts, &mut mixed);
                    of_row(row, &mixed);
                }
                None => of_row(row, &scoring.answers[node * width..(node + 1) * width]),
            }
        }
    }

    /// Routes the rows of a tile down a tree. `nodes`, one a row, are 0 or the nodes of another
    /// tree.
    pub(super) fn route(self, tree: usize, numbers: &TileNumbers, nodes: &mut [u32]) -> RouteStats {
        let PreparedForest { data, scorer } = self;
        let (tree, flat) = (&data.trees[tree], &scorer.trees[tree].flat);
        let slow = LazyLock::new(|| scorer.used.scaled_nodes(tree));
        // Without rules there are no lanes, and all rows stay at the root.
        match scorer.used.indices.is_empty() {
            true => RouteStats::default(),
            false => flat.route_tile(tree, &slow, numbers, nodes),
        }
    }

    /// How many rows of a tile have a level that no training row had.
    fn absent(self, numbers: &TileNumbers, n_rows: usize) -> u64 {
        let mut is_absent = vec![false; n_rows];
        let used = &self.scorer.used;
        for (lane, (feature, scale)) in used.of(&self.data.schema).zip(&used.scales).enumerate() {
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
