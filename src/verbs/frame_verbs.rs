//! The verbs as methods of frames.

use std::borrow::Borrow;

use super::corrected_importance::{boruta, corrected_importance};
use super::cross_validate::{PruningCv, cross_validate_pruning};
use super::drift::{drift, drift_bins};
use super::fit::{Fit, fit_tree};
use super::fit_forest::{ForestFit, fit_forest};
use super::frame::Frame;
use super::gain_matrix::{gain_matrix, redundant_groups};
use super::mdl_cuts::{mdl_cuts, mdl_cuts_by_feature};
use super::rank_gain::rank_gain;
use super::select_features::select_features;
use super::split_candidates::split_candidates;
use super::woe_bins::{WoeBins, woe_bins};
use crate::error::Result;
use crate::prune::CvSpec;
use crate::spec::{
    BorutaSpec, CorrectedSpec, DriftSpec, ForestSpec, MatrixSpec, RankSpec, SelectSpec, TreeSpec,
    WoeSpec,
};

/// gaintree's verbs on a [`Frame`]: a DataFrame, a LazyFrame, a record batch or several. Each is the
/// function of its name, with the same errors.
pub trait FrameVerbs: Frame {
    /// See [`rank_gain`].
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<Self::Table> {
        rank_gain(self, target, spec)
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
