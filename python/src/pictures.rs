//! Pictures of frames.

use pyo3::prelude::*;
use pyo3_polars::PySeries;

use crate::frames::frame;
use crate::run::{detached, interruptible};
use crate::specs::rank_spec;

#[pyfunction]
pub fn curve_svg(
    py: Python,
    columns: Vec<PySeries>,
    target: &str,
    feature: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<String> {
    let (df, spec) = (frame(columns)?, rank_spec(options, threads)?);
    interruptible(py, |interrupt| {
        gaintree::curve_svg(&df, target, feature, &spec.interrupt(interrupt))
    })
}

#[pyfunction]
pub fn ranking_svg(py: Python, columns: Vec<PySeries>, figure: &str) -> PyResult<String> {
    let df = frame(columns)?;
    detached(py, || gaintree::ranking_svg(&df, figure))
}
