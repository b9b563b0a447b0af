//! The verbs, over anything that has rows and named columns.
//!
//! A file a verb: the columns it needs, what it does, its table and its notes. A face implements
//! [`Frame`], [`NamedColumns`](frame::NamedColumns) and [`Table`](table::FromResults), and has all verbs.

mod answers;
mod card_scores;
mod chance_splits;
mod code_test;
#[cfg(feature = "plot")]
mod contribution_pictures;
mod contributions;
mod corrected_importance;
mod cross_validate;
pub(crate) mod drift;
mod drift_table;
pub(crate) mod evaluate;
mod evaluation_tables;
pub(crate) mod explain_row;
#[cfg(feature = "plot")]
mod feature_pictures;
mod fit;
mod fit_forest;
pub(crate) mod frame;
pub(crate) mod frame_to_score;
mod gain_matrix;
mod importance;
mod in_batches;
mod mdl_cuts;
pub(crate) mod measures;
mod model_columns;
pub(crate) mod model_drift;
#[cfg(feature = "plot")]
mod model_pictures;
pub(crate) mod model_ref;
mod model_verbs;
mod node_candidates;
mod nodes;
pub(crate) mod notes;
#[cfg(feature = "onnx")]
mod onnx_inputs;
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
mod screen;
#[cfg(feature = "plot")]
mod screen_pictures;
mod screen_table;
mod select_features;
pub(crate) mod sign_notes;
pub(crate) mod split_candidates;
pub(crate) mod table;
#[cfg(feature = "plot")]
mod table_pictures;
mod when_then_values;
mod woe_bins;
mod woe_of_rows;

pub use answers::ModelAnswers;
pub use corrected_importance::{boruta, corrected_importance};
pub use cross_validate::{PruningCv, cross_validate_pruning};
pub use drift::{drift, drift_bins};
pub use explain_row::RowExplanation;
#[cfg(feature = "plot")]
pub use feature_pictures::{curve_svg, drift_svg};
pub use fit::{Fit, Timing, fit_tree, target_note};
pub use fit_forest::{ForestFit, fit_forest};
pub use frame::Frame;
pub use gain_matrix::{gain_matrix, redundant_groups};
pub use in_batches::{
    FrameReader, StreamedFit, StreamedRanking, fit_tree_in_batches, rank_gain_in_parts,
};
pub use mdl_cuts::{mdl_cuts, mdl_cuts_by_feature};
pub use measures::{
    MeasuredColumn, class_measures, level_entropy, mdl_intervals, symmetric_uncertainty_of_levels,
};
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
pub use score_spec::{RowAnswer, ScoreReport, ScoreSpec};
pub use scorecard::Scorecard;
pub use screen::{columns_to_exclude, screen};
#[cfg(feature = "plot")]
pub use screen_pictures::{screen_html, screen_svg};
pub use select_features::select_features;
pub use split_candidates::split_candidates;
#[cfg(feature = "plot")]
pub use table_pictures::{error_curve_svg, matrix_svg, ranking_svg, selection_svg};
pub use woe_bins::{WoeBins, woe_bins};

use std::borrow::Borrow;

use crate::error::Result;
use crate::prune::CvSpec;
use crate::spec::{
    BorutaSpec, CorrectedSpec, DriftSpec, ForestSpec, MatrixSpec, RankSpec, ScreenSpec, SelectSpec,
    TreeSpec, WoeSpec,
};

/// gaintree's verbs on a [`Frame`]: a DataFrame, a LazyFrame, a record batch or several. Each is the
/// function of its name, with the same errors.
pub trait FrameVerbs: Frame {
    /// See [`rank_gain`].
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<Self::Table> {
        rank_gain(self, target, spec)
    }

    /// See [`screen`].
    fn screen(&self, target: &str, spec: &ScreenSpec) -> Result<Self::Table> {
        screen(self, target, spec)
    }

    /// See [`select_features`].
    fn select_features(&self, target: &str, spec: &SelectSpec) -> Result<Self::Table> {
        select_features(self, target, spec)
    }

    /// See [`split_candidates`].
    fn split_candidates(
        &self,
        target: &str,
        feature: &str,
        spec: &RankSpec,
    ) -> Result<Self::Table> {
        split_candidates(self, target, feature, spec)
    }

    /// See [`mdl_cuts`].
    fn mdl_cuts(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<Self::Table> {
        mdl_cuts(self, target, feature, spec)
    }

    /// See [`mdl_cuts_by_feature`].
    fn mdl_cuts_by_feature(&self, target: &str, spec: &RankSpec) -> Result<Self::Table> {
        mdl_cuts_by_feature(self, target, spec)
    }

    /// See [`woe_bins`].
    fn woe_bins(&self, target: &str, spec: &WoeSpec) -> Result<WoeBins<Self::Table>> {
        woe_bins(self, target, spec)
    }

    /// See [`drift`]; this is the reference.
    fn drift(&self, current: impl Borrow<Self>, spec: &DriftSpec) -> Result<Self::Table> {
        drift(self, current.borrow(), spec)
    }

    /// See [`drift_bins`]; this is the reference.
    fn drift_bins(
        &self,
        current: impl Borrow<Self>,
        feature: &str,
        spec: &DriftSpec,
    ) -> Result<Self::Table> {
        drift_bins(self, current.borrow(), feature, spec)
    }

    /// See [`gain_matrix`].
    fn gain_matrix(&self, spec: &MatrixSpec) -> Result<Self::Table> {
        gain_matrix(self, spec)
    }

    /// See [`redundant_groups`].
    fn redundant_groups(&self, threshold: f64, spec: &MatrixSpec) -> Result<Self::Table> {
        redundant_groups(self, threshold, spec)
    }

    /// See [`fit_tree`].
    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<Fit<Self::Table>> {
        fit_tree(self, target, spec)
    }

    /// See [`fit_forest`].
    fn fit_forest(&self, target: &str, spec: &ForestSpec) -> Result<ForestFit<Self::Table>> {
        fit_forest(self, target, spec)
    }

    /// See [`corrected_importance`].
    fn corrected_importance(&self, target: &str, spec: &CorrectedSpec) -> Result<Self::Table> {
        corrected_importance(self, target, spec)
    }

    /// See [`boruta`].
    fn boruta(&self, target: &str, spec: &BorutaSpec) -> Result<Self::Table> {
        boruta(self, target, spec)
    }

    /// See [`cross_validate_pruning`].
    fn cross_validate_pruning(
        &self,
        target: &str,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<PruningCv<Self::Table>> {
        cross_validate_pruning(self, target, spec, cv)
    }
}

impl<F: Frame + ?Sized> FrameVerbs for F {}
