//! Errors as Python exceptions.

use polars::prelude::PolarsError;
use pyo3::prelude::*;

/// The exception of an error.
pub fn exception(error: gaintree::Error) -> PyErr {
    let class = if error.is_io() {
        "FileError"
    } else if error.is_model() {
        "ModelError"
    } else if error.is_spec() {
        "SpecError"
    } else {
        "DataError"
    };
    of_class(class, &error.to_string())
}

/// A contradiction in what was asked for.
pub fn spec_error(message: &str) -> PyErr {
    of_class("SpecError", message)
}

/// An error of Polars on a frame.
pub fn polars_exception(error: PolarsError) -> PyErr {
    of_class("DataError", &error.to_string())
}

/// A mistake of ours.
pub fn internal_error(what: &str) -> PyErr {
    of_class("GaintreeError", &format!("internal error, please report it: {what}"))
}

fn of_class(name: &str, message: &str) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("gaintree.errors")
            .and_then(|errors| errors.getattr(name))
            .and_then(|class| class.call1((message,)));
        match made {
            Ok(exception) => PyErr::from_value(exception),
            Err(e) => e,
        }
    })
}
