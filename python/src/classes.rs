//! The classes of models: `Tree` and `Forest`, and the `Model` that both are.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::models::KeptModel;

/// What trees and forests have alike; it also reads files that hold either kind.
#[pyclass(frozen, subclass, module = "gaintree._gaintree")]
pub struct Model(pub KeptModel);

#[pyclass(frozen, eq, extends = Model, module = "gaintree._gaintree")]
#[derive(PartialEq)]
pub struct Tree(pub Arc<gaintree::Tree>);

#[pyclass(frozen, eq, extends = Model, module = "gaintree._gaintree")]
#[derive(PartialEq)]
pub struct Forest(pub Arc<gaintree::Forest>);

/// A model becomes an object of its kind.
impl<'py> IntoPyObject<'py> for KeptModel {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let model = PyClassInitializer::from(Model(self.clone()));
        Ok(match self {
            KeptModel::Tree(tree) => Bound::new(py, model.add_subclass(Tree(tree)))?.into_any(),
            KeptModel::Forest(forest) => {
                Bound::new(py, model.add_subclass(Forest(forest)))?.into_any()
            }
        })
    }
}
