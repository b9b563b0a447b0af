//! The questions that growth puts to a store.
//!
//! A stat is a few integers: the units of each class, or the units of all rows and the sum of units
//! times distances ([`TargetCoding`](super::TargetCoding)). Rows of weight 0 are left out
//! everywhere.

use std::sync::Arc;

use super::coding::{Coding, UnitCoding};
use super::growing_tree::GrowingTree;
use super::key_range::KeyRange;
use super::steps::Steps;
use crate::data::column_data::ColumnData;
use crate::data::dtype::{DType, Value};
use crate::error::Result;

/// A table of rows that are not in memory. Each method reads the rows once.
///
/// The answers to one question are the same every time, whatever the order of the rows and their
/// division into parts. Data that change between two passes end the growth.
pub trait RowStore {
    /// The features, in column order.
    fn features(&self) -> &[StoreColumn];

    /// The target.
    fn target(&self) -> &StoreColumn;

    /// The weight column's name.
    fn weight(&self) -> Option<&str>;

    /// The number of rows, if it is known or much cheaper to find than by a pass over the rows.
    /// A tree that is too large for the budget is then refused before the first pass.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn n_rows(&mut self) -> Result<Option<u64>> {
        Ok(None)
    }

    /// How large one answer should be at most.
    fn limits(&self) -> StoreLimits {
        StoreLimits::default()
    }

    /// The bins that a feature is best counted in.
    fn binning(&self, feature: usize) -> Binning {
        let _ = feature;
        Binning::default()
    }

    /// The first pass: what there is.
    ///
    /// # Errors
    /// Rows that cannot be read; weights that are missing, negative or not finite.
    fn summarize(&mut self, request: &SummaryRequest) -> Result<StoreSummary>;

    /// Sums of weights. It is asked only if there is a weight column, or classes have weights.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn weigh(&mut self, weighing: &Weighing) -> Result<Weighed>;

    /// Says how rows are counted from now on.
    ///
    /// # Errors
    /// A coding that the store cannot count by.
    fn begin(&mut self, coding: &Arc<Coding>) -> Result<()>;

    /// Counts bins, moments and values of many nodes at once. The answers are in the order of the
    /// requests.
    ///
    /// # Errors
    /// Rows that cannot be read, or have changed since the pass before.
    fn count(&mut self, request: &CountRequest) -> Result<Counts>;

    /// The rows of some nodes, node by node. The rows of a node are in any order.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn gather(&mut self, tree: &GrowingTree, nodes: &[u32]) -> Result<Vec<GatheredRows>>;
}

/// How large the answers of a store should be at most. The budget may set less. Limits change time,
/// never the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// The values of one count.
    pub values: u64,
    /// Up to this many values are fetched at once, without counting finer bins first.
    pub few_values: u64,
    /// The finer bins of one count, of all columns and nodes together.
    pub fine_bins: u64,
    /// The rows of one gather.
    pub rows: u64,
    /// The rows of a node that is gathered, unless the budget says how many.
    pub rows_of_node: u64,
}

impl Default for StoreLimits {
    /// None.
    fn default() -> StoreLimits {
        let (values, few_values, fine_bins) = (u64::MAX, u64::MAX, u64::MAX);
        StoreLimits { values, few_values, fine_bins, rows: u64::MAX, rows_of_node: u64::MAX }
    }
}

/// A column of a store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreColumn {
    /// Its name.
    pub name: String,
    /// Its dtype.
    pub dtype: DType,
}

/// What the first pass is to find out.
#[derive(Clone, Debug)]
pub struct SummaryRequest {
    /// Whether the target is a number; else its distinct values are classes.
    pub target_is_number: bool,
    /// The most classes: a store may stop with any error beyond.
    pub max_classes: usize,
    /// The most levels of all features with [`Levels`](FeatureWish::Levels) together. If there are
    /// more, a store may list no values of some features and say that these are not all.
    pub max_levels: usize,
    /// One per feature.
    pub features: Vec<FeatureWish>,
}

/// What the first pass is to find out of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureWish {
    /// All distinct values.
    Levels,
    /// All distinct values if they are few, else a sample of the rows' values.
    Values {
        /// This many are few.
        few: usize,
        /// The sample's rows, about. How they are drawn changes no tree.
        sample: usize,
    },
}

/// What there is.
#[derive(Clone, Debug)]
pub struct StoreSummary {
    /// Rows of positive weight.
    pub rows: u64,
    /// The target.
    pub target: TargetSummary,
    /// One per feature.
    pub features: Vec<FeatureSummary>,
}

/// The target of all rows.
#[derive(Clone, Debug)]
pub enum TargetSummary {
    /// Distinct values in any order, and rows without one.
    Classes {
        /// Each once.
        values: Vec<Value>,
        /// Null or NaN.
        n_missing: u64,
    },
    /// A number's extremes.
    Numbers {
        /// The least number.
        min: f64,
        /// The greatest.
        max: f64,
        /// The mean, roughly.
        mean: f64,
        /// Null or NaN.
        n_missing: u64,
    },
}

/// A feature of all rows.
#[derive(Clone, Debug)]
pub struct FeatureSummary {
    /// Null or NaN.
    pub n_missing: u64,
    /// Distinct values in any order, or a sample with repetitions.
    pub values: Vec<Value>,
    /// Whether these are all distinct values, each once.
    pub is_all: bool,
}

/// A question about the weights of rows: as a coding makes them, before the last rounding
/// ([`UnitCoding::weight`]).
#[derive(Clone, Debug)]
pub struct Weighing {
    /// How far weights are coded. It has no `unit`.
    pub units: UnitCoding,
    /// The class of each value that the summary listed; empty if the target is a number.
    pub class_of: Vec<u16>,
}

/// Sums of weights.
#[derive(Clone, Debug, Default)]
pub struct Weighed {
    /// The sum of all, added up in row order if the store has one.
    pub total: f64,
    /// The sum of each class, the same way; empty if the target is a number.
    pub by_class: Vec<f64>,
    /// Whether some weight is not a whole number.
    pub has_fraction: bool,
    /// The distinct weights in any order: all of them, or at least one more than
    /// [`MAX_DISTINCT_WEIGHTS`](crate::engine::MAX_DISTINCT_WEIGHTS). If all weights are whole numbers
    /// it may be empty.
    pub distinct: Vec<f64>,
}

/// The bins of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Bins {
    /// A bin for each level, by code.
    Levels(u32),
    /// The first key of each bin but the first, ascending. The index of a key's bin is the number of
    /// starts at or below the key.
    Starts(Vec<i128>),
    /// Intervals of keys in even steps; see [`Binning::in_steps`].
    Steps(Steps),
}

impl Bins {
    /// The number of bins, without the bin of missing values.
    #[allow(clippy::len_without_is_empty)] // there is always one
    pub fn len(&self) -> usize {
        match self {
            Bins::Levels(n) => *n as usize,
            Bins::Starts(starts) => starts.len() + 1,
            Bins::Steps(steps) => steps.starts().len() + 1,
        }
    }

    /// The first key of each bin but the first, ascending; `None` if there is a bin for each level.
    pub fn starts(&self) -> Option<&[i128]> {
        match self {
            Bins::Levels(_) => None,
            Bins::Starts(starts) => Some(starts),
            Bins::Steps(steps) => Some(steps.starts()),
        }
    }
}

/// The bins that a store counts fast. They change time, never the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binning {
    /// The most bins of a column that has no levels.
    pub most_bins: u32,
    /// Whether bins are to be [`Steps`].
    pub in_steps: bool,
}

impl Default for Binning {
    /// [`Bins::Starts`], as many as the budget has room for.
    fn default() -> Binning {
        Binning { most_bins: u32::MAX, in_steps: false }
    }
}

/// Bins to count, of one node and column.
#[derive(Clone, Debug)]
pub struct BinRequest {
    /// A node without a rule.
    pub node: u32,
    /// The feature's index.
    pub column: u32,
    /// The bins; shared by many nodes.
    pub bins: Arc<Bins>,
    /// If there are any, only the bins in these ranges are asked for. The counts of other bins and of
    /// missing values do not matter. The ranges ascend.
    pub within: Vec<KeyRange>,
    /// The point that spreads are taken about.
    pub centre: i64,
}

/// Rows in bins. A last bin after all others is for missing values.
#[derive(Clone, Debug, Default)]
pub struct BinCounts {
    /// The rows of each bin.
    pub rows: Vec<u64>,
    /// The stats, bin after bin.
    pub stats: Vec<i128>,
    /// For each bin the sum of units times distance from the request's centre; empty for classes.
    pub spreads: Vec<i128>,
}

/// Moments to count, of a node. The target is a number.
#[derive(Clone, Debug)]
pub struct MomentRequest {
    /// A node without a rule.
    pub node: u32,
    /// A whole distance.
    pub centre: i128,
}

/// Moments of a node's numbers. Squares are of distances from the request's centre. Each square is
/// divided into its upper and its lower 64 bits, which are multiplied by the units and summed
/// separately: as in memory, each of the two sums is rounded to a float.
#[derive(Clone, Debug)]
pub struct Moments {
    /// The sum of `square / 2^64`, rounded down, times units.
    pub squares_high: u128,
    /// The sum of `square mod 2^64` times units.
    pub squares_low: u128,
    /// The least and the greatest distance.
    pub extremes: (i64, i64),
    /// The least number.
    pub least: f64,
}

/// Values to count one by one, of one node and one column of keys.
#[derive(Clone, Debug)]
pub struct ValueRequest {
    /// A node without a rule.
    pub node: u32,
    /// The feature's index.
    pub column: u32,
    /// Ascending and disjoint.
    pub ranges: Vec<KeyRange>,
}

/// The distinct values that rows have.
#[derive(Clone, Debug, Default)]
pub struct ValueCounts {
    /// Ascending.
    pub keys: Vec<i128>,
    /// The rows of each.
    pub rows: Vec<u64>,
    /// The stats, value after value.
    pub stats: Vec<i128>,
}

/// What to count in one pass.
#[derive(Clone, Debug)]
pub struct CountRequest<'a> {
    /// Which rows are in which node.
    pub tree: &'a GrowingTree,
    /// Bins.
    pub bins: Vec<BinRequest>,
    /// Moments, of numeric targets alone.
    pub moments: Vec<MomentRequest>,
    /// Values.
    pub values: Vec<ValueRequest>,
}

/// The answers, in the order of the requests.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Bins.
    pub bins: Vec<BinCounts>,
    /// Moments.
    pub moments: Vec<Moments>,
    /// Values.
    pub values: Vec<ValueCounts>,
}

/// The rows of a node.
#[derive(Clone, Debug)]
pub struct GatheredRows {
    /// The cells of each feature.
    pub columns: Vec<ColumnData>,
    /// The target of each row.
    pub target: GatheredTarget,
    /// The units of each row; `None` if every row counts one.
    pub units: Option<Vec<u64>>,
}

/// The target of gathered rows.
#[derive(Clone, Debug)]
pub enum GatheredTarget {
    /// Classes.
    Classes(Vec<u16>),
    /// Numbers, as they are in the column.
    Numbers(Vec<f64>),
}
