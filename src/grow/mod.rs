//! Growth: a work-list of open nodes. Take one, search it, split it, partition its rows, push its
//! branches. Nothing recurses with depth, so a deep tree cannot overflow the stack.
//!
//! Large nodes are taken one at a time, with their columns in parallel. A node with a small share
//! of the rows is deferred until the large ones are done; its rows are then gathered together
//! and its whole subtree is grown by itself, in the end within the cache, such nodes in parallel.
//! What a node becomes depends on its rows alone, so threads and order change nothing.
//!
//! # Words
//!
//! - *partition*: the rows of some open nodes, column by column ([`partition`]).
//! - *shared table*: codes of columns that any number of growths read ([`SharedTable`]); each has
//!   orders of rows of its own.
//! - *open node*: one that waits for its rule; its rows are a range of a partition.
//! - *entry*: a row in an order of rows, as 32 bits: its number and, if there is room, its payload.
//! - *payload*: what a stat needs to know of a row; entries that have it save the row's look-up.
//! - *presorted*: of a column of many levels, whose entries are kept in order of level.
//! - *unordered*: of a column of many levels without such an order, as a cut that is drawn needs none.
//! - *pack*, *histogram*: columns of few levels, their codes side by side; their counts at a node.
//! - *deferred*: of a node of few rows, which is gathered and grown when the large ones are done.
//! - *tiny*: of so few rows that rows and levels are bytes; the subtree of such a node is grown in
//!   a table of its own ([`tiny`]).
//! - *gathered*: copied into a partition of its own, rows numbered from 0.
//! - *shared branch*: one with parts of rows, below a rule that shares out rows without a value.
//! - *units*: the whole numbers that weights are counted in; a row without weight is one unit.
//! - *arena*: the nodes grown so far, in any order ([`Arena`]).

mod arena;
mod best_first;
mod best_gain;
mod column_policy;
mod depth_first;
mod drawn_splits;
mod fractional;
mod grower;
mod grown_rows;
mod growth;
mod growth_table;
mod histogram;
mod node;
mod node_candidates;
mod partition;
mod prepare;
mod sample;
mod scratch;
mod search;
mod selector;
mod shared_table;
mod split_queue;
mod stored;
mod tiny;

pub(crate) use arena::{Arena, feature_of, rule_of, schema_of};
pub(crate) use column_policy::ColumnPolicy;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use column_policy::has_many_levels;
pub(crate) use fractional::units_at;
pub(crate) use grower::Grower;
pub(crate) use grown_rows::GrownRows;
pub(crate) use growth::grow_part;
pub(crate) use growth_table::GrowthTable;
pub use node::NodePath;
pub(crate) use node_candidates::{NodeRows, RatedCandidate, rated_candidates};
pub(crate) use partition::share_out::KnownUnits;
pub(crate) use prepare::{check, check_spec, missing_values, sharing, spec_of_tree};
pub use sample::{DrawnFeatures, FeatureOrder, Features, Sample, SplitSeeds, Splits};
pub use shared_table::SharedTable;
pub(crate) use split_queue::SplitQueue;

use crate::stat::ROWS_IN_CACHE;

/// Nodes of at most this many rows are finished within the cache.
const SMALL_NODE: usize = ROWS_IN_CACHE;

/// A larger node is gathered too once it has one in this many rows of its partition: rows that are
/// looked up then lie close together.
const GATHERED_SHARE: usize = 16;
