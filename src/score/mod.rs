//! Scoring: the node each row of a batch ends in, and what the tree predicts there.
//!
//! Each column the tree uses becomes a lane of `f64` on the [`scale`] its rules compare on; a
//! column that is on that scale already is read in place. Blocks of rows go down a [flattened
//! tree](kernel::flat_tree) together. The few rows the flat tree cannot place are then followed
//! one by one ([`kernel::slow_path`]).

mod actual;
#[cfg(feature = "polars")]
mod batches;
mod cells;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod class_answers;
mod forest;
mod huge_pages;
mod inline;
mod kernel;
mod lanes;
mod outputs;
mod routes;
mod row_walk;
mod scale;
mod tile;

#[cfg(feature = "polars")]
pub(crate) use batches::{BatchedRows, Scorable};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use class_answers::ClassAnswers;
pub use forest::{ForestAnswers, Voting};
pub(crate) use forest::{ForestScorer, PreparedForest};
#[cfg(feature = "polars")]
pub(crate) use inline::INLINE_ROWS;
pub(crate) use routes::RouteStats;
pub use routes::{Mixtures, Part, Routes};
pub(crate) use row_walk::RowWalk;
pub(crate) use scale::Scale;

use std::sync::LazyLock;

use rayon::prelude::*;

use crate::data::column_data::Source;
use crate::data::dtype::DType;
use crate::error::{Result, no_such_column};
use crate::tree::{Feature, TreeData};
use crate::util::lazy_cache::LazyCache;
use crate::util::parallel::Tasks;
use huge_pages::zeros;
use inline::runs_inline;
use kernel::flat_tree::FlatTree;
use kernel::scaled_node::scaled_nodes;
use lanes::{TILE_ROWS, read_lanes};
use tile::TileNumbers;

/// Probabilities are clipped to this before their logarithm is taken: 2^-52.
pub(crate) const LEAST_PROBABILITY: f64 = f64::EPSILON;

/// What is prepared of a tree for scoring.
pub(crate) struct Scorer {
    used: Vec<u32>,
    /// Of the used features.
    scales: Vec<Scale>,
    flat: FlatTree,
    /// The class each node predicts; all 0 in regression.
    classes: Vec<u32>,
    /// The [probability](TreeData::probability) of each class in each node, class by class.
    probabilities: LazyCache<Vec<f64>>,
}

impl Scorer {
    /// Linear in the tree.
    pub(crate) fn new(tree: &TreeData) -> Scorer {
        let used = tree.used_features();
        let scales = Scale::of_used(&tree.schema, tree.splits(), &used);
        let flat = FlatTree::new(tree, &scaled_nodes(tree, &used, &scales), true);
        let classes = (0..tree.nodes.len() as u32).map(|node| tree.majority(node) as u32).collect();
        Scorer { used, scales, flat, classes, probabilities: LazyCache::default() }
    }
}

/// The columns of used features, with these.
///
/// # Errors
/// A column that is absent, or of a dtype its feature does not accept.
fn used_columns<'t, S>(
    features: impl Iterator<Item = &'t Feature>,
    column: impl Fn(&str) -> Result<Option<S>>,
    dtype: impl Fn(&S) -> &DType,
    known: &[&str],
) -> Result<Vec<(&'t Feature, S)>> {
    let source = |feature: &'t Feature| {
        let source = column(&feature.name)?
            .ok_or_else(|| no_such_column("feature of the model", &feature.name, known))?;
        feature.check(dtype(&source))?;
        Ok((feature, source))
    };
    features.map(source).collect()
}

/// The data of a tree, and what was prepared of it for scoring.
#[derive(Clone, Copy)]
pub(crate) struct PreparedTree<'a> {
    pub(crate) data: &'a TreeData,
    pub(crate) scorer: &'a Scorer,
}

impl<'t> PreparedTree<'t> {
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
        let sources = self.sources(column, S::dtype, known)?;
        let lanes = read_lanes(sources, &scorer.scales, tree.spec.missing, n_rows, first)?;
        if lanes.is_empty() {
            nodes.fill(0);
            return Ok(RouteStats::default());
        }

        // Made only if some row takes the slow path.
        let slow = LazyLock::new(|| scaled_nodes(tree, &scorer.used, &scorer.scales));
        let tile = |(tile, nodes): (usize, &mut [u32])| {
            let (start, mut buffers) = (tile * TILE_ROWS, Vec::new());
            let numbers = TileNumbers::new(&lanes, &(start..start + nodes.len()), &mut buffers);
            (start, scorer.flat.route_tile(tree, &slow, &numbers, nodes))
        };
        let stats: Vec<(usize, RouteStats)> = match runs_inline(n_rows) {
            true => nodes.chunks_mut(TILE_ROWS).enumerate().map(tile).collect(),
            false => {
                nodes.par_chunks_mut(TILE_ROWS).one_item_per_task().enumerate().map(tile).collect()
            }
        };
        Ok(stats.into_iter().collect())
    }
}
