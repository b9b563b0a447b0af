//! The verbs as methods of a DataFrame.

use polars::prelude::DataFrame;

use super::{
    Fit, ForestFit, PruningCv, WoeBins, boruta, corrected_importance, cross_validate_pruning,
    drift, fit_forest, fit_tree, gain_matrix, mdl_cuts, mdl_cuts_by_feature, rank_gain,
    redundant_groups, select_features, split_candidates, woe_bins,
};
use crate::error::Result;
use crate::prune::CvSpec;
use crate::spec::{
    BorutaSpec, CorrectedSpec, DriftSpec, ForestSpec, MatrixSpec, RankSpec, SelectSpec, TreeSpec,
    WoeSpec,
};

/// gaintree's verbs on a DataFrame. Each is the function of its name, with the same errors.
pub trait DataFrameGain {
    /// See [`rank_gain`].
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`select_features`].
    fn select_features(&self, target: &str, spec: &SelectSpec) -> Result<DataFrame>;
    /// See [`split_candidates`].
    fn split_candidates(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`mdl_cuts`].
    fn mdl_cuts(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`mdl_cuts_by_feature`].
    fn mdl_cuts_by_feature(&self, target: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`woe_bins`].
    fn woe_bins(&self, target: &str, spec: &WoeSpec) -> Result<WoeBins>;
    /// See [`drift`]; this is the reference.
    fn drift(&self, current: &DataFrame, spec: &DriftSpec) -> Result<DataFrame>;
    /// See [`gain_matrix`].
    fn gain_matrix(&self, spec: &MatrixSpec) -> Result<DataFrame>;
    /// See [`redundant_groups`].
    fn redundant_groups(&self, threshold: f64, spec: &MatrixSpec) -> Result<DataFrame>;
    /// See [`fit_tree`].
    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<Fit>;
    /// See [`fit_forest`].
    fn fit_forest(&self, target: &str, spec: &ForestSpec) -> Result<ForestFit>;
    /// See [`corrected_importance`].
    fn corrected_importance(&self, target: &str, spec: &CorrectedSpec) -> Result<DataFrame>;
    /// See [`boruta`].
    fn boruta(&self, target: &str, spec: &BorutaSpec) -> Result<DataFrame>;
    /// See [`cross_validate_pruning`].
    fn cross_validate_pruning(
        &self,
        target: &str,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<PruningCv>;
}

impl DataFrameGain for DataFrame {
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<DataFrame> {
        rank_gain(self, target, spec)
    }

    fn select_features(&self, target: &str, spec: &SelectSpec) -> Result<DataFrame> {
        select_features(self, target, spec)
    }

    fn split_candidates(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        split_candidates(self, target, feature, spec)
    }

    fn mdl_cuts(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        mdl_cuts(self, target, feature, spec)
    }

    fn mdl_cuts_by_feature(&self, target: &str, spec: &RankSpec) -> Result<DataFrame> {
        mdl_cuts_by_feature(self, target, spec)
    }

    fn woe_bins(&self, target: &str, spec: &WoeSpec) -> Result<WoeBins> {
        woe_bins(self, target, spec)
    }

    fn drift(&self, current: &DataFrame, spec: &DriftSpec) -> Result<DataFrame> {
        drift(self, current, spec)
    }

    fn gain_matrix(&self, spec: &MatrixSpec) -> Result<DataFrame> {
        gain_matrix(self, spec)
    }

    fn redundant_groups(&self, threshold: f64, spec: &MatrixSpec) -> Result<DataFrame> {
        redundant_groups(self, threshold, spec)
    }

    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<Fit> {
        fit_tree(self, target, spec)
    }

    fn fit_forest(&self, target: &str, spec: &ForestSpec) -> Result<ForestFit> {
        fit_forest(self, target, spec)
    }

    fn corrected_importance(&self, target: &str, spec: &CorrectedSpec) -> Result<DataFrame> {
        corrected_importance(self, target, spec)
    }

    fn boruta(&self, target: &str, spec: &BorutaSpec) -> Result<DataFrame> {
        boruta(self, target, spec)
    }

    fn cross_validate_pruning(
        &self,
        target: &str,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<PruningCv> {
        cross_validate_pruning(self, target, spec, cv)
    }
}
