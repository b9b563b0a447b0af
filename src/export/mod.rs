//! Trees for other programs: SQL, DOT, ONNX, source code and the steps of plain expressions.

#[cfg(feature = "onnx")]
mod binary_tree;
mod code;
mod comment;
mod dot;
#[cfg(feature = "onnx")]
mod feature_numbers;
#[cfg(feature = "onnx")]
mod onnx;
mod origin;
pub(crate) mod sql;
mod when_then;

use crate::error::Error;
pub(crate) use code::TestAnswers;
pub use code::{Code, CodeSpec, Language};
#[cfg(all(feature = "onnx", any(feature = "polars", feature = "arrow")))]
pub(crate) use onnx::OnnxInput;
pub use sql::{Dialect, MAX_SQL_LEAVES, SqlColumn, SqlSpec};
pub use when_then::{MAX_WHEN_THEN_NODES, WhenThenStep};

/// The error of a model that sends rows down several branches, for a program that follows one.
fn takes_one_branch(model: &str, program: &str) -> Error {
    Error::spec(format!(
        "the {model} sends a missing value down every branch (missing = fractional), which {program} \
         cannot: score it otherwise, or fit it with missing = learn or majority"
    ))
}

/// What follows a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Next {
    /// The test of this index.
    Test(u32),
    /// The answer of this index.
    Answer(u32),
}

impl Next {
    /// As one number: a test by its index, the answers by -1, -2, and so on.
    fn number(self) -> i64 {
        match self {
            Next::Test(index) => index.into(),
            Next::Answer(index) => -1 - i64::from(index),
        }
    }
}
