//! The verbs on record batches: fit, rank, prune and evaluate.

mod cross_validate;
mod evaluate;
mod fit;
mod groups;
mod rank;
mod record_batch_gain;

pub use cross_validate::{BatchPruningCv, cross_validate_batches};
pub use fit::{BatchFit, fit_batches};
pub use rank::rank_batches;
pub use record_batch_gain::RecordBatchGain;
