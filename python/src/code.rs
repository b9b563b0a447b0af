//! Models as source code.

use gaintree::{Code, CodeSpec, Language};
use pyo3::prelude::*;

use crate::errors::exception;

/// The language, the name and the most conditions.
pub type CodeOptions = (String, Option<String>, usize);

/// The name, the source, the header and the example.
pub type CodeParts = (String, String, Option<String>, String);

pub fn code_spec((language, name, max_conditions): CodeOptions) -> PyResult<CodeSpec> {
    let language = language.parse::<Language>().map_err(exception)?;
    let spec = CodeSpec::new(language).max_conditions(max_conditions);
    Ok(match name {
        Some(name) => spec.name(name),
        None => spec,
    })
}

pub fn code_parts(code: Code) -> CodeParts {
    (code.name, code.source, code.header, code.example)
}
