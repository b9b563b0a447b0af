//! Pictures of frames.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3_polars::PySeries;

use crate::frames::frame;
use crate::run::{detached, interruptible};
use crate::specs::{drift_spec, rank_spec};

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
    interruptible(py, |monitor| gaintree::curve_svg(&df, target, feature, &spec.monitor(monitor)))
}

#[pyfunction]
pub fn ranking_svg(py: Python, columns: Vec<PySeries>, figure: &str) -> PyResult<String> {
    let df = frame(columns)?;
    detached(py, || gaintree::ranking_svg(&df, figure))
}

#[pyfunction]
pub fn error_curve_svg(py: Python, columns: Vec<PySeries>) -> PyResult<String> {
    let df = frame(columns)?;
    detached(py, || gaintree::error_curve_svg(&df))
}

#[pyfunction]
pub fn matrix_svg(py: Python, columns: Vec<PySeries>) -> PyResult<String> {
    let df = frame(columns)?;
    detached(py, || gaintree::matrix_svg(&df))
}

#[pyfunction]
pub fn selection_svg(py: Python, columns: Vec<PySeries>) -> PyResult<String> {
    let df = frame(columns)?;
    detached(py, || gaintree::selection_svg(&df))
}

#[pyfunction]
pub fn svg_on(svg: &str, theme: &str) -> String {
    let theme = match theme {
        "dark" => gaintree::Theme::Dark,
        "auto" => gaintree::Theme::Auto,
        _ => gaintree::Theme::Light,
    };
    gaintree::svg_on(svg, theme)
}

#[pyfunction]
pub fn svg_to_png(py: Python, svg: &str, scale: f64) -> PyResult<Cow<'static, [u8]>> {
    detached(py, || gaintree::svg_to_png(svg, scale)).map(Cow::Owned)
}

#[pyfunction]
pub fn drift_svg(
    py: Python,
    reference: Vec<PySeries>,
    current: Vec<PySeries>,
    feature: &str,
    options: &str,
    threads: Option<usize>,
) -> PyResult<String> {
    let (reference, current) = (frame(reference)?, frame(current)?);
    let spec = drift_spec(options, threads)?;
    interruptible(py, |monitor| {
        gaintree::drift_svg(&reference, &current, feature, &spec.monitor(monitor))
    })
}
