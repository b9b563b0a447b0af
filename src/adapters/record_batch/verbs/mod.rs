//! The verbs on record batches: fit, rank and evaluate.

mod evaluate;
mod fit;
mod groups;
mod rank;
mod record_batch_gain;

pub use fit::{BatchFit, fit_batches};
pub use rank::rank_batches;
pub use record_batch_gain::RecordBatchGain;
