//! How much each feature contributes to what a model says of a row: exact Shapley values (Lundberg,
//! Erion & Lee 2018, "Consistent individualized feature attribution for tree ensembles", the
//! path-dependent form).
//!
//! Where only some features are known, a tree says this: at a node that tests one of them the row
//! goes where it goes in scoring; at any other it goes down every branch, by the branches' shares
//! of their training weight. A row that stops at a node takes a branch of its own, which has no
//! training weight. A forest says the mean of its trees.

mod path_tree;
mod quadrature;
mod walk;

use super::kernel::slow_path::follow;
use super::lanes::{LaneSource, read_lanes};
use super::used::UsedFeatures;
use super::{PreparedForest, PreparedTree};
use crate::data::column_data::Source;
use crate::error::Result;
use crate::spec::{Missing, Monitor};
use crate::tree::{Schema, TreeData};
use crate::util::monitoring::{advance, begin_stage, check_interrupt};
use crate::util::parallel;
use path_tree::PathTree;
use walk::{BlockSums, OfRows, ROWS, Walk};

/// Rows of a task: each row visits every node, so that a few are work enough.
const TILE_ROWS: usize = 8 * ROWS;

/// A model of one answer, prepared for contributions.
pub(crate) struct ContributionModel<'a> {
    schema: &'a Schema,
    used: &'a UsedFeatures,
    missing: Missing,
    trees: Vec<PathTree<'a>>,
}

/// The contributions to the answers for some rows.
pub(crate) struct TileContributions {
    pub(crate) predictions: Vec<f64>,
    /// The contribution of each used feature, in the schema's order, one a row.
    pub(crate) of_features: Vec<Vec<f64>>,
    /// The interaction of each pair of used features, one a row, if asked for: (0, 0), (0, 1), …,
    /// (1, 1), …. The pair of a feature with itself is its main effect. They sum to the
    /// contributions of all features.
    pub(crate) of_pairs: Vec<Vec<f64>>,
}

/// What is asked of rows.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) pairs: bool,
    pub(crate) monitor: Option<&'a Monitor>,
}

impl<'a> PreparedTree<'a> {
    /// The tree, asked for the probability of a class, or for the mean.
    pub(crate) fn contribution_model(self, class: Option<usize>) -> ContributionModel<'a> {
        let PreparedTree { data, scorer } = self;
        let trees = std::slice::from_ref(data);
        ContributionModel::new(&data.schema, &scorer.used, data.spec.missing, trees, class)
    }
}

impl<'a> PreparedForest<'a> {
    /// As [`PreparedTree::contribution_model`].
    pub(crate) fn contribution_model(self, class: Option<usize>) -> ContributionModel<'a> {
        let PreparedForest { data, scorer } = self;
        let missing = data.spec.tree.missing;
        ContributionModel::new(&data.schema, &scorer.used, missing, &data.trees, class)
    }
}

impl<'a> ContributionModel<'a> {
    fn new(
        schema: &'a Schema,
        used: &'a UsedFeatures,
        missing: Missing,
        trees: &'a [TreeData],
        class: Option<usize>,
    ) -> ContributionModel<'a> {
        let prepare = |tree| PathTree::new(tree, class, used);
        let trees = parallel::map(trees, prepare);
        ContributionModel { schema, used, missing, trees }
    }

    /// The answer where no feature is known: the leaves' answers weighted by their training weight.
    pub(crate) fn base_value(&self) -> f64 {
        self.trees.iter().map(|tree| tree.base_value).sum::<f64>() / self.trees.len() as f64
    }

    /// The features that some rule tests, as indices into the schema, ascending.
    pub(crate) fn used_features(&self) -> &[u32] {
        &self.used.indices
    }

    /// What is made of the contributions of each tile of rows, in order, tiles in parallel.
    /// `column` and `known` are as for [`Tree::route`](crate::Tree::route). `O(nodes * d)` a row
    /// for paths of at most d distinct features, with pairs `O(leaves * d^3)`.
    ///
    /// # Errors
    /// As [`Tree::route`](crate::Tree::route), and when interrupted.
    pub(crate) fn of_tiles<S: Source + Send, T: Send>(
        &self,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
        asked: Asked,
        of_tile: impl Fn(TileContributions) -> T + Sync,
    ) -> Result<Vec<T>> {
        let sources = self.used.columns(self.schema, column, S::dtype, known)?;
        let lanes = read_lanes(sources, &self.used.scales, self.missing, n_rows, Some(0))?;
        let tile = |start: usize| {
            let rows = start..n_rows.min(start + TILE_ROWS);
            let numbers = Numbers::new(&lanes, rows);
            self.contributions(&numbers, asked).map(&of_tile)
        };
        begin_stage(asked.monitor, "walking trees", n_rows * self.trees.len());
        parallel::try_map((0..n_rows).step_by(TILE_ROWS), tile)
    }

    /// Tree by tree, so that sums are the same on any number of threads.
    fn contributions(&self, numbers: &Numbers, asked: Asked) -> Result<TileContributions> {
        let Numbers { n_rows, n_lanes, .. } = *numbers;
        let (mut predictions, mut walk) = (vec![0.0; n_rows], Walk::default());
        let of_block = || BlockSums {
            of_features: vec![[0.0; ROWS]; n_lanes],
            of_pairs: vec![[0.0; ROWS]; if asked.pairs { n_lanes * n_lanes } else { 0 }],
        };
        let mut sums: Vec<BlockSums> = (0..n_rows.div_ceil(ROWS)).map(|_| of_block()).collect();
        let (mut open, mut parts) = (Vec::new(), Vec::new());
        for tree in &self.trees {
            check_interrupt(asked.monitor)?;
            for (row, prediction) in predictions.iter_mut().enumerate() {
                let number = |lane| numbers.number(lane, row);
                parts.clear();
                follow(tree.data, &tree.inner, number, &mut open, &mut parts);
                let said = parts.iter().map(|part| part.share * tree.answer(part.node));
                *prediction += said.sum::<f64>();
            }
            let blocks = numbers.blocks.chunks(n_lanes.max(1));
            blocks.zip(&mut sums).for_each(|(block, sums)| walk.add(tree, block, sums));
            advance(asked.monitor, n_rows);
        }
        let n_trees = self.trees.len() as f64;
        predictions.iter_mut().for_each(|sum| *sum /= n_trees);
        let of_rows = |of_block: &dyn Fn(&BlockSums) -> OfRows| -> Vec<f64> {
            let of_rows = sums.iter().flat_map(of_block);
            of_rows.take(n_rows).map(|sum| sum / n_trees).collect()
        };
        let of_features =
            (0..n_lanes).map(|lane| of_rows(&|block| block.of_features[lane])).collect();
        let pairs = if asked.pairs { n_lanes } else { 0 };
        let pairs = (0..pairs).flat_map(|one| (one..n_lanes).map(move |other| (one, other)));
        let of_pairs = pairs.map(|(one, other)| of_rows(&|block| block.of_pair(one, other)));
        Ok(TileContributions { predictions, of_features, of_pairs: of_pairs.collect() })
    }
}

impl BlockSums {
    /// The interaction of two lanes. For a lane with itself, what is left of its contribution
    /// without its half of each other.
    fn of_pair(&self, one: usize, other: usize) -> OfRows {
        let n_lanes = self.of_features.len();
        let pair = |one: usize, other: usize| &self.of_pairs[one * n_lanes + other];
        if one != other {
            return *pair(one, other);
        }
        let mut rest = self.of_features[one];
        for other in (0..n_lanes).filter(|&other| other != one) {
            let of_rows = rest.iter_mut().zip(pair(one.min(other), one.max(other)));
            of_rows.for_each(|(rest, both)| *rest -= both / 2.0);
        }
        rest
    }
}

/// The values of the rows of a tile.
struct Numbers {
    n_rows: usize,
    n_lanes: usize,
    /// By block of rows and lane; after the last row come missing values.
    blocks: Vec<OfRows>,
}

impl Numbers {
    fn new<S: Source>(lanes: &[LaneSource<S>], rows: std::ops::Range<usize>) -> Numbers {
        let (n_rows, n_lanes, mut buffer) = (rows.len(), lanes.len(), Vec::new());
        let mut blocks = vec![[f64::NAN; ROWS]; n_rows.div_ceil(ROWS) * n_lanes];
        for (lane, source) in lanes.iter().enumerate() {
            for (block, of_rows) in source.rows(&rows, &mut buffer).chunks(ROWS).enumerate() {
                blocks[block * n_lanes + lane][..of_rows.len()].copy_from_slice(of_rows);
            }
        }
        Numbers { n_rows, n_lanes, blocks }
    }

    fn number(&self, lane: u32, row: usize) -> f64 {
        self.blocks[row / ROWS * self.n_lanes + lane as usize][row % ROWS]
    }
}
