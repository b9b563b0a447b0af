//! The verbs as methods of a LazyFrame.

use std::collections::HashSet;

use polars::prelude::{DataFrame, LazyFrame};

use super::drift_lazily::drift_lazily;
use super::{
    Fit, ForestFit, PruningCv, StreamedFit, StreamedRanking, WoeBins, cross_validate_pruning,
    fit_forest, fit_tree, gain_matrix, mdl_cuts, mdl_cuts_by_feature, rank_gain, redundant_groups,
    select_features, split_candidates, woe_bins,
};
use crate::adapters::common::request::Request;
use crate::adapters::frame::columns::column;
use crate::adapters::frame::streamed::{fit_tree_streaming, rank_gain_streaming};
use crate::error::{Error, Result, no_such_column};
use crate::fitted::Tree;
use crate::prune::CvSpec;
use crate::spec::{
    Budget, DriftSpec, ForestSpec, MatrixSpec, RankSpec, SelectSpec, TreeSpec, WoeSpec,
};

/// The verbs of a DataFrame on a LazyFrame, which collect only the columns they need. Their errors are
/// those of the functions, and whatever the query ends in.
pub trait LazyFrameGain {
    /// See [`rank_gain`].
    fn rank_gain(self, target: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`rank_gain_streaming`]; no file is watched.
    fn rank_gain_streaming(
        self,
        target: &str,
        spec: &RankSpec,
        budget: &Budget,
    ) -> Result<StreamedRanking>;
    /// See [`select_features`].
    fn select_features(self, target: &str, spec: &SelectSpec) -> Result<DataFrame>;
    /// See [`split_candidates`].
    fn split_candidates(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`mdl_cuts`].
    fn mdl_cuts(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`mdl_cuts_by_feature`].
    fn mdl_cuts_by_feature(self, target: &str, spec: &RankSpec) -> Result<DataFrame>;
    /// See [`woe_bins`].
    fn woe_bins(self, target: &str, spec: &WoeSpec) -> Result<WoeBins>;
    /// See [`drift`](super::drift); this is the reference. Parquet files are read a few columns at a
    /// time, so that they may be larger than memory; other queries collect the columns compared.
    fn drift(self, current: LazyFrame, spec: &DriftSpec) -> Result<DataFrame>;
    /// See [`gain_matrix`].
    fn gain_matrix(self, spec: &MatrixSpec) -> Result<DataFrame>;
    /// See [`redundant_groups`].
    fn redundant_groups(self, threshold: f64, spec: &MatrixSpec) -> Result<DataFrame>;
    /// See [`fit_tree`].
    fn fit_tree(self, target: &str, spec: &TreeSpec) -> Result<Fit>;
    /// See [`fit_forest`].
    fn fit_forest(self, target: &str, spec: &ForestSpec) -> Result<ForestFit>;
    /// See [`fit_tree_streaming`]; no file is watched.
    fn fit_tree_streaming(
        self,
        target: &str,
        spec: &TreeSpec,
        budget: &Budget,
    ) -> Result<StreamedFit>;
    /// See [`cross_validate_pruning`].
    fn cross_validate_pruning(
        self,
        target: &str,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<PruningCv>;
    /// See [`Tree::score`].
    fn score(self, tree: &Tree) -> Result<DataFrame>;
}

impl LazyFrameGain for LazyFrame {
    fn rank_gain(self, target: &str, spec: &RankSpec) -> Result<DataFrame> {
        rank_gain(&collect(self, &spec.request(target))?, target, spec)
    }

    fn rank_gain_streaming(
        self,
        target: &str,
        spec: &RankSpec,
        budget: &Budget,
    ) -> Result<StreamedRanking> {
        rank_gain_streaming(vec![self], &[], target, spec, budget)
    }

    fn select_features(self, target: &str, spec: &SelectSpec) -> Result<DataFrame> {
        select_features(&collect(self, &spec.request(target))?, target, spec)
    }

    fn split_candidates(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        let df = collect(self, &spec.request_of_one(target, feature))?;
        split_candidates(&df, target, feature, spec)
    }

    fn mdl_cuts(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        mdl_cuts(&collect(self, &spec.request_of_one(target, feature))?, target, feature, spec)
    }

    fn mdl_cuts_by_feature(self, target: &str, spec: &RankSpec) -> Result<DataFrame> {
        let request = Request { by: Vec::new(), given: Vec::new(), ..spec.request(target) };
        mdl_cuts_by_feature(&collect(self, &request)?, target, spec)
    }

    fn woe_bins(self, target: &str, spec: &WoeSpec) -> Result<WoeBins> {
        woe_bins(&collect(self, &spec.request(target))?, target, spec)
    }

    fn drift(self, current: LazyFrame, spec: &DriftSpec) -> Result<DataFrame> {
        drift_lazily(self, current, spec)
    }

    fn gain_matrix(self, spec: &MatrixSpec) -> Result<DataFrame> {
        gain_matrix(&collect_compared(self, spec)?, spec)
    }

    fn redundant_groups(self, threshold: f64, spec: &MatrixSpec) -> Result<DataFrame> {
        redundant_groups(&collect_compared(self, spec)?, threshold, spec)
    }

    fn fit_tree(self, target: &str, spec: &TreeSpec) -> Result<Fit> {
        fit_tree(&collect(self, &spec.request(target))?, target, spec)
    }

    fn fit_forest(self, target: &str, spec: &ForestSpec) -> Result<ForestFit> {
        fit_forest(&collect(self, &spec.tree.request(target))?, target, spec)
    }

    fn fit_tree_streaming(
        self,
        target: &str,
        spec: &TreeSpec,
        budget: &Budget,
    ) -> Result<StreamedFit> {
        fit_tree_streaming(vec![self], &[], target, spec, budget, &mut |_| {})
    }

    fn cross_validate_pruning(
        self,
        target: &str,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<PruningCv> {
        cross_validate_pruning(&collect(self, &spec.request(target))?, target, spec, cv)
    }

    fn score(self, tree: &Tree) -> Result<DataFrame> {
        tree.score(&self.collect()?)
    }
}

/// Collects the columns that are asked for: all, where the features are not named. Of columns
/// that are not there, the verbs would look for the one in the error first.
fn collect(mut lf: LazyFrame, request: &Request) -> Result<DataFrame> {
    if let Some(features) = &request.features {
        let schema = lf.collect_schema()?;
        let known: Vec<&str> = schema.iter_names().map(|name| name.as_str()).collect();
        let by = request.by.iter().map(|name| ("group column", name));
        let features = features.iter().map(|name| ("feature", name));
        let weight = request.weight.iter().map(|name| ("weight", name));
        let given = request.given.iter().map(|name| ("given column", name));
        let needed: Vec<(&str, &str)> = by
            .chain(given)
            .chain(features)
            .chain([("target", &request.target)])
            .chain(weight)
            .map(|(role, name)| (role, name.as_str()))
            .collect();
        if let Some((role, name)) = needed.iter().find(|(_, name)| !schema.contains(name)) {
            return Err(no_such_column(role, name, &known));
        }
        let needed: HashSet<&str> = needed.into_iter().map(|(_, name)| name).collect();
        let wanted = known.iter().filter(|name| needed.contains(*name));
        lf = lf.select(wanted.map(|name| column(name)).collect::<Vec<_>>());
    }
    lf.collect().map_err(Error::from)
}

/// The rows, with the columns that a matrix compares alone, if it names them.
fn collect_compared(mut rows: LazyFrame, spec: &MatrixSpec) -> Result<DataFrame> {
    if let Some(columns) = &spec.columns {
        let schema = rows.collect_schema()?;
        let known: Vec<&str> = schema.iter_names().map(|name| name.as_str()).collect();
        let needed = || columns.iter().chain(&spec.exclude).map(String::as_str);
        if let Some(name) = needed().find(|name| !schema.contains(name)) {
            return Err(no_such_column("column", name, &known));
        }
        let needed: HashSet<&str> = needed().collect();
        let wanted = known.iter().filter(|name| needed.contains(*name));
        let wanted: Vec<_> = wanted.map(|name| column(name)).collect();
        rows = rows.select(wanted);
    }
    Ok(rows.collect()?)
}
