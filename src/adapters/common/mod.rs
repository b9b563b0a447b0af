//! What the adapters share: a request for a table, results before they are a DataFrame or a
//! RecordBatch, and the pool to work in.

pub(crate) mod evaluate;
pub(crate) mod pool;
pub(crate) mod ranking;
pub(crate) mod request;
pub(crate) mod score_spec;
pub(crate) mod tables;

pub use score_spec::{ScoreReport, ScoreSpec};
