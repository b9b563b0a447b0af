//! What trees and forests have alike.

use std::path::PathBuf;

use arrow_array::RecordBatch;
use gaintree::{ChunkedColumns, ModelAnswers, RowAnswer};
use pyo3::prelude::*;

use crate::asked::{Asked, run};
use crate::capsules::{Table, TableColumn, check_known};
use crate::classes::Model;
use crate::errors::{exception, internal_error};
use crate::frames;
use crate::models::{KeptModel, keep, voting};
use crate::run::detached;
use crate::verbs;

/// Files of either kind.
#[pymethods]
impl Model {
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<KeptModel> {
        gaintree::Model::from_json(text).map(KeptModel::from).map_err(exception)
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<KeptModel> {
        gaintree::Model::load(path).map(KeptModel::from).map_err(exception)
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

    fn importance(&self) -> PyResult<Table> {
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
    ///
    /// # Errors
    /// A model whose predictions are of a dtype that this Polars lacks.
    fn keep(&self, py: Python, hash: &str) -> PyResult<()> {
        let none: RecordBatch =
            self.0.model().answers_of_no_rows(RowAnswer::Prediction).map_err(exception)?;
        check_known(py, none.schema_ref())?;
        keep(hash, self.0.clone());
        Ok(())
    }
}

/// Rows.
#[pymethods]
impl Model {
    /// The answer of a verb of models.
    fn call(&self, py: Python, verb: &str, asked: Asked) -> PyResult<Py<PyAny>> {
        let is_short = verbs::SHORT.contains(&verb);
        run(py, asked, is_short, |it| verbs::of_model(&self.0, verb, it))
    }

    /// The answer of a model without rules, a Series of one row.
    fn answer_of_no_rule(&self, answer: &str, votes: bool) -> PyResult<TableColumn> {
        let answer = match answer {
            "predict" => RowAnswer::Prediction,
            "predict_proba" => RowAnswer::Probabilities,
            "leaf_id" => RowAnswer::LeafId,
            other => return Err(internal_error(&format!("no answer is called `{other}`"))),
        };
        let row = ChunkedColumns::new(Vec::new(), 1).map_err(exception)?;
        frames::table(self.0.model().answers_of(&row, answer, voting(votes))).map(TableColumn)
    }
}
