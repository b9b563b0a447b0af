//! A fitted tree.

use std::path::PathBuf;
use std::sync::Arc;

use gaintree::{
    Dialect, Direction, ModelPictures, PolarsScoring, Pruning, ReportSpec, RowAnswer, SqlSpec,
    TreePicture, pruning_note,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::code::{CodeOptions, CodeParts, code_parts, code_spec};
use crate::errors::{exception, spec_error};
use crate::frames::{carried, frame, table};
use crate::model::Model;
use crate::models::KeptModel;
use crate::run::{detached, interruptible, threaded, told};
use crate::specs::{cv_spec, drift_spec, prune_by_of};

#[pyclass(frozen, eq, extends = Model, module = "gaintree._gaintree")]
#[derive(PartialEq)]
pub struct Tree(Arc<gaintree::Tree>);

/// A tree on its way to Python.
pub struct NewTree(Arc<gaintree::Tree>);

impl<'py> IntoPyObject<'py> for NewTree {
    type Target = Tree;
    type Output = Bound<'py, Tree>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        let model = Model(KeptModel::Tree(Arc::clone(&self.0)));
        Bound::new(py, PyClassInitializer::from(model).add_subclass(Tree(self.0)))
    }
}

impl From<gaintree::Tree> for NewTree {
    fn from(tree: gaintree::Tree) -> Self {
        NewTree(Arc::new(tree))
    }
}

impl Tree {
    /// The tree, for another thread.
    pub fn shared(&self) -> Arc<gaintree::Tree> {
        self.0.clone()
    }

    fn from_result(tree: gaintree::Result<gaintree::Tree>) -> PyResult<NewTree> {
        tree.map(NewTree::from).map_err(exception)
    }
}

/// A pruned tree, what cross-validation saw, and notes.
pub type CrossValidated = (NewTree, PyDataFrame, Vec<String>);

pub fn cross_validated(pruning: gaintree::PruningCv) -> CrossValidated {
    (NewTree::from(pruning.tree), PyDataFrame(pruning.cv), pruning.notes)
}

/// Files of trees.
#[pymethods]
impl Tree {
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<NewTree> {
        Tree::from_result(gaintree::Tree::from_json(text))
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<NewTree> {
        Tree::from_result(gaintree::Tree::load(path))
    }
}

/// The prediction, a Series of one row; its probability, or mean; the leaf; whether the row is in
/// others too; its path; what would change the answer; and all of it as text.
type Explained = (PySeries, Option<f64>, Option<f64>, u32, bool, PyDataFrame, PyDataFrame, String);

/// What the tree is.
#[pymethods]
impl Tree {
    #[getter]
    fn weight(&self) -> Option<&str> {
        self.0.spec().weight.as_deref()
    }

    fn headline(&self) -> String {
        self.0.headline()
    }

    fn to_text(&self, max_depth: u32, event: Option<&str>) -> PyResult<String> {
        self.0.to_text_about(max_depth, event).map_err(exception)
    }

    fn nodes(&self) -> PyResult<PyDataFrame> {
        table(self.0.nodes())
    }

    fn rules(&self) -> PyResult<PyDataFrame> {
        table(self.0.rules())
    }
}

/// Exports.
#[pymethods]
impl Tree {
    fn to_sql(&self, dialect: &str) -> PyResult<String> {
        self.0.to_sql(dialect.parse::<Dialect>().map_err(exception)?).map_err(exception)
    }

    fn to_sql_probabilities(&self, dialect: &str) -> PyResult<Vec<String>> {
        self.0
            .to_sql_probabilities(dialect.parse::<Dialect>().map_err(exception)?)
            .map_err(exception)
    }

    fn to_sql_leaf_id(&self, dialect: &str) -> PyResult<String> {
        self.0.to_sql_leaf_id(dialect.parse::<Dialect>().map_err(exception)?).map_err(exception)
    }

    fn to_sql_select(&self, dialect: &str, probability: bool, leaf: bool) -> PyResult<String> {
        let spec = SqlSpec::new(dialect.parse::<Dialect>().map_err(exception)?);
        self.0.to_sql_select(spec.probability(probability).leaf(leaf)).map_err(exception)
    }

    fn to_onnx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || self.0.to_onnx()).map(|model| PyBytes::new(py, &model))
    }

    fn save_onnx(&self, py: Python, path: PathBuf) -> PyResult<()> {
        detached(py, || self.0.save_onnx(path))
    }

    fn to_code(&self, py: Python, options: CodeOptions) -> PyResult<CodeParts> {
        let spec = code_spec(options)?;
        detached(py, || self.0.to_code(spec)).map(code_parts)
    }

    fn save_code(&self, py: Python, options: CodeOptions, folder: PathBuf) -> PyResult<()> {
        let spec = code_spec(options)?;
        detached(py, || self.0.to_code(spec)?.save(folder))
    }

    fn to_code_test(
        &self,
        py: Python,
        options: CodeOptions,
        columns: Vec<PySeries>,
    ) -> PyResult<String> {
        let (spec, df) = (code_spec(options)?, frame(columns)?);
        threaded(py, || self.0.to_code_test(spec, &df))
    }

    fn to_dot(&self, max_depth: u32) -> String {
        self.0.to_dot(max_depth)
    }

    fn to_svg(&self, options: PictureOptions) -> PyResult<String> {
        self.0.to_svg(&picture(options)?).map_err(exception)
    }

    fn to_html(&self, options: PictureOptions) -> PyResult<String> {
        self.0.to_html(&picture(options)?).map_err(exception)
    }
}

/// A picture's greatest depth, most leaves, direction and event, and whether it is compact.
type PictureOptions = (Option<u32>, Option<usize>, Option<String>, Option<String>, bool);

fn picture(options: PictureOptions) -> PyResult<TreePicture> {
    let (max_depth, max_leaves, direction, event, compact) = options;
    let mut options = TreePicture::default().compact(compact);
    options.max_depth = max_depth;
    options.max_leaves = max_leaves;
    options.event = event;
    options.direction = match direction.as_deref() {
        None => None,
        Some("down") => Some(Direction::Down),
        Some("right") => Some(Direction::Right),
        Some(other) => {
            return Err(spec_error(&format!("direction `{other}` is not down or right")));
        }
    };
    Ok(options)
}

/// Rows.
#[pymethods]
impl Tree {
    fn candidates(&self, py: Python, columns: Vec<PySeries>, node: u32) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        interruptible(py, |_| self.0.candidates(&df, node)).and_then(carried)
    }

    fn explain_row(&self, py: Python, columns: Vec<PySeries>, row: usize) -> PyResult<Explained> {
        let df = frame(columns)?;
        let (why, answer) = threaded(py, || {
            let why = self.0.explain_row(&df, row)?;
            let answer = self.0.answer(&df.slice(row as i64, 1), RowAnswer::Prediction)?;
            Ok((why, answer.take_materialized_series()))
        })?;
        let text = why.to_string();
        let (path, changes) = (PyDataFrame(why.path), PyDataFrame(why.changes));
        let (probability, mean) = (why.probability, why.mean);
        let (leaf, in_parts) = (why.leaf_id, why.in_parts);
        Ok((PySeries(answer), probability, mean, leaf, in_parts, path, changes, text))
    }

    fn drift_from_training(
        &self,
        py: Python,
        current: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let (current, spec) = (frame(current)?, drift_spec(options, threads)?);
        interruptible(py, |monitor| self.0.drift_from_training(&current, &spec.monitor(monitor)))
            .and_then(carried)
    }

    #[allow(clippy::too_many_arguments)] // as they come from Python
    fn report(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        about: (Option<String>, Option<usize>, Option<String>),
        others: (Option<Vec<PySeries>>, Option<Vec<PySeries>>),
        against: Option<PyRef<Tree>>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let df = frame(columns)?;
        let mut spec = ReportSpec::default();
        let (beside, reference) = others;
        if let Some(rows) = beside {
            spec = spec.beside(frame(rows)?, "the other rows");
        }
        if let Some(rows) = reference {
            spec = spec.reference(frame(rows)?, "the reference");
        }
        if let Some(tree) = against {
            spec = spec.against((*tree.0).clone(), "the other tree");
        }
        (spec.event, spec.row, spec.source) = about;
        spec.threads = threads;
        told(py, progress, |monitor| self.0.report_with(&df, &spec.monitor(monitor)))
    }
}

/// Prunings.
#[pymethods]
impl Tree {
    fn prune_cost_complexity(&self, alpha: f64) -> PyResult<NewTree> {
        Tree::from_result(self.0.prune_cost_complexity(alpha))
    }

    fn prune_to_leaves(&self, n: u32) -> PyResult<NewTree> {
        Tree::from_result(self.0.prune_to_leaves(n))
    }

    fn prune_pessimistic(&self, confidence: f64) -> PyResult<NewTree> {
        Tree::from_result(self.0.prune(Pruning::Pessimistic { confidence }))
    }

    /// The tree, and a note on it.
    fn prune_reduced_error(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        prune_by: &str,
    ) -> PyResult<(NewTree, Option<String>)> {
        let (df, by) = (frame(columns)?, prune_by_of(prune_by)?);
        let pruned = threaded(py, || self.0.prune_reduced_error(&df, by))?;
        let note = pruning_note(&self.0, &pruned, by);
        Ok((NewTree::from(pruned), note))
    }

    fn prune_cross_validated(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        folds: usize,
        one_standard_error: bool,
        prune_by: &str,
    ) -> PyResult<CrossValidated> {
        let df = frame(columns)?;
        let cv = cv_spec(folds, one_standard_error, prune_by)?;
        interruptible(py, |_| self.0.prune_cross_validated(&df, &cv)).map(cross_validated)
    }

    fn cost_complexity_path(&self) -> PyResult<PyDataFrame> {
        table(self.0.cost_complexity_path())
    }
}
