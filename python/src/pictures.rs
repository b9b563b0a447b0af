//! Pictures of tables, and what is made of pictures.

use pyo3::prelude::*;

use crate::errors::internal_error;
use crate::frames::Columns;
use crate::run::detached;

/// The picture of a table of a verb; `figure` is the column of a ranking that is drawn.
#[pyfunction]
pub fn table_svg(py: Python, picture: &str, columns: Columns, figure: &str) -> PyResult<String> {
    let Columns(table) = columns;
    match picture {
        "ranking" => detached(py, || gaintree::ranking_svg(&table, figure)),
        "error_curve" => detached(py, || gaintree::error_curve_svg(&table)),
        "matrix" => detached(py, || gaintree::matrix_svg(&table)),
        "screen" => detached(py, || gaintree::screen_svg(&table)),
        "selection" => detached(py, || gaintree::selection_svg(&table)),
        other => Err(internal_error(&format!("no picture is called `{other}`"))),
    }
}

#[pyfunction]
pub fn screen_html(py: Python, columns: Columns, target: &str) -> PyResult<String> {
    let Columns(table) = columns;
    detached(py, || gaintree::screen_html(&table, target))
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
