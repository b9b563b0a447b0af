//! The verbs, over anything that has rows and named columns.
//!
//! A file a verb: the columns it needs, what it does, its table and its notes. A face implements
//! [`Frame`], [`NamedColumns`](frame::NamedColumns) and [`Table`](table::FromResults), and has all verbs.

mod chance_splits;
#[cfg(feature = "plot")]
mod contribution_pictures;
mod contributions;
mod corrected_importance;
mod cross_validate;
pub(crate) mod drift;
pub(crate) mod evaluate;
mod evaluation_tables;
pub(crate) mod explain_row;
#[cfg(feature = "plot")]
mod feature_pictures;
mod fit;
mod fit_forest;
pub(crate) mod frame;
mod frame_verbs;
mod gain_matrix;
mod importance;
mod mdl_cuts;
mod model_columns;
pub(crate) mod model_drift;
#[cfg(feature = "plot")]
mod model_pictures;
pub(crate) mod model_ref;
mod model_verbs;
mod node_candidates;
mod nodes;
pub(crate) mod notes;
mod other_rows;
pub(crate) mod out_of_bag;
mod out_of_bag_quantiles;
pub(crate) mod permutation;
mod prune;
mod rank_gain;
pub(crate) mod rank_outline;
pub(crate) mod ranking;
#[cfg(feature = "plot")]
mod report;
pub(crate) mod request;
pub(crate) mod score;
pub(crate) mod score_spec;
mod scorecard;
mod select_features;
pub(crate) mod split_candidates;
pub(crate) mod table;
#[cfg(feature = "plot")]
mod table_pictures;
mod woe_bins;

pub use corrected_importance::{boruta, corrected_importance};
pub use cross_validate::{PruningCv, cross_validate_pruning};
pub use drift::{drift, drift_bins};
pub use explain_row::RowExplanation;
#[cfg(feature = "plot")]
pub use feature_pictures::{curve_svg, drift_svg};
pub use fit::{Fit, Timing, fit_tree, target_note};
pub use fit_forest::{ForestFit, fit_forest};
pub use frame::Frame;
pub use frame_verbs::FrameVerbs;
pub use gain_matrix::{gain_matrix, redundant_groups};
pub use mdl_cuts::{mdl_cuts, mdl_cuts_by_feature};
pub use model_columns::ModelColumns;
#[cfg(feature = "plot")]
pub use model_pictures::ModelPictures;
pub use model_ref::ModelRef;
pub use model_verbs::ModelVerbs;
pub use out_of_bag::OutOfBag;
pub use prune::pruning_note;
pub use rank_gain::rank_gain;
#[cfg(feature = "plot")]
pub use report::ReportSpec;
pub use score_spec::{ScoreReport, ScoreSpec};
pub use scorecard::Scorecard;
pub use select_features::select_features;
pub use split_candidates::split_candidates;
#[cfg(feature = "plot")]
pub use table_pictures::{error_curve_svg, matrix_svg, ranking_svg, selection_svg};
pub use woe_bins::{WoeBins, woe_bins};
