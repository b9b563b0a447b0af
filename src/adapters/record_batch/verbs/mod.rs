//! The verbs on record batches: fit, rank, prune and evaluate.

mod cross_validate;
mod drift;
mod evaluate;
mod fit;
mod fit_forest;
mod gain_matrix;
mod groups;
mod rank;
mod record_batch_gain;
mod roles;
mod select;
mod woe;

pub use cross_validate::{BatchPruningCv, cross_validate_batches};
pub use drift::{drift_batches, drift_bins_of_batches};
pub use fit::{BatchFit, fit_batches};
pub use fit_forest::{BatchForestFit, fit_forest_batches};
pub use gain_matrix::{matrix_of_batches, redundant_in_batches};
pub use rank::rank_batches;
pub use record_batch_gain::RecordBatchGain;
pub(crate) use roles::outline_of_schema;
pub use roles::{ColumnRoles, roles_of_schema};
pub use select::select_batches;
pub use woe::{scorecard_of_batches, woe_batches};
