//! A fitted forest.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::errors::{exception, internal_error};
use crate::model::model_methods;
use crate::tree::Tree;

#[pyclass(frozen, eq, module = "gaintree._gaintree")]
#[derive(PartialEq)]
pub struct Forest(Arc<gaintree::Forest>);

impl Forest {
    pub fn new(forest: gaintree::Forest) -> Forest {
        Forest(Arc::new(forest))
    }

    fn from_result(forest: gaintree::Result<gaintree::Forest>) -> PyResult<Forest> {
        forest.map(Forest::new).map_err(exception)
    }
}

model_methods!(Forest, Forest);

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

    fn tree(&self, number: usize) -> PyResult<Tree> {
        let tree = self.0.tree(number);
        tree.map(Tree::new).ok_or_else(|| internal_error("the forest has fewer trees"))
    }
}
