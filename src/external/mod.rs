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
//! - *Bins* are intervals of an ordered column's keys. They cost time if they are bad, never the
//!   tree: what wins is decided by exact values.
//! - Impurity is concave, so no cut inside a bin beats the corners of the box between the bin's two
//!   boundaries (Alsabti, Ranka & Singh 1998). A bin whose bound stays below the best boundary is
//!   dead, and its values are never looked at.
//! - Where too many bins are alive to fetch their values at once, they are counted in finer bins first.
//! - Everything counted is an integer, so it does not depend on who counts, where and in which
//!   order.

mod batch_store;
mod bin_parts;
mod bins;
mod coding;
mod counted_column;
mod counted_feature;
mod counted_node;
mod counting;
mod gathering;
mod growing_tree;
mod grown_nodes;
mod growth;
mod key_range;
mod passes;
mod prepare;
mod rank_store;
mod ranking;
mod report;
mod row_store;
mod stats;
mod steps;
mod store_ranker;
mod subtree;
mod weighing;
mod work_list;

pub use batch_store::{BatchStore, RowBatch, RowBatches};
pub use coding::{Coding, TargetCoding, UnitCoding};
pub use growing_tree::{Cell, GrowingNode, GrowingTree, NodeRule};
pub use growth::grow_from_store;
pub use key_range::KeyRange;
pub use rank_store::{LevelCount, LevelRequest, RankStore, RatedMomentRequest};
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use ranking::needs_rows;
pub use ranking::{StoreRanking, rank_from_store};
pub use report::{ExternalReport, Pass, PassTask};
pub use row_store::{
    BinCounts, BinRequest, Binning, Bins, CountRequest, Counts, FeatureSummary, FeatureWish,
    GatheredRows, GatheredTarget, MomentRequest, Moments, RowStore, StoreColumn, StoreLimits,
    StoreSummary, SummaryRequest, TargetSummary, ValueCounts, ValueRequest, Weighed, Weighing,
};
pub use steps::{EvenSteps, StepRun, Steps};
