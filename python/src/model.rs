//! What trees and forests have alike.

use std::path::PathBuf;

use gaintree::{
    ModelPictures, ModelVerbs, Monitor, PermutationSpec, PolarsScoring, RowAnswer, ScoreSpec,
};
use polars::prelude::DataFrame;
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::errors::{exception, internal_error, polars_exception};
use crate::forest::NewForest;
use crate::frames::{self, carried, frame};
use crate::models::{KeptModel, keep, voting};
use crate::run::{detached, interruptible, threaded, told};
use crate::specs;
use crate::tree::NewTree;

/// What trees and forests have alike; it also reads files that hold either kind.
#[pyclass(frozen, subclass, module = "gaintree._gaintree")]
pub struct Model(pub KeptModel);

/// Files of either kind.
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
        gaintree::Model::Tree(tree) => {
            Ok(NewTree::from(tree).into_pyobject(py)?.into_any().unbind())
        }
        gaintree::Model::Forest(forest) => {
            Ok(NewForest::from(forest).into_pyobject(py)?.into_any().unbind())
        }
    }
}

/// What the model is.
#[pymethods]
impl Model {
    #[getter]
    fn n_nodes(&self) -> usize {
        self.0.of(|tree| tree.n_nodes(), |forest| forest.n_nodes())
    }

    #[getter]
    fn n_leaves(&self) -> usize {
        self.0.of(|tree| tree.n_leaves(), |forest| forest.n_leaves())
    }

    #[getter]
    fn depth(&self) -> u32 {
        self.0.of(|tree| tree.depth(), |forest| forest.depth())
    }

    #[getter]
    fn is_regression(&self) -> bool {
        self.0.schema().classes.is_empty()
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
        let used = self.0.of(|tree| tree.used_features(), |forest| forest.used_features());
        used.into_iter().map(|feature| features[feature as usize].name.as_str()).collect()
    }

    /// The spec as JSON.
    fn spec(&self) -> PyResult<String> {
        self.0
            .of(|tree| serde_json::to_string(tree.spec()), |f| serde_json::to_string(f.spec()))
            .map_err(|e| internal_error(&e.to_string()))
    }

    fn importance(&self) -> PyResult<PyDataFrame> {
        frames::table(self.0.of(|tree| tree.importance(), |forest| forest.importance()))
    }
}

/// Model files.
#[pymethods]
impl Model {
    fn to_json(&self) -> String {
        self.0.of(|tree| tree.to_json(), |forest| forest.to_json())
    }

    fn save(&self, py: Python, path: PathBuf) -> PyResult<()> {
        detached(py, || self.0.of(|tree| tree.save(&path), |forest| forest.save(&path)))
    }

    /// Makes the model known to expressions, so that they need not parse it.
    fn keep(&self, hash: &str) {
        keep(hash, self.0.clone());
    }
}

/// Rows.
#[pymethods]
impl Model {
    /// The added columns alone.
    #[allow(clippy::too_many_arguments)] // as they come from Python
    fn score(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        probability: bool,
        leaf: bool,
        votes: bool,
        prefix: String,
        threads: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        let spec = ScoreSpec::default().probability(probability).leaf(leaf);
        let mut spec = spec.votes(votes).prefix(prefix).keep(Vec::<String>::new());
        spec.threads = threads;
        threaded(py, || self.0.model().score_with(&df, &spec)).and_then(carried)
    }

    /// The inputs of the model as ONNX, column by column.
    fn onnx_inputs(&self, py: Python, columns: Vec<PySeries>) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        threaded(py, || self.0.of(|tree| tree.onnx_inputs(&df), |forest| forest.onnx_inputs(&df)))
            .and_then(carried)
    }

    /// The answer of a model without rules, a Series of one row.
    fn answer_of_no_rule(&self, answer: &str, votes: bool) -> PyResult<PySeries> {
        let answer = match answer {
            "predict" => RowAnswer::Prediction,
            "predict_proba" => RowAnswer::Probabilities,
            "leaf_id" => RowAnswer::LeafId,
            other => return Err(internal_error(&format!("no answer is called `{other}`"))),
        };
        let row = DataFrame::new(1, Vec::new()).map_err(polars_exception)?;
        let column = self.0.model().answer_by(&row, answer, voting(votes)).map_err(exception)?;
        Ok(PySeries(column.take_materialized_series()))
    }

    fn evaluate(&self, py: Python, columns: Vec<PySeries>, options: &str) -> PyResult<PyDataFrame> {
        let spec = specs::eval_spec(options);
        table(py, columns, spec, |df, spec, monitor| {
            self.0.model().evaluation_with(df, &spec.monitor(monitor))?.to_frame()
        })
    }

    fn intervals(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
    ) -> PyResult<PyDataFrame> {
        let spec = specs::eval_spec(options);
        table(py, columns, spec, |df, spec, monitor| {
            self.0.model().intervals(df, &spec.monitor(monitor))
        })
    }

    fn by_class(&self, py: Python, columns: Vec<PySeries>) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        threaded(py, || self.0.model().by_class(&df)).and_then(carried)
    }

    fn calibration(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
    ) -> PyResult<PyDataFrame> {
        let spec = specs::eval_spec(options);
        table(py, columns, spec, |df, spec, monitor| {
            self.0.model().calibration(df, &spec.monitor(monitor))
        })
    }

    fn thresholds(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
    ) -> PyResult<PyDataFrame> {
        let spec = specs::eval_spec(options);
        table(py, columns, spec, |df, spec, monitor| {
            self.0.model().thresholds(df, &spec.monitor(monitor))
        })
    }

    fn permutation_importance(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<NotedImportance> {
        let spec = specs::permutation_spec(options, threads);
        noted_importance(py, columns, spec, progress, |df, spec| {
            self.0.model().permutation_importance_with_note(df, spec)
        })
    }

    fn confusion(&self, py: Python, columns: Vec<PySeries>) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        threaded(py, || self.0.model().confusion(&df)).and_then(carried)
    }

    fn drift(
        &self,
        py: Python,
        reference: Vec<PySeries>,
        current: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let (reference, current) = (frame(reference)?, frame(current)?);
        let spec = specs::drift_spec(options, threads)?;
        interruptible(py, |monitor| {
            self.0.model().drift(&reference, &current, &spec.monitor(monitor))
        })
        .and_then(carried)
    }

    fn contributions(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyDataFrame> {
        let spec = specs::contribution_spec(options, threads);
        told_table(py, columns, spec, progress, |df, spec, monitor| {
            self.0.model().contributions_with(df, &spec.monitor(monitor))
        })
    }

    fn contribution_importance(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyDataFrame> {
        let spec = specs::contribution_spec(options, threads);
        told_table(py, columns, spec, progress, |df, spec, monitor| {
            self.0.model().contribution_importance(df, &spec.monitor(monitor))
        })
    }

    fn interactions(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyDataFrame> {
        let spec = specs::contribution_spec(options, threads);
        told_table(py, columns, spec, progress, |df, spec, monitor| {
            self.0.model().interactions(df, &spec.monitor(monitor))
        })
    }

    fn waterfall(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        row: usize,
        options: &str,
        threads: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let spec = specs::contribution_spec(options, threads);
        table(py, columns, spec, |df, spec, monitor| {
            self.0.model().waterfall(df, row, &spec.monitor(monitor))
        })
    }

    fn waterfall_svg(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        row: usize,
        options: &str,
        threads: Option<usize>,
    ) -> PyResult<String> {
        let spec = specs::contribution_spec(options, threads);
        of_rows(py, columns, spec, None, |df, spec, monitor| {
            self.0.model().waterfall_svg(df, row, &spec.monitor(monitor))
        })
    }

    fn contributions_svg(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let spec = specs::contribution_spec(options, threads);
        of_rows(py, columns, spec, progress, |df, spec, monitor| {
            self.0.model().contributions_svg(df, &spec.monitor(monitor))
        })
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
