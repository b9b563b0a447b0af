//! A fitted tree.

use std::path::PathBuf;

use gaintree::{Dialect, Direction, Pruning, SqlSpec, TreePicture};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::capsules::Table;
use crate::classes::Tree;
use crate::code::{CodeOptions, CodeParts, code_parts, code_spec};
use crate::errors::{exception, spec_error};
use crate::frames::{Columns, table};
use crate::models::KeptModel;
use crate::run::{detached, threaded};

fn kept(tree: gaintree::Result<gaintree::Tree>) -> PyResult<KeptModel> {
    tree.map(KeptModel::from).map_err(exception)
}

/// Files of trees.
#[pymethods]
impl Tree {
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<KeptModel> {
        kept(gaintree::Tree::from_json(text))
    }

    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<KeptModel> {
        kept(gaintree::Tree::load(path))
    }
}

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

    fn nodes(&self) -> PyResult<Table> {
        table(self.0.nodes())
    }

    fn rules(&self) -> PyResult<Table> {
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

    fn to_code_test(&self, py: Python, options: CodeOptions, columns: Columns) -> PyResult<String> {
        let (spec, Columns(rows)) = (code_spec(options)?, columns);
        threaded(py, || self.0.to_code_test(spec, &rows))
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

/// Prunings.
#[pymethods]
impl Tree {
    fn prune_cost_complexity(&self, alpha: f64) -> PyResult<KeptModel> {
        kept(self.0.prune_cost_complexity(alpha))
    }

    fn prune_to_leaves(&self, n: u32) -> PyResult<KeptModel> {
        kept(self.0.prune_to_leaves(n))
    }

    fn prune_pessimistic(&self, confidence: f64) -> PyResult<KeptModel> {
        kept(self.0.prune(Pruning::Pessimistic { confidence }))
    }

    fn cost_complexity_path(&self) -> PyResult<Table> {
        table(self.0.cost_complexity_path())
    }
}
