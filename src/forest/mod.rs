//! Growth of many trees on one encoded table.
//!
//! Trees are grown at the same time, a thread each; where few are left, threads share the nodes of
//! one. What a tree becomes depends on the seed, its number and the table alone ([`draws`]).

mod boruta;
mod copies;
mod corrected;
mod draws;
mod growth;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod left_out;

pub use boruta::{DecidedFeature, Decision, boruta_features};
pub use corrected::{CorrectedGain, corrected_gains};
pub use draws::{drawn_features, drawn_rows, rows_of_copies, split_seed};
pub(crate) use growth::grow_forest_data;
