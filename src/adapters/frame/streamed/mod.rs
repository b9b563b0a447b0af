//! Fitting on rows that a query gives again and again, rather than on a frame in memory.

mod fit_streaming;
mod lazy_batches;

pub use fit_streaming::{StreamedFit, fit_parquet, fit_tree_streaming};
