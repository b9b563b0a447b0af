//! Predictions: on frames, as expressions, in queries and on Parquet files.

mod parquet_parts;
mod predictions;
mod query_rows;
mod score;
mod score_lazy;
mod score_parquet;
mod sink;
mod tree_exprs;
mod when_then;

pub use parquet_parts::scan_parquet_in_parts;
pub use score_lazy::LazyScore;
pub use sink::sink_into;
pub use when_then::MAX_WHEN_THEN_NODES;
