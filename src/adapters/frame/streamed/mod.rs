//! Work on rows that a query gives again and again, rather than on a frame in memory.

mod file_stamp;
mod fit_streaming;
mod lazy_batches;
mod rank_streaming;

pub use fit_streaming::{StreamedFit, fit_parquet, fit_tree_streaming};
pub use rank_streaming::{rank_gain_streaming, rank_parquet};
