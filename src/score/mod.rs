//! Scoring: the node each row of a batch ends in, and what the tree predicts there.
//!
//! Each column the tree uses becomes a lane of `f64` on the [`scale`] its rules compare on; a
//! column that is on that scale already is read in place. Blocks of rows go down a [flattened
//! tree](kernel::flat_tree) together. The few rows the flat tree cannot place are then followed
//! one by one ([`kernel::slow_path`]).

mod actual;
mod batch_writes;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod batches;
mod cells;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod class_answers;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod contributions;
mod forest;
mod huge_pages;
mod inline;
mod kernel;
mod lanes;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod loss;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod out_of_bag;
mod outputs;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod permutation;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod quantiles;
mod routes;
mod row_walk;
mod scale;
mod tile;
mod used;

#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use actual::Actual;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use batches::BatchedRows;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use class_answers::ClassAnswers;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use contributions::{Asked, ContributionModel, TileContributions};
pub use forest::{ForestAnswers, Voting};
pub(crate) use forest::{ForestScorer, PreparedForest};
pub(crate) use inline::runs_inline;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use inline::{INLINE_ROWS, TASK_ROWS};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use out_of_bag::{CurvePoint, OutOfBagAnswers, OutOfBagRows};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use outputs::Scorable;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub use permutation::permuted_rows;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use permutation::{Group, JudgedRows};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use quantiles::{AscendingRows, OutOfBagQuantiles};
pub(crate) use routes::RouteStats;
pub use routes::{Mixtures, Part, Routes};
pub(crate) use row_walk::RowWalk;
pub(crate) use scale::Scale;
pub(crate) use used::UsedFeatures;

use std::sync::LazyLock;

use crate::data::column_data::Source;
use crate::error::Result;
use crate::tree::TreeData;
use crate::util::lazy_cache::LazyCache;
use crate::util::parallel;
use huge_pages::zeros;
use kernel::flat_tree::FlatTree;
use lanes::{TILE_ROWS, read_lanes};
use tile::TileNumbers;

/// What is prepared of a tree for scoring.
pub(crate) struct Scorer {
    pub(crate) used: UsedFeatures,
    flat: FlatTree,
    /// The class each node predicts; all 0 in regression.
    classes: Vec<u32>,
    /// The [probability](TreeData::probability) of each class in each node, class by class.
    probabilities: LazyCache<Vec<f64>>,
}

impl Scorer {
    /// Linear in the tree.
    pub(crate) fn new(tree: &TreeData) -> Scorer {
        let used = UsedFeatures::new(&tree.schema, tree.used_features(), tree.splits());
        let flat = FlatTree::new(tree, &used.scaled_nodes(tree), true);
        let classes = (0..tree.nodes.len() as u32).map(|node| tree.majority(node) as u32).collect();
        Scorer { used, flat, classes, probabilities: LazyCache::default() }
    }
}

/// The data of a tree, and what was prepared of it for scoring.
#[derive(Clone, Copy)]
pub(crate) struct PreparedTree<'a> {
    pub(crate) data: &'a TreeData,
    pub(crate) scorer: &'a Scorer,
}

impl PreparedTree<'_> {
    /// [`Tree::route`](crate::Tree::route).
    pub(crate) fn routes<S: Source + Send>(
        self,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Routes> {
        let mut nodes = zeros(n_rows);
        let stats = self.route(&mut nodes, Some(0), column, known)?;
        Ok(Routes::new(nodes, stats))
    }

    /// Routes as many rows as `nodes`, which is where their nodes are written. `first` is the
    /// number of the first row, if known, for error messages.
    pub(crate) fn route<S: Source + Send>(
        self,
        nodes: &mut [u32],
        first: Option<usize>,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<RouteStats> {
        let PreparedTree { data: tree, scorer } = self;
        let n_rows = nodes.len();
        let sources = scorer.used.columns(&tree.schema, column, S::dtype, known)?;
        let lanes = read_lanes(sources, &scorer.used.scales, tree.spec.missing, n_rows, first)?;
        if lanes.is_empty() {
            nodes.fill(0);
            return Ok(RouteStats::default());
        }

        // Made only if some row takes the slow path.
        let slow = LazyLock::new(|| scorer.used.scaled_nodes(tree));
        let tile = |(start, nodes): (usize, &mut [u32])| {
            let mut buffers = Vec::new();
            let numbers = TileNumbers::new(&lanes, &(start..start + nodes.len()), &mut buffers);
            (start, scorer.flat.route_tile(tree, &slow, &numbers, nodes))
        };
        let tiles = (0..).step_by(TILE_ROWS).zip(nodes.chunks_mut(TILE_ROWS));
        let stats = parallel::map_if(!runs_inline(n_rows), tiles, tile);
        Ok(stats.into_iter().collect())
    }
}
