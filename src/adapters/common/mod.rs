//! What the two faces share: reading numeric and text columns, requests for a training table,
//! tables of results, and pools of threads.

mod chance_splits;
pub(crate) mod drift;
pub(crate) mod evaluate;
pub(crate) mod matrix;
pub(crate) mod model_ref;
pub(crate) mod notes;
pub(crate) mod numeric;
pub(crate) mod pool;
pub(crate) mod rank_outline;
pub(crate) mod ranking;
pub(crate) mod request;
pub(crate) mod score_spec;
pub(crate) mod select;
pub(crate) mod tables;
pub(crate) mod texts;
pub(crate) mod woe;

pub use score_spec::{ScoreReport, ScoreSpec};
