//! The verbs on frames.

use std::time::Duration;

use gaintree::{BorutaSpec, CorrectedSpec};
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::forest::{Answers, NewForest, answers};
use crate::frames::{carried, frame};
use crate::run::{interruptible, told};
use crate::specs::{
    cv_spec, drift_spec, forest_spec, matrix_spec, rank_spec, select_spec, tree_spec,
};
use crate::tree::{CrossValidated, NewTree, cross_validated};

#[pyfunction]
pub fn rank_gain(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    options: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, rank_spec(options, threads)?);
    told(py, progress, |monitor| gaintree::rank_gain(&df, target, &spec.monitor(monitor)))
        .and_then(carried)
}

#[pyfunction]
pub fn split_candidates(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    feature: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, rank_spec(options, threads)?);
    let work = |monitor| gaintree::split_candidates(&df, target, feature, &spec.monitor(monitor));
    interruptible(py, work).and_then(carried)
}

#[pyfunction]
pub fn mdl_cuts(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    feature: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, rank_spec(options, threads)?);
    let work = |monitor| gaintree::mdl_cuts(&df, target, feature, &spec.monitor(monitor));
    interruptible(py, work).and_then(carried)
}

#[pyfunction]
pub fn mdl_cuts_by_feature(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, rank_spec(options, threads)?);
    let work = |monitor| gaintree::mdl_cuts_by_feature(&df, target, &spec.monitor(monitor));
    interruptible(py, work).and_then(carried)
}

#[pyfunction]
pub fn select_features(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, select_spec(options, threads)?);
    interruptible(py, |monitor| gaintree::select_features(&df, target, &spec.monitor(monitor)))
        .and_then(carried)
}

#[pyfunction]
pub fn gain_matrix(
    py: Python,
    columns: Vec<PySeries>,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, matrix_spec(options, threads)?);
    interruptible(py, |monitor| gaintree::gain_matrix(&df, &spec.monitor(monitor)))
        .and_then(carried)
}

#[pyfunction]
pub fn redundant_groups(
    py: Python,
    columns: Vec<PySeries>,
    threshold: f64,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, matrix_spec(options, threads)?);
    interruptible(py, |monitor| gaintree::redundant_groups(&df, threshold, &spec.monitor(monitor)))
        .and_then(carried)
}

#[pyfunction]
pub fn drift(
    py: Python,
    reference: Vec<PySeries>,
    current: Vec<PySeries>,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (reference, current) = (frame(reference)?, frame(current)?);
    let spec = drift_spec(options, threads)?;
    interruptible(py, |monitor| gaintree::drift(&reference, &current, &spec.monitor(monitor)))
        .and_then(carried)
}

#[pyfunction]
pub fn drift_bins(
    py: Python,
    reference: Vec<PySeries>,
    current: Vec<PySeries>,
    feature: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<PyDataFrame> {
    let (reference, current) = (frame(reference)?, frame(current)?);
    let spec = drift_spec(options, threads)?;
    interruptible(py, |monitor| {
        gaintree::drift_bins(&reference, &current, feature, &spec.monitor(monitor))
    })
    .and_then(carried)
}

/// A tree, its importances, notes, and how long encoding and growth took.
type Fitted = (NewTree, PyDataFrame, Vec<String>, (Duration, Duration));

#[pyfunction]
pub fn fit_tree(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    algorithm: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<Fitted> {
    let (df, spec) = (frame(columns)?, tree_spec(algorithm, options, threads)?);
    let work = |monitor| gaintree::fit_tree(&df, target, &spec.monitor(monitor));
    let fit = interruptible(py, work)?;
    let times = (fit.timing.encode, fit.timing.grow);
    Ok((NewTree::from(fit.tree), PyDataFrame(fit.importance), fit.notes, times))
}

/// A forest, its importances, out-of-bag answers, notes, and how long encoding, growth and the answers
/// took.
type FittedForest =
    (NewForest, PyDataFrame, Option<Answers>, Vec<String>, (Duration, Duration, Duration));

#[pyfunction]
#[allow(clippy::too_many_arguments)] // as they come from Python
pub fn fit_forest(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    algorithm: &str,
    options: &str,
    forest: &str,
    out_of_bag: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<FittedForest> {
    let (df, mut spec) = (frame(columns)?, forest_spec(algorithm, options, forest, threads)?);
    spec.out_of_bag = out_of_bag;
    let fit = told(py, progress, |monitor| {
        spec.tree.monitor = Some(monitor);
        gaintree::fit_forest(&df, target, &spec)
    })?;
    let times = (fit.timing.encode, fit.timing.grow, fit.timing.out_of_bag);
    let answers = fit.out_of_bag.map(answers).transpose()?;
    Ok((NewForest::from(fit.forest), PyDataFrame(fit.importance), answers, fit.notes, times))
}

#[pyfunction]
#[allow(clippy::too_many_arguments)] // as they come from Python
pub fn corrected_importance(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    algorithm: &str,
    options: &str,
    forest: &str,
    permutations: u32,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyDataFrame> {
    let (df, forest) = (frame(columns)?, forest_spec(algorithm, options, forest, threads)?);
    let mut spec = CorrectedSpec::new(forest).permutations(permutations);
    told(py, progress, |monitor| {
        spec.forest.tree.monitor = Some(monitor);
        gaintree::corrected_importance(&df, target, &spec)
    })
    .and_then(carried)
}

#[pyfunction]
#[allow(clippy::too_many_arguments)] // as they come from Python
pub fn boruta(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    algorithm: &str,
    options: &str,
    forest: &str,
    runs: u32,
    alpha: f64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyDataFrame> {
    let (df, forest) = (frame(columns)?, forest_spec(algorithm, options, forest, threads)?);
    let mut spec = BorutaSpec::new(forest).runs(runs).alpha(alpha);
    told(py, progress, |monitor| {
        spec.forest.tree.monitor = Some(monitor);
        gaintree::boruta(&df, target, &spec)
    })
    .and_then(carried)
}

#[pyfunction]
#[allow(clippy::too_many_arguments)] // as they come from Python
pub fn cross_validate_pruning(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    algorithm: &str,
    options: &str,
    threads: Option<usize>,
    folds: usize,
    one_standard_error: bool,
    prune_by: &str,
) -> PyResult<CrossValidated> {
    let (df, spec) = (frame(columns)?, tree_spec(algorithm, options, threads)?);
    let cv = cv_spec(folds, one_standard_error, prune_by)?;
    let work = |monitor| gaintree::cross_validate_pruning(&df, target, &spec.monitor(monitor), &cv);
    interruptible(py, work).map(cross_validated)
}
