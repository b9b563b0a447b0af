//! What the Polars face adds to the verbs of all frames: expressions, maps of columns, and rows that are
//! read in batches.

#[cfg(feature = "lazy")]
mod expr_gain;
#[cfg(feature = "lazy")]
mod feature_spec;
mod frame_batches;
mod group_keys;
mod measures;
mod rank_in_batches;
mod rank_in_parts;
mod scorecard;
mod trees_in_batches;
mod woe;

#[cfg(feature = "lazy")]
pub use expr_gain::ExprGain;
#[cfg(feature = "lazy")]
pub use feature_spec::FeatureSpec;
pub(crate) use group_keys::groups_of_rows;
pub use measures::{class_measures, level_entropy, mdl_intervals, symmetric_uncertainty_of_levels};
pub use rank_in_batches::StreamedRanking;
pub use rank_in_parts::rank_gain_in_parts;
pub use trees_in_batches::{StreamedFit, fit_tree_in_batches};
