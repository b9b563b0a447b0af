//! The verbs on frames: what learns, ranks, evaluates and prunes.

mod card_rows;
mod contributions;
mod corrected_importance;
mod cross_validate;
mod data_frame_gain;
mod drift;
#[cfg(feature = "lazy")]
mod drift_lazily;
mod evaluate;
mod explain_row;
#[cfg(feature = "lazy")]
mod expr_gain;
#[cfg(feature = "lazy")]
mod features_by;
mod fit;
mod fit_forest;
mod fit_in_batches;
mod frame_batches;
mod gain_matrix;
mod group_keys;
mod judge_in_batches;
#[cfg(feature = "lazy")]
mod lazy_frame_gain;
mod mdl_cuts;
mod measures;
mod node_candidates;
mod other_rows;
mod permutation;
mod prune;
mod rank;
mod rank_in_batches;
mod rank_in_parts;
mod scorecard;
mod select_features;
mod split_candidates;
mod streamed_ranking;
mod waterfall;
mod woe;

#[cfg(feature = "plot")]
pub(crate) use contributions::FrameContributions;
pub use corrected_importance::{boruta, corrected_importance};
pub use cross_validate::{PruningCv, cross_validate_pruning};
pub use data_frame_gain::DataFrameGain;
pub use drift::{drift, drift_bins};
#[cfg(feature = "plot")]
pub(crate) use explain_row::NO_ROW;
pub use explain_row::RowExplanation;
#[cfg(feature = "lazy")]
pub use expr_gain::ExprGain;
pub use fit::{Fit, Timing, fit_tree, target_note};
pub use fit_forest::{ForestFit, fit_forest};
pub use fit_in_batches::{StreamedFit, fit_tree_in_batches};
pub use gain_matrix::{gain_matrix, redundant_groups};
#[cfg(feature = "lazy")]
pub use lazy_frame_gain::LazyFrameGain;
pub use mdl_cuts::{mdl_cuts, mdl_cuts_by_feature};
pub use measures::{class_measures, level_entropy, mdl_intervals, symmetric_uncertainty_of_levels};
pub use permutation::permutation_note;
#[cfg(feature = "plot")]
pub(in crate::adapters::frame) use permutation::{Increase, evenly_spaced};
pub use prune::pruning_note;
pub use rank::rank_gain;
pub use rank_in_parts::rank_gain_in_parts;
pub use scorecard::Scorecard;
pub use select_features::select_features;
pub use split_candidates::split_candidates;
#[cfg(feature = "plot")]
pub(crate) use split_candidates::table_of_one;
pub use streamed_ranking::StreamedRanking;
#[cfg(feature = "plot")]
pub(crate) use waterfall::{FeatureStep, Waterfall};
pub use woe::{WoeBins, woe_bins};
