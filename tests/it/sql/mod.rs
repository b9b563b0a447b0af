//! Trees as SQL: what engines answer is what routing answers.

#[cfg(feature = "onnx")]
mod asked;
#[cfg(feature = "onnx")]
mod cases;
mod expected;
#[cfg(feature = "polars")]
mod forms;
mod literals;
mod refused;
mod select;
mod sqlite;

use expected::*;
use gaintree::engine::dtype::{DType, Kind, TimeUnit, Value};
use gaintree::{Dialect, Tree};
use proptest::prelude::*;

use crate::frames::{Column, Frame};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
