//! Trees for other programs: SQL, DOT and ONNX.

#[cfg(feature = "onnx")]
mod binary_tree;
mod dot;
#[cfg(feature = "onnx")]
mod feature_numbers;
#[cfg(feature = "onnx")]
mod onnx;
#[cfg(feature = "onnx")]
mod origin;
pub(crate) mod sql;

pub use sql::{Dialect, MAX_SQL_LEAVES, SqlColumn};
