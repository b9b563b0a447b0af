//! A fitted forest.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::classes::Forest;
use crate::code::{CodeOptions, CodeParts, code_parts, code_spec};
use crate::errors::{exception, internal_error};
use crate::frames::Columns;
use crate::models::{KeptModel, voting};
use crate::run::{detached, threaded};

/// Files of forests.
#[pymethods]
impl Forest {
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<KeptModel> {
        gaintree::Forest::from_json(text).map(KeptModel::from).map_err(exception)
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<KeptModel> {
        gaintree::Forest::load(path).map(KeptModel::from).map_err(exception)
    }
}

/// What a tree has not.
#[pymethods]
impl Forest {
    #[getter]
    fn n_trees(&self) -> usize {
        self.0.n_trees()
    }

    #[getter]
    fn weight(&self) -> Option<&str> {
        self.0.spec().tree.weight.as_deref()
    }

    fn headline(&self) -> String {
        self.0.to_string()
    }

    fn to_onnx<'py>(&self, py: Python<'py>, votes: bool) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || self.0.to_onnx(voting(votes))).map(|model| PyBytes::new(py, &model))
    }

    fn save_onnx(&self, py: Python, path: PathBuf, votes: bool) -> PyResult<()> {
        detached(py, || self.0.save_onnx(path, voting(votes)))
    }

    fn to_code(&self, py: Python, options: CodeOptions, votes: bool) -> PyResult<CodeParts> {
        let spec = code_spec(options)?;
        detached(py, || self.0.to_code(spec, voting(votes))).map(code_parts)
    }

    fn save_code(
        &self,
        py: Python,
        options: CodeOptions,
        votes: bool,
        folder: PathBuf,
    ) -> PyResult<()> {
        let spec = code_spec(options)?;
        detached(py, || self.0.to_code(spec, voting(votes))?.save(folder))
    }

    fn to_code_test(
        &self,
        py: Python,
        options: CodeOptions,
        votes: bool,
        columns: Columns,
    ) -> PyResult<String> {
        let (spec, Columns(rows)) = (code_spec(options)?, columns);
        threaded(py, || self.0.to_code_test(spec, voting(votes), &rows))
    }

    fn tree(&self, number: usize) -> PyResult<KeptModel> {
        let tree = self.0.tree(number);
        tree.map(KeptModel::from).ok_or_else(|| internal_error("the forest has fewer trees"))
    }
}
