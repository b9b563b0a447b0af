//! Errors as Python exceptions.

use pyo3::PyErr;
use pyo3::import_exception;

use crate::forks::FORKED;

import_exception!(gaintree.errors, DataError);
import_exception!(gaintree.errors, FileError);
import_exception!(gaintree.errors, ForkError);
import_exception!(gaintree.errors, GaintreeError);
import_exception!(gaintree.errors, ModelError);
import_exception!(gaintree.errors, SpecError);

/// An exception on its way to Python, or an error of the library that will be one: `?` takes both.
pub struct Failure(PyErr);

pub type Result<T> = std::result::Result<T, Failure>;

impl From<PyErr> for Failure {
    fn from(raised: PyErr) -> Self {
        Failure(raised)
    }
}

impl From<gaintree::Error> for Failure {
    fn from(error: gaintree::Error) -> Self {
        Failure(exception(error))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

/// The exception of an error.
pub fn exception(error: gaintree::Error) -> PyErr {
    let message = error.to_string();
    if error.is_io() {
        FileError::new_err(message)
    } else if error.is_model() {
        ModelError::new_err(message)
    } else if error.is_spec() {
        SpecError::new_err(message)
    } else {
        DataError::new_err(message)
    }
}

/// Data that cannot be carried across.
pub fn data_error(message: &str) -> PyErr {
    DataError::new_err(message.to_string())
}

/// A contradiction in what was asked for.
pub fn spec_error(message: &str) -> PyErr {
    SpecError::new_err(message.to_string())
}

/// Work in a process that cannot do any.
pub fn fork_error() -> PyErr {
    ForkError::new_err(FORKED)
}

/// A mistake of ours.
pub fn internal_error(what: &str) -> PyErr {
    GaintreeError::new_err(format!("internal error, please report it: {what}"))
}
