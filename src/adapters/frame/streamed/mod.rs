//! Work on rows that a query gives again and again, rather than on a frame in memory.

mod file_stamp;
mod fit_streaming;
mod judge_streaming;
mod rank_streaming;
mod watched_query;

pub use fit_streaming::{fit_parquet, fit_tree_streaming};
pub use rank_streaming::{rank_gain_streaming, rank_parquet};
