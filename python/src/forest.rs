//! A fitted forest.

use std::path::PathBuf;
use std::sync::Arc;

use gaintree::{ModelPictures, OutOfBag, QuantileSpec, ReportSpec};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::code::{CodeOptions, CodeParts, code_parts, code_spec};
use crate::errors::{exception, internal_error};
use crate::frames::{carried, frame};
use crate::model::{Model, NotedImportance, noted_importance, table};
use crate::models::{KeptModel, voting};
use crate::run::{detached, interruptible, threaded, told};
use crate::specs::{eval_spec, permutation_spec};
use crate::tree::NewTree;

#[pyclass(frozen, eq, extends = Model, module = "gaintree._gaintree")]
#[derive(PartialEq)]
pub struct Forest(Arc<gaintree::Forest>);

/// A forest on its way to Python.
pub struct NewForest(Arc<gaintree::Forest>);

impl<'py> IntoPyObject<'py> for NewForest {
    type Target = Forest;
    type Output = Bound<'py, Forest>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, Forest>> {
        let model = Model(KeptModel::Forest(Arc::clone(&self.0)));
        Bound::new(py, PyClassInitializer::from(model).add_subclass(Forest(self.0)))
    }
}

/// Predictions, evaluation, confusion, curve, and the number of rows that were always drawn.
pub type Answers = (PyDataFrame, Option<PyDataFrame>, Option<PyDataFrame>, PyDataFrame, u64);

/// Out-of-bag answers as Python takes them.
pub fn answers(answers: OutOfBag) -> PyResult<Answers> {
    let evaluation = answers.evaluation.map(|evaluation| evaluation.to_frame());
    Ok((
        carried(answers.predictions)?,
        evaluation.transpose().map_err(exception)?.map(PyDataFrame),
        answers.confusion.map(carried).transpose()?,
        PyDataFrame(answers.curve),
        answers.always_drawn,
    ))
}

impl From<gaintree::Forest> for NewForest {
    fn from(forest: gaintree::Forest) -> Self {
        NewForest(Arc::new(forest))
    }
}

impl Forest {
    fn from_result(forest: gaintree::Result<gaintree::Forest>) -> PyResult<NewForest> {
        forest.map(NewForest::from).map_err(exception)
    }
}

/// Files of forests.
#[pymethods]
impl Forest {
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<NewForest> {
        Forest::from_result(gaintree::Forest::from_json(text))
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<NewForest> {
        Forest::from_result(gaintree::Forest::load(path))
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
        columns: Vec<PySeries>,
    ) -> PyResult<String> {
        let (spec, df) = (code_spec(options)?, frame(columns)?);
        threaded(py, || self.0.to_code_test(spec, voting(votes), &df))
    }

    fn out_of_bag(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        votes: bool,
        options: &str,
    ) -> PyResult<Answers> {
        let (df, spec) = (frame(columns)?, eval_spec(options)?);
        let voting = voting(votes);
        let answer = |monitor| self.0.out_of_bag_with(&df, voting, &spec.monitor(monitor));
        answers(interruptible(py, answer)?)
    }

    fn out_of_bag_importance(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<NotedImportance> {
        noted_importance(py, columns, permutation_spec(options, threads), progress, |df, spec| {
            self.0.out_of_bag_importance_with_note(df, spec)
        })
    }

    fn out_of_bag_quantiles(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        quantiles: Vec<f64>,
        threads: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let mut spec = QuantileSpec::new(quantiles);
        spec.threads = threads;
        table(py, columns, Ok(spec), |df, spec, monitor| {
            self.0.out_of_bag_quantiles(df, &spec.monitor(monitor))
        })
    }

    #[allow(clippy::too_many_arguments)] // as they come from Python
    fn report(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        about: (Option<String>, Option<usize>, Option<String>),
        reference: Option<Vec<PySeries>>,
        out_of_bag: bool,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let df = frame(columns)?;
        let mut spec = ReportSpec::default().out_of_bag(out_of_bag);
        if let Some(rows) = reference {
            spec = spec.reference(frame(rows)?, "the reference");
        }
        (spec.event, spec.row, spec.source) = about;
        spec.threads = threads;
        told(py, progress, |monitor| self.0.report_with(&df, &spec.monitor(monitor)))
    }

    fn tree(&self, number: usize) -> PyResult<NewTree> {
        let tree = self.0.tree(number);
        tree.map(NewTree::from).ok_or_else(|| internal_error("the forest has fewer trees"))
    }
}
