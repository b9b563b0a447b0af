//! Pictures of tables, and what is made of pictures.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3_polars::PySeries;

use crate::errors::internal_error;
use crate::frames::frame;
use crate::run::detached;

/// The picture of a table of a verb; `figure` is the column of a ranking that is drawn.
#[pyfunction]
pub fn table_svg(
    py: Python,
    picture: &str,
    columns: Vec<PySeries>,
    figure: &str,
) -> PyResult<String> {
    let df = frame(columns)?;
    match picture {
        "ranking" => detached(py, || gaintree::ranking_svg(&df, figure)),
        "error_curve" => detached(py, || gaintree::error_curve_svg(&df)),
        "matrix" => detached(py, || gaintree::matrix_svg(&df)),
        "screen" => detached(py, || gaintree::screen_svg(&df)),
        "selection" => detached(py, || gaintree::selection_svg(&df)),
        other => Err(internal_error(&format!("no picture is called `{other}`"))),
    }
}

#[pyfunction]
pub fn screen_html(py: Python, columns: Vec<PySeries>, target: &str) -> PyResult<String> {
    let df = frame(columns)?;
    detached(py, || gaintree::screen_html(&df, target))
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
