//! What trees and forests have alike.

use std::path::PathBuf;

use gaintree::{ContributionSpec, EvalSpec, PermutationSpec, RowAnswer};
use polars::prelude::DataFrame;
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::errors::{exception, internal_error, polars_exception};
use crate::forest::Forest;
use crate::frames::frame;
use crate::models::KeptModel;
use crate::run::interruptible;
use crate::specs::{contribution_spec, eval_spec, permutation_spec};
use crate::tree::Tree;

/// The methods of the class of a model, which holds an `Arc` of it.
macro_rules! model_methods {
    ($class:ident, $model:ident) => {
        /// What the model is.
        #[pymethods]
        impl $class {
            #[getter]
            fn n_nodes(&self) -> usize {
                self.0.n_nodes()
            }

            #[getter]
            fn n_leaves(&self) -> usize {
                self.0.n_leaves()
            }

            #[getter]
            fn depth(&self) -> u32 {
                self.0.depth()
            }

            #[getter]
            fn is_regression(&self) -> bool {
                self.0.is_regression()
            }

            #[getter]
            fn target(&self) -> &str {
                &self.0.schema().target
            }

            /// The classes as text, in the target's order; none where the target is a number.
            #[getter]
            fn classes(&self) -> Vec<String> {
                let schema = self.0.schema();
                (0..schema.classes.len()).map(|class| schema.class_text(class)).collect()
            }

            #[getter]
            fn features(&self) -> Vec<&str> {
                self.0.schema().features.iter().map(|feature| feature.name.as_str()).collect()
            }

            #[getter]
            fn used_features(&self) -> Vec<&str> {
                let features = &self.0.schema().features;
                self.0.used_features().iter().map(|&f| features[f as usize].name.as_str()).collect()
            }

            /// The spec as JSON.
            fn spec(&self) -> pyo3::PyResult<String> {
                serde_json::to_string(self.0.spec())
                    .map_err(|e| $crate::errors::internal_error(&e.to_string()))
            }

            fn importance(&self) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                $crate::frames::table(self.0.importance())
            }
        }

        /// Model files.
        #[pymethods]
        impl $class {
            #[staticmethod]
            fn from_json(text: &str) -> pyo3::PyResult<$class> {
                $class::from_result(gaintree::$model::from_json(text))
            }

            fn to_json(&self) -> String {
                self.0.to_json()
            }

            #[staticmethod]
            fn load(path: std::path::PathBuf) -> pyo3::PyResult<$class> {
                $class::from_result(gaintree::$model::load(path))
            }

            fn save(&self, py: pyo3::Python, path: std::path::PathBuf) -> pyo3::PyResult<()> {
                $crate::run::detached(py, || self.0.save(path))
            }

            /// Makes the model known to expressions, so that they need not parse it.
            fn keep(&self, hash: &str) {
                let model = std::sync::Arc::clone(&self.0);
                $crate::models::keep(hash, $crate::models::KeptModel::$model(model));
            }
        }

        /// Rows.
        #[pymethods]
        impl $class {
            /// The added columns alone.
            #[allow(clippy::too_many_arguments)] // as they come from Python
            fn score(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                probability: bool,
                leaf: bool,
                votes: bool,
                prefix: String,
                threads: Option<usize>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let df = $crate::frames::frame(columns)?;
                let spec = gaintree::ScoreSpec::default().probability(probability).leaf(leaf);
                let mut spec = spec.votes(votes).prefix(prefix).keep(Vec::<String>::new());
                spec.threads = threads;
                $crate::run::detached(py, || self.0.score_with(&df, &spec))
                    .map(pyo3_polars::PyDataFrame)
            }

            /// The answer of a model without rules, a Series of one row.
            fn answer_of_no_rule(
                &self,
                answer: &str,
                votes: bool,
            ) -> pyo3::PyResult<pyo3_polars::PySeries> {
                let model = $crate::models::KeptModel::$model(std::sync::Arc::clone(&self.0));
                $crate::model::answer_of_no_rule(&model, answer, votes)
            }

            fn evaluate(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let judge = |df: &_, spec: &_| self.0.evaluation_with(df, spec)?.to_frame();
                $crate::model::judge(py, columns, options, judge)
            }

            fn intervals(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                $crate::model::judge(py, columns, options, |df, spec| self.0.intervals(df, spec))
            }

            fn by_class(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let df = $crate::frames::frame(columns)?;
                $crate::run::detached(py, || self.0.by_class(&df)).map(pyo3_polars::PyDataFrame)
            }

            fn calibration(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                $crate::model::judge(py, columns, options, |df, spec| self.0.calibration(df, spec))
            }

            fn thresholds(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                $crate::model::judge(py, columns, options, |df, spec| self.0.thresholds(df, spec))
            }

            fn permutation_importance(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let importance = |df: &_, spec: &_| self.0.permutation_importance(df, spec);
                $crate::model::permute(py, columns, options, threads, importance)
            }

            fn confusion(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let df = $crate::frames::frame(columns)?;
                $crate::run::detached(py, || self.0.confusion(&df)).map(pyo3_polars::PyDataFrame)
            }

            fn contributions(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let verb = |df: &_, spec: &_| self.0.contributions_with(df, spec);
                $crate::model::explain(py, columns, options, threads, verb)
            }

            fn contribution_importance(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let verb = |df: &_, spec: &_| self.0.contribution_importance(df, spec);
                $crate::model::explain(py, columns, options, threads, verb)
            }

            fn interactions(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let verb = |df: &_, spec: &_| self.0.interactions(df, spec);
                $crate::model::explain(py, columns, options, threads, verb)
            }
        }
    };
}
pub(crate) use model_methods;

/// A reader of files that hold either kind.
#[pyclass(frozen, module = "gaintree._gaintree")]
pub struct Model;

#[pymethods]
impl Model {
    #[staticmethod]
    fn from_json(py: Python, text: &str) -> PyResult<Py<PyAny>> {
        of_either_kind(py, gaintree::Model::from_json(text))
    }

    #[staticmethod]
    fn load(py: Python, path: PathBuf) -> PyResult<Py<PyAny>> {
        of_either_kind(py, gaintree::Model::load(path))
    }
}

fn of_either_kind(py: Python, model: gaintree::Result<gaintree::Model>) -> PyResult<Py<PyAny>> {
    match model.map_err(exception)? {
        gaintree::Model::Tree(tree) => Ok(Py::new(py, Tree::new(tree))?.into_any()),
        gaintree::Model::Forest(forest) => Ok(Py::new(py, Forest::new(forest))?.into_any()),
    }
}

/// What a verb that takes a spec of judging gives for rows.
pub fn judge(
    py: Python,
    columns: Vec<PySeries>,
    options: &str,
    verb: impl FnOnce(&DataFrame, &EvalSpec) -> gaintree::Result<DataFrame> + Send,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, eval_spec(options)?);
    interruptible(py, |interrupt| verb(&df, &spec.interrupt(interrupt))).map(PyDataFrame)
}

/// What a verb that takes a spec of permutations gives for rows.
pub fn permute(
    py: Python,
    columns: Vec<PySeries>,
    options: &str,
    threads: Option<usize>,
    verb: impl FnOnce(&DataFrame, &PermutationSpec) -> gaintree::Result<DataFrame> + Send,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, permutation_spec(options, threads)?);
    interruptible(py, |interrupt| verb(&df, &spec.interrupt(interrupt))).map(PyDataFrame)
}

/// What a verb that takes a spec of contributions gives for rows.
pub fn explain(
    py: Python,
    columns: Vec<PySeries>,
    options: &str,
    threads: Option<usize>,
    verb: impl FnOnce(&DataFrame, &ContributionSpec) -> gaintree::Result<DataFrame> + Send,
) -> PyResult<PyDataFrame> {
    let (df, spec) = (frame(columns)?, contribution_spec(options, threads)?);
    interruptible(py, |interrupt| verb(&df, &spec.interrupt(interrupt))).map(PyDataFrame)
}

/// The answer of a model without rules, a Series of one row.
pub fn answer_of_no_rule(model: &KeptModel, answer: &str, votes: bool) -> PyResult<PySeries> {
    let answer = match answer {
        "predict" => RowAnswer::Prediction,
        "predict_proba" => RowAnswer::Probabilities,
        "leaf_id" => RowAnswer::LeafId,
        other => return Err(internal_error(&format!("no answer is called `{other}`"))),
    };
    let row = DataFrame::new(1, Vec::new()).map_err(polars_exception)?;
    let column = model.answer(&row, answer, votes).map_err(exception)?;
    Ok(PySeries(column.take_materialized_series()))
}
