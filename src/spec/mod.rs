//! What a user asks for: plain data, no imports from the rest of the crate.

mod boruta_spec;
mod budget;
mod chance;
mod contribution_spec;
mod corrected_spec;
mod drift_spec;
mod eval_spec;
mod forest_spec;
mod matrix_spec;
mod monitor;
mod options;
mod permutation_spec;
mod quantile_spec;
mod rank_spec;
mod scorecard_spec;
mod screen_spec;
mod select_spec;
mod spec_macro;
mod tree_spec;
mod woe_spec;

pub use boruta_spec::BorutaSpec;
pub use budget::Budget;
pub use chance::Chance;
pub use contribution_spec::ContributionSpec;
pub use corrected_spec::CorrectedSpec;
pub use drift_spec::DriftSpec;
pub use eval_spec::{Bootstrap, EvalSpec};
pub use forest_spec::{ForestSpec, MaxFeatures};
pub use matrix_spec::{MatrixForm, MatrixSpec};
pub use monitor::{Monitor, Stage};
pub use options::{
    Algorithm, ClassWeights, Criterion, Cuts, Grouping, LogBase, Missing, PruneBy, Pruning,
    RankMissing, SUBSET_EXHAUSTIVE_LEVELS, Selection, SortBy, Task,
};
pub use permutation_spec::{FeatureGroup, PermutationLoss, PermutationSpec};
pub use quantile_spec::QuantileSpec;
pub use rank_spec::RankSpec;
pub use scorecard_spec::ScorecardSpec;
pub use screen_spec::ScreenSpec;
pub use select_spec::{SelectScore, SelectSpec};
pub(crate) use spec_macro::{setters, spec};
pub use tree_spec::TreeSpec;
pub use woe_spec::{Intervals, Monotone, WoeSpec};
