//! Predictions: on frames, as expressions, in queries and on Parquet files.

mod answers;
#[cfg(feature = "lazy")]
mod int96;
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
