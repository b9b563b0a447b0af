//! A fitted tree.

use std::path::PathBuf;
use std::sync::Arc;

use gaintree::{
    Dialect, Direction, EvalSpec, Pruning, ReportSpec, RowAnswer, ScoreSpec, TreePicture,
    pruning_note,
};
use polars::prelude::DataFrame;
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::errors::{exception, internal_error, polars_exception, spec_error};
use crate::frames::{frame, table};
use crate::models;
use crate::run::{detached, interruptible};
use crate::specs::{cv_spec, drift_spec, eval_spec, prune_by_of};

#[pyclass(frozen, eq, module = "gaintree._gaintree")]
#[derive(PartialEq)]
pub struct Tree(Arc<gaintree::Tree>);

impl Tree {
    pub fn new(tree: gaintree::Tree) -> Tree {
        Tree(Arc::new(tree))
    }

    /// The tree, for another thread.
    pub fn shared(&self) -> Arc<gaintree::Tree> {
        self.0.clone()
    }

    /// What a verb that takes a spec of judging gives for these rows.
    fn judge(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
        verb: impl FnOnce(&gaintree::Tree, &DataFrame, &EvalSpec) -> gaintree::Result<DataFrame> + Send,
    ) -> PyResult<PyDataFrame> {
        let (df, spec) = (frame(columns)?, eval_spec(options)?);
        interruptible(py, |interrupt| verb(&self.0, &df, &spec.interrupt(interrupt)))
            .map(PyDataFrame)
    }

    fn from_result(tree: gaintree::Result<gaintree::Tree>) -> PyResult<Tree> {
        tree.map(Tree::new).map_err(exception)
    }
}

/// A pruned tree, what cross-validation saw, and notes.
pub type CrossValidated = (Tree, PyDataFrame, Vec<String>);

pub fn cross_validated(pruning: gaintree::PruningCv) -> CrossValidated {
    (Tree::new(pruning.tree), PyDataFrame(pruning.cv), pruning.notes)
}

/// The prediction, a Series of one row; its probability, or mean; the leaf; whether the row is in
/// others too; its path; what would change the answer; and all of it as text.
type Explained = (PySeries, Option<f64>, Option<f64>, u32, bool, PyDataFrame, PyDataFrame, String);

/// What the tree is.
#[pymethods]
impl Tree {
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
        (0..self.0.schema().classes.len()).map(|class| self.0.schema().class_text(class)).collect()
    }

    #[getter]
    fn weight(&self) -> Option<&str> {
        self.0.spec().weight.as_deref()
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
    fn spec(&self) -> PyResult<String> {
        serde_json::to_string(self.0.spec()).map_err(|e| internal_error(&e.to_string()))
    }

    fn headline(&self) -> String {
        self.0.headline()
    }

    fn to_text(&self, max_depth: u32) -> String {
        self.0.to_text(max_depth)
    }

    fn nodes(&self) -> PyResult<PyDataFrame> {
        table(self.0.nodes())
    }

    fn rules(&self) -> PyResult<PyDataFrame> {
        table(self.0.rules())
    }

    fn importance(&self) -> PyResult<PyDataFrame> {
        table(self.0.importance())
    }
}

/// Model files and exports.
#[pymethods]
impl Tree {
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Tree> {
        Tree::from_result(gaintree::Tree::from_json(text))
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Tree> {
        Tree::from_result(gaintree::Tree::load(path))
    }

    fn save(&self, py: Python, path: PathBuf) -> PyResult<()> {
        detached(py, || self.0.save(path))
    }

    fn to_sql(&self, dialect: &str) -> PyResult<String> {
        self.0.to_sql(dialect.parse::<Dialect>().map_err(exception)?).map_err(exception)
    }

    fn to_sql_probabilities(&self, dialect: &str) -> PyResult<Vec<String>> {
        self.0
            .to_sql_probabilities(dialect.parse::<Dialect>().map_err(exception)?)
            .map_err(exception)
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

    /// Makes the tree known to expressions, so that they need not parse it.
    fn keep(&self, hash: &str) {
        models::keep(hash, Arc::clone(&self.0));
    }
}

/// Of a picture: the greatest depth, the most leaves, the direction, the event, whether it is compact.
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
    /// The added columns alone.
    fn score(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        probability: bool,
        leaf: bool,
        prefix: String,
        threads: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        let spec = ScoreSpec::default().probability(probability).leaf(leaf).prefix(prefix);
        let spec = match threads {
            Some(threads) => spec.threads(threads),
            None => spec,
        };
        let spec = spec.keep(Vec::<String>::new());
        detached(py, || self.0.score_with(&df, &spec)).map(PyDataFrame)
    }

    /// The answer of a tree without rules, a Series of one row.
    fn answer_of_leaf(&self, answer: &str) -> PyResult<PySeries> {
        let answer = match answer {
            "predict" => RowAnswer::Prediction,
            "predict_proba" => RowAnswer::Probabilities,
            "leaf_id" => RowAnswer::LeafId,
            other => return Err(internal_error(&format!("no answer is called `{other}`"))),
        };
        let row = DataFrame::new(1, Vec::new()).map_err(polars_exception)?;
        let column = self.0.answer(&row, answer).map_err(exception)?;
        Ok(PySeries(column.take_materialized_series()))
    }

    fn evaluate(&self, py: Python, columns: Vec<PySeries>, options: &str) -> PyResult<PyDataFrame> {
        self.judge(py, columns, options, |tree, df, spec| {
            tree.evaluation_with(df, spec)?.to_frame()
        })
    }

    fn intervals(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
    ) -> PyResult<PyDataFrame> {
        self.judge(py, columns, options, gaintree::Tree::intervals)
    }

    fn by_class(&self, py: Python, columns: Vec<PySeries>) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        detached(py, || self.0.by_class(&df)).map(PyDataFrame)
    }

    fn calibration(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
    ) -> PyResult<PyDataFrame> {
        self.judge(py, columns, options, gaintree::Tree::calibration)
    }

    fn thresholds(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        options: &str,
    ) -> PyResult<PyDataFrame> {
        self.judge(py, columns, options, gaintree::Tree::thresholds)
    }

    fn confusion(&self, py: Python, columns: Vec<PySeries>) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        detached(py, || self.0.confusion(&df)).map(PyDataFrame)
    }

    fn candidates(&self, py: Python, columns: Vec<PySeries>, node: u32) -> PyResult<PyDataFrame> {
        let df = frame(columns)?;
        interruptible(py, |_| self.0.candidates(&df, node)).map(PyDataFrame)
    }

    fn explain_row(&self, py: Python, columns: Vec<PySeries>, row: usize) -> PyResult<Explained> {
        let df = frame(columns)?;
        let (why, answer) = detached(py, || {
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

    fn drift(
        &self,
        py: Python,
        reference: Vec<PySeries>,
        current: Vec<PySeries>,
        options: &str,
        threads: Option<usize>,
    ) -> PyResult<PyDataFrame> {
        let (reference, current) = (frame(reference)?, frame(current)?);
        let spec = drift_spec(options, threads)?;
        interruptible(py, |interrupt| {
            self.0.drift(&reference, &current, &spec.interrupt(interrupt))
        })
        .map(PyDataFrame)
    }

    fn report(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        about: (Option<String>, Option<usize>, Option<String>),
        beside: Option<Vec<PySeries>>,
        against: Option<PyRef<Tree>>,
        threads: Option<usize>,
    ) -> PyResult<String> {
        let df = frame(columns)?;
        let mut spec = ReportSpec::default();
        if let Some(rows) = beside {
            spec = spec.beside(frame(rows)?, "the other rows");
        }
        if let Some(tree) = against {
            spec = spec.against((*tree.0).clone(), "the other tree");
        }
        (spec.event, spec.row, spec.source) = about;
        spec.threads = threads;
        interruptible(py, |_| self.0.report_with(&df, &spec))
    }
}

/// Prunings.
#[pymethods]
impl Tree {
    fn prune_cost_complexity(&self, alpha: f64) -> PyResult<Tree> {
        Tree::from_result(self.0.prune_cost_complexity(alpha))
    }

    fn prune_to_leaves(&self, n: u32) -> PyResult<Tree> {
        Tree::from_result(self.0.prune_to_leaves(n))
    }

    fn prune_pessimistic(&self, confidence: f64) -> PyResult<Tree> {
        Tree::from_result(self.0.prune(Pruning::Pessimistic { confidence }))
    }

    /// The tree, and a note on it.
    fn prune_reduced_error(
        &self,
        py: Python,
        columns: Vec<PySeries>,
        prune_by: &str,
    ) -> PyResult<(Tree, Option<String>)> {
        let (df, by) = (frame(columns)?, prune_by_of(prune_by)?);
        let pruned = detached(py, || self.0.prune_reduced_error(&df, by))?;
        let note = pruning_note(&self.0, &pruned, by);
        Ok((Tree::new(pruned), note))
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
