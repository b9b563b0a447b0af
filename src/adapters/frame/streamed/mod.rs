//! Work on rows that a query gives again and again, rather than on a frame in memory.

mod streaming;
mod watched_query;

pub use streaming::{
    LazyFrameGain, fit_parquet, fit_tree_streaming, rank_gain_streaming, rank_parquet,
};
