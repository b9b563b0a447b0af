//! Predictions: on frames, as expressions, in queries and on Parquet files.

mod answers;
mod code_test;
#[cfg(feature = "lazy")]
mod int96;
#[cfg(feature = "onnx")]
mod onnx_inputs;
#[cfg(feature = "lazy")]
mod parquet_files;
#[cfg(feature = "lazy")]
mod parquet_parts;
#[cfg(feature = "lazy")]
mod query_rows;
#[cfg(feature = "lazy")]
mod row_scorer;
#[cfg(feature = "lazy")]
mod score_lazy;
#[cfg(feature = "lazy")]
mod score_parquet;
mod verbs;
#[cfg(feature = "lazy")]
mod when_then;
mod when_then_steps;

pub use answers::RowAnswer;
#[cfg(feature = "lazy")]
pub(crate) use parquet_files::{named_inputs, scan_files_within};
#[cfg(feature = "lazy")]
pub use parquet_parts::{scan_parquet_in_parts, scan_parquet_within};
#[cfg(feature = "lazy")]
pub use row_scorer::RowScorer;
#[cfg(feature = "lazy")]
pub use score_lazy::LazyScore;
#[cfg(feature = "lazy")]
pub use score_parquet::sink_into;
pub use verbs::PolarsScoring;
pub use when_then_steps::{MAX_WHEN_THEN_NODES, WhenThenStep};
