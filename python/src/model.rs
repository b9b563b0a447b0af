//! What trees and forests have alike.

use std::path::PathBuf;

use gaintree::{Monitor, PermutationSpec, RowAnswer};
use polars::prelude::DataFrame;
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::errors::{exception, internal_error, polars_exception};
use crate::forest::Forest;
use crate::frames::{carried, frame};
use crate::models::KeptModel;
use crate::run::told;
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
                $crate::run::threaded(py, || self.0.score_with(&df, &spec))
                    .and_then($crate::frames::carried)
            }

            /// The inputs of the model as ONNX, column by column.
            fn onnx_inputs(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let df = $crate::frames::frame(columns)?;
                $crate::run::threaded(py, || self.0.onnx_inputs(&df))
                    .and_then($crate::frames::carried)
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
                let spec = $crate::specs::eval_spec(options);
                $crate::model::table(py, columns, spec, |df, spec, monitor| {
                    self.0.evaluation_with(df, &spec.monitor(monitor))?.to_frame()
                })
            }

            fn intervals(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let spec = $crate::specs::eval_spec(options);
                $crate::model::table(py, columns, spec, |df, spec, monitor| {
                    self.0.intervals(df, &spec.monitor(monitor))
                })
            }

            fn by_class(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let df = $crate::frames::frame(columns)?;
                $crate::run::threaded(py, || self.0.by_class(&df)).and_then($crate::frames::carried)
            }

            fn calibration(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let spec = $crate::specs::eval_spec(options);
                $crate::model::table(py, columns, spec, |df, spec, monitor| {
                    self.0.calibration(df, &spec.monitor(monitor))
                })
            }

            fn thresholds(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let spec = $crate::specs::eval_spec(options);
                $crate::model::table(py, columns, spec, |df, spec, monitor| {
                    self.0.thresholds(df, &spec.monitor(monitor))
                })
            }

            fn permutation_importance(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
                progress: Option<pyo3::Py<pyo3::PyAny>>,
            ) -> pyo3::PyResult<$crate::model::NotedImportance> {
                let spec = $crate::specs::permutation_spec(options, threads);
                $crate::model::noted_importance(py, columns, spec, progress, |df, spec| {
                    self.0.permutation_importance_with_note(df, spec)
                })
            }

            fn confusion(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let df = $crate::frames::frame(columns)?;
                $crate::run::threaded(py, || self.0.confusion(&df))
                    .and_then($crate::frames::carried)
            }

            fn contributions(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
                progress: Option<pyo3::Py<pyo3::PyAny>>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let spec = $crate::specs::contribution_spec(options, threads);
                $crate::model::told_table(py, columns, spec, progress, |df, spec, monitor| {
                    self.0.contributions_with(df, &spec.monitor(monitor))
                })
            }

            fn contribution_importance(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
                progress: Option<pyo3::Py<pyo3::PyAny>>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let spec = $crate::specs::contribution_spec(options, threads);
                $crate::model::told_table(py, columns, spec, progress, |df, spec, monitor| {
                    self.0.contribution_importance(df, &spec.monitor(monitor))
                })
            }

            fn interactions(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
                progress: Option<pyo3::Py<pyo3::PyAny>>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let spec = $crate::specs::contribution_spec(options, threads);
                $crate::model::told_table(py, columns, spec, progress, |df, spec, monitor| {
                    self.0.interactions(df, &spec.monitor(monitor))
                })
            }

            fn waterfall(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                row: usize,
                options: &str,
                threads: Option<usize>,
            ) -> pyo3::PyResult<pyo3_polars::PyDataFrame> {
                let spec = $crate::specs::contribution_spec(options, threads);
                $crate::model::table(py, columns, spec, |df, spec, monitor| {
                    self.0.waterfall(df, row, &spec.monitor(monitor))
                })
            }

            fn waterfall_svg(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                row: usize,
                options: &str,
                threads: Option<usize>,
            ) -> pyo3::PyResult<String> {
                let spec = $crate::specs::contribution_spec(options, threads);
                $crate::model::of_rows(py, columns, spec, None, |df, spec, monitor| {
                    self.0.waterfall_svg(df, row, &spec.monitor(monitor))
                })
            }

            fn contributions_svg(
                &self,
                py: pyo3::Python,
                columns: Vec<pyo3_polars::PySeries>,
                options: &str,
                threads: Option<usize>,
                progress: Option<pyo3::Py<pyo3::PyAny>>,
            ) -> pyo3::PyResult<String> {
                let spec = $crate::specs::contribution_spec(options, threads);
                $crate::model::of_rows(py, columns, spec, progress, |df, spec, monitor| {
                    self.0.contributions_svg(df, &spec.monitor(monitor))
                })
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

/// What a verb makes of rows, by a spec. The monitor, which goes into the spec, ends the work when
/// Python gets a signal; `progress` is as for [`told`].
pub fn of_rows<S: Send, T: Send>(
    py: Python,
    columns: Vec<PySeries>,
    spec: PyResult<S>,
    progress: Option<Py<PyAny>>,
    verb: impl FnOnce(&DataFrame, S, Monitor) -> gaintree::Result<T> + Send,
) -> PyResult<T> {
    let (df, spec) = (frame(columns)?, spec?);
    told(py, progress, |monitor| verb(&df, spec, monitor))
}

/// The table that a verb makes of rows: see [`of_rows`].
pub fn told_table<S: Send>(
    py: Python,
    columns: Vec<PySeries>,
    spec: PyResult<S>,
    progress: Option<Py<PyAny>>,
    verb: impl FnOnce(&DataFrame, S, Monitor) -> gaintree::Result<DataFrame> + Send,
) -> PyResult<PyDataFrame> {
    of_rows(py, columns, spec, progress, verb).and_then(carried)
}

/// [`told_table`], and nobody hears of its progress.
pub fn table<S: Send>(
    py: Python,
    columns: Vec<PySeries>,
    spec: PyResult<S>,
    verb: impl FnOnce(&DataFrame, S, Monitor) -> gaintree::Result<DataFrame> + Send,
) -> PyResult<PyDataFrame> {
    told_table(py, columns, spec, None, verb)
}

/// Permutation importances, and what to know of them.
pub type NotedImportance = (PyDataFrame, Option<String>);

/// The permutation importances that a verb makes of rows.
pub fn noted_importance(
    py: Python,
    columns: Vec<PySeries>,
    spec: PyResult<PermutationSpec>,
    progress: Option<Py<PyAny>>,
    verb: impl FnOnce(&DataFrame, &PermutationSpec) -> gaintree::Result<(DataFrame, Option<String>)>
    + Send,
) -> PyResult<NotedImportance> {
    let (table, note) =
        of_rows(py, columns, spec, progress, |df, spec, monitor| verb(df, &spec.monitor(monitor)))?;
    Ok((carried(table)?, note))
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
