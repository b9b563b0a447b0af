//! The verbs as functions and as methods of frames.

use std::time::{Duration, Instant};

use polars::prelude::{DataFrame, Expr, LazyFrame};

use super::{
    PruningCv, cross_validate_pruning, in_pool, mdl_cuts, mdl_cuts_by_feature, polars_error,
    rank_gain, split_candidates,
};
use crate::adapters::common::request::all_usable;
use crate::error::{Result, no_such_column};
use crate::fitted::Tree;
use crate::fitted::grow;
use crate::prune::CvSpec;
use crate::spec::{RankSpec, TreeSpec};

/// A fitted tree and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fit {
    /// The tree.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance`].
    pub importance: DataFrame,
    /// How long it took.
    pub timing: Timing,
}

/// How long the parts of a fit took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// To encode the columns.
    pub encode: Duration,
    /// To grow the tree.
    pub grow: Duration,
}

/// Fits a tree that predicts `target` from the other columns.
///
/// Encoding takes `O(m n)` for m columns of n numbers, growth `O(m n)` a level; both run in
/// Polars' pool.
///
/// # Errors
/// A column that is not there or cannot serve, a target with nulls or of one class, bad
/// weights, or a spec that contradicts itself; each names the column and what to do.
pub fn fit_tree(df: &DataFrame, target: &str, spec: &TreeSpec) -> Result<Fit> {
    let request = spec.request(target);
    let features = all_usable(request.features(df)?, target)?;
    let (tree, timing) = in_pool(spec.threads, || {
        let start = Instant::now();
        let table = request.table(df, &features)?;
        let encode = start.elapsed();
        let tree = grow(table, spec)?;
        Ok((tree, Timing { encode, grow: start.elapsed() - encode }))
    })?;
    let importance = tree.importance()?;
    Ok(Fit { tree, importance, timing })
}

/// gaintree's verbs on a DataFrame.
pub trait DataFrameGain {
    /// See [`rank_gain`].
    ///
    /// # Errors
    /// As [`rank_gain`].
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`split_candidates`].
    ///
    /// # Errors
    /// As [`split_candidates`].
    fn split_candidates(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`mdl_cuts`].
    ///
    /// # Errors
    /// As [`mdl_cuts`].
    fn mdl_cuts(&self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`mdl_cuts_by_feature`].
    ///
    /// # Errors
    /// As [`mdl_cuts_by_feature`].
    fn mdl_cuts_by_feature(&self, target: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`fit_tree`].
    ///
    /// # Errors
    /// As [`fit_tree`].
    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<Fit>;

    /// See [`cross_validate_pruning`].
    ///
    /// # Errors
    /// As [`cross_validate_pruning`].
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

/// The same verbs on a LazyFrame, which collect only the columns they need.
pub trait LazyFrameGain {
    /// See [`rank_gain`].
    ///
    /// # Errors
    /// As [`rank_gain`], and whatever the query ends in.
    fn rank_gain(self, target: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`split_candidates`].
    ///
    /// # Errors
    /// As [`split_candidates`], and whatever the query ends in.
    fn split_candidates(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`mdl_cuts`].
    ///
    /// # Errors
    /// As [`mdl_cuts`], and whatever the query ends in.
    fn mdl_cuts(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`mdl_cuts_by_feature`].
    ///
    /// # Errors
    /// As [`mdl_cuts_by_feature`], and whatever the query ends in.
    fn mdl_cuts_by_feature(self, target: &str, spec: &RankSpec) -> Result<DataFrame>;

    /// See [`fit_tree`].
    ///
    /// # Errors
    /// As [`fit_tree`], and whatever the query ends in.
    fn fit_tree(self, target: &str, spec: &TreeSpec) -> Result<Fit>;

    /// See [`cross_validate_pruning`].
    ///
    /// # Errors
    /// As [`cross_validate_pruning`], and whatever the query ends in.
    fn cross_validate_pruning(
        self,
        target: &str,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<PruningCv>;

    /// See [`Tree::score`].
    ///
    /// # Errors
    /// As [`Tree::score`], and whatever the query ends in.
    fn score(self, tree: &Tree) -> Result<DataFrame>;
}

impl LazyFrameGain for LazyFrame {
    fn rank_gain(self, target: &str, spec: &RankSpec) -> Result<DataFrame> {
        let features = spec.features.as_deref();
        let df = collect(self, &needed(target, features, spec.weight.as_deref(), &spec.by))?;
        rank_gain(&df, target, spec)
    }

    fn split_candidates(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        let df = collect_one(self, target, feature, spec)?;
        split_candidates(&df, target, feature, spec)
    }

    fn mdl_cuts(self, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
        let df = collect_one(self, target, feature, spec)?;
        mdl_cuts(&df, target, feature, spec)
    }

    fn mdl_cuts_by_feature(self, target: &str, spec: &RankSpec) -> Result<DataFrame> {
        let features = spec.features.as_deref();
        let df = collect(self, &needed(target, features, spec.weight.as_deref(), &[]))?;
        mdl_cuts_by_feature(&df, target, spec)
    }

    fn fit_tree(self, target: &str, spec: &TreeSpec) -> Result<Fit> {
        let features = spec.features.as_deref();
        let df = collect(self, &needed(target, features, spec.weight.as_deref(), &[]))?;
        fit_tree(&df, target, spec)
    }

    fn cross_validate_pruning(
        self,
        target: &str,
        spec: &TreeSpec,
        cv: &CvSpec,
    ) -> Result<PruningCv> {
        let features = spec.features.as_deref();
        let df = collect(self, &needed(target, features, spec.weight.as_deref(), &[]))?;
        cross_validate_pruning(&df, target, spec, cv)
    }

    fn score(self, tree: &Tree) -> Result<DataFrame> {
        tree.score(&self.collect().map_err(polars_error)?)
    }
}

/// The columns to collect, by role in the order the verbs look for them; none where the
/// features are not named, and all columns are needed.
fn needed<'a>(
    target: &'a str,
    features: Option<&'a [String]>,
    weight: Option<&'a str>,
    by: &'a [String],
) -> Vec<(&'static str, &'a str)> {
    let Some(features) = features else { return Vec::new() };
    let named = |role, names: &'a [String]| names.iter().map(move |name| (role, name.as_str()));
    named("group column", by)
        .chain(named("feature", features))
        .chain([("target", target)])
        .chain(weight.map(|weight| ("weight", weight)))
        .collect()
}

/// Collects the needed columns, or complains of those that are not there as the verbs do.
fn collect(mut lf: LazyFrame, needed: &[(&str, &str)]) -> Result<DataFrame> {
    if !needed.is_empty() {
        let schema = lf.collect_schema().map_err(polars_error)?;
        let known: Vec<&str> = schema.iter_names().map(|name| name.as_str()).collect();
        if let Some((role, name)) = needed.iter().find(|(_, name)| !known.contains(name)) {
            return Err(no_such_column(role, name, &known));
        }
        let wanted = known.iter().filter(|k| needed.iter().any(|(_, name)| name == *k));
        lf = lf.select(wanted.map(|name| column(name)).collect::<Vec<_>>());
    }
    lf.collect().map_err(polars_error)
}

/// Collects what a verb on one feature needs.
fn collect_one(lf: LazyFrame, target: &str, feature: &str, spec: &RankSpec) -> Result<DataFrame> {
    let features = [feature.to_string()];
    collect(lf, &needed(target, Some(&features), spec.weight.as_deref(), &[]))
}

/// The column of this very name: `col` would take `*` and `^…$` for patterns.
pub(crate) fn column(name: &str) -> Expr {
    Expr::Column(name.into())
}
