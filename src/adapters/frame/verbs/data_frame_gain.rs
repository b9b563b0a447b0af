//! The verbs as methods of a DataFrame.

use polars::prelude::DataFrame;

use super::{
    Fit, PruningCv, cross_validate_pruning, fit_tree, mdl_cuts, mdl_cuts_by_feature, rank_gain,
    split_candidates,
};
use crate::error::Result;
use crate::prune::CvSpec;
use crate::spec::{RankSpec, TreeSpec};

/// gaintree's verbs on a DataFrame. Each is the function of its name, with the same errors.
pub trait DataFrameGain {
    /// See [`rank_gain`].
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`split_candidates`].
    fn split_candidates(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`mdl_cuts`].
    fn mdl_cuts(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`mdl_cuts_by_feature`].
    fn mdl_cuts_by_feature(&self, target: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`fit_tree`].
    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<Fit>;
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

    fn split_candidates(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        split_candidates(self, target, feature, spec)
    }

    fn mdl_cuts(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        mdl_cuts(self, target, feature, spec)
    }

    fn mdl_cuts_by_feature(&self, target: &str, spec: &RankSpec) -> Result<DataFrame> {
        mdl_cuts_by_feature(self, target, spec)
    }

    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<Fit> {
        fit_tree(self, target, spec)
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
