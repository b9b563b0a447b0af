//! The verbs as methods of record batches.

use arrow::array::RecordBatch;

use super::{
    BatchFit, BatchForestFit, fit_batches, fit_forest_batches, matrix_of_batches, rank_batches,
    redundant_in_batches, select_batches, woe_batches,
};
use crate::error::Result;
use crate::spec::{ForestSpec, MatrixSpec, RankSpec, SelectSpec, TreeSpec, WoeSpec};

/// gaintree's verbs on the record batches of one table. Each has the errors of its function.
///
/// ```
/// use std::sync::Arc;
/// use arrow::array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray};
/// use gaintree::prelude::*;
///
/// let wind: ArrayRef = Arc::new(Float64Array::from(vec![30.0, 7.5, 12.0, 28.0]));
/// let play: ArrayRef = Arc::new(BooleanArray::from(vec![false, true, true, false]));
/// let batch = RecordBatch::try_from_iter([("wind", wind), ("play", play)])?;
///
/// let ranking = batch.rank_gain("play", &RankSpec::default())?;
/// assert_eq!(ranking.num_rows(), 1);
/// let fit = [batch.slice(0, 1), batch.slice(1, 3)].fit_tree("play", &TreeSpec::cart())?;
/// let scored = fit.tree.score_batch(&batch)?;
/// assert_eq!(scored["prediction"].as_ref(), batch["play"].as_ref());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RecordBatchGain {
    /// See [`rank_batches`].
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<RecordBatch>;
    /// See [`select_batches`].
    fn select_features(&self, target: &str, spec: &SelectSpec) -> Result<RecordBatch>;
    /// See [`woe_batches`].
    fn woe_bins(&self, target: &str, spec: &WoeSpec) -> Result<RecordBatch>;
    /// See [`matrix_of_batches`].
    fn gain_matrix(&self, spec: &MatrixSpec) -> Result<RecordBatch>;
    /// See [`redundant_in_batches`].
    fn redundant_groups(&self, threshold: f64, spec: &MatrixSpec) -> Result<RecordBatch>;
    /// See [`fit_batches`].
    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<BatchFit>;
    /// See [`fit_forest_batches`].
    fn fit_forest(&self, target: &str, spec: &ForestSpec) -> Result<BatchForestFit>;
}

impl RecordBatchGain for [RecordBatch] {
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<RecordBatch> {
        rank_batches(self, target, spec)
    }

    fn select_features(&self, target: &str, spec: &SelectSpec) -> Result<RecordBatch> {
        select_batches(self, target, spec)
    }

    fn woe_bins(&self, target: &str, spec: &WoeSpec) -> Result<RecordBatch> {
        woe_batches(self, target, spec)
    }

    fn gain_matrix(&self, spec: &MatrixSpec) -> Result<RecordBatch> {
        matrix_of_batches(self, spec)
    }

    fn redundant_groups(&self, threshold: f64, spec: &MatrixSpec) -> Result<RecordBatch> {
        redundant_in_batches(self, threshold, spec)
    }

    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<BatchFit> {
        fit_batches(self, target, spec)
    }

    fn fit_forest(&self, target: &str, spec: &ForestSpec) -> Result<BatchForestFit> {
        fit_forest_batches(self, target, spec)
    }
}

impl RecordBatchGain for RecordBatch {
    fn rank_gain(&self, target: &str, spec: &RankSpec) -> Result<RecordBatch> {
        rank_batches(std::slice::from_ref(self), target, spec)
    }

    fn select_features(&self, target: &str, spec: &SelectSpec) -> Result<RecordBatch> {
        select_batches(std::slice::from_ref(self), target, spec)
    }

    fn woe_bins(&self, target: &str, spec: &WoeSpec) -> Result<RecordBatch> {
        woe_batches(std::slice::from_ref(self), target, spec)
    }

    fn gain_matrix(&self, spec: &MatrixSpec) -> Result<RecordBatch> {
        matrix_of_batches(std::slice::from_ref(self), spec)
    }

    fn redundant_groups(&self, threshold: f64, spec: &MatrixSpec) -> Result<RecordBatch> {
        redundant_in_batches(std::slice::from_ref(self), threshold, spec)
    }

    fn fit_tree(&self, target: &str, spec: &TreeSpec) -> Result<BatchFit> {
        fit_batches(std::slice::from_ref(self), target, spec)
    }

    fn fit_forest(&self, target: &str, spec: &ForestSpec) -> Result<BatchForestFit> {
        fit_forest_batches(std::slice::from_ref(self), target, spec)
    }
}
