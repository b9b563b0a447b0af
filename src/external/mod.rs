//! Growth from rows that are not in memory: the same tree, byte for byte.
//!
//! Whoever keeps the rows is a [`RowStore`]: files on a disk, a database, a cluster. It answers
//! questions about many rows with few numbers, and growth puts the questions:
//!
//! ```text
//! summarize ─> coding ─> count bins of all open nodes ─> bound each bin ─> count values of the
//!                          ^                                                bins that are alive
//!                          └──────── split, open the branches <──── decide ────────┘
//!                                    gather the rows of small nodes ─> grow in memory, graft
//! ```
//!
//! - Bins cost time if they are bad, never the tree: what wins is decided by exact values.
//! - Impurity is concave, so no cut inside a bin beats the corners of the box between the bin's two
//!   boundaries (Alsabti, Ranka & Singh 1998). A bin whose bound stays below the best boundary is
//!   dead, and its values are never looked at.
//! - If too many bins are alive to fetch their values at once, they are counted in finer bins first.
//! - Everything counted is an integer, so it does not depend on who counts, where and in which
//!   order.
//!
//! Rankings ask in the same way ([`counting`]): each feature of each group is a column of a node.
//!
//! # Words
//!
//! - *pass*: one reading of the rows, which answers many questions at once ([`Pass`]).
//! - *key*: an ordered value as an integer of the same order; *code*: the index of a level.
//! - *units*: the whole numbers that weights are counted in.
//! - *distance*: a number of the target as an integer, counted from a fixed point.
//! - *bin*: an interval of a column's keys, or a level ([`Bins`]); *finer bins* divide some bins.
//! - *sample*: values of a column that its bins are made of.
//! - *waiting node*: a node that is yet to be counted or gathered.
//! - *counted column*: a column at a node, as a sequence of buckets; a bucket is a bin, a part of it or
//!   a value.
//! - *count*: the rows and the stat of a bin or a value at a node.
//! - *alive bin*: a bin that may hold a better cut than the best known one.
//! - *zoom*: to count alive bins in finer bins; *take apart*: to replace a bin by its parts.
//! - *settle*: to merge values again, except beside a best cut.
//! - *centre*: a distance near the mean of a node's numbers.
//! - *spread*: the sum of the distances of a bin's numbers from a centre. It bounds the gain of cuts
//!   inside the bin.
//! - *moments*: the sums of squares about a centre, for the variance of a node.
//! - *gather*: to fetch the rows of small nodes; *graft*: to replace a node by the subtree that was
//!   grown of its rows.

mod batch_store;
mod bin_parts;
mod bins;
mod coding;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod column_room;
mod counted_column;
mod counted_feature;
mod counted_node;
mod counting;
mod gathering;
mod growing_tree;
mod growth;
mod key_range;
mod passes;
mod prepare;
mod rank_store;
mod ranking;
mod row_store;
mod stats;
mod steps;
mod store_ranker;
mod weighing;
mod work_list;

pub use batch_store::{BatchStore, RowBatch, RowBatches};
pub use coding::{Coding, TargetCoding, UnitCoding};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use column_room::ColumnRoom;
pub use growing_tree::{Cell, GrowingNode, GrowingTree, NodeRule};
pub use growth::grow_from_store;
pub use key_range::KeyRange;
pub use passes::{ExternalReport, Pass, PassTask};
pub use rank_store::{LevelCount, LevelRequest, RankStore, RatedMomentRequest};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use ranking::needs_rows;
pub use ranking::{StoreRanking, rank_from_store};
pub use row_store::{
    BinCounts, BinRequest, Binning, Bins, CountRequest, Counts, FeatureSummary, FeatureWish,
    GatheredRows, GatheredTarget, MomentRequest, Moments, RowStore, StoreColumn, StoreLimits,
    StoreSummary, SummaryRequest, TargetSummary, ValueCounts, ValueRequest, Weighed, Weighing,
};
pub use steps::{EvenSteps, StepRun, Steps};
