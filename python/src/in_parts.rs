//! Columns that Python reads when they are asked for.

use gaintree::{Budget, ColumnReader, Error, Result, rank_gain_in_parts as rank};
use polars::prelude::DataFrame;
use pyo3::prelude::*;
use pyo3_polars::{PyDataFrame, PySeries};

use crate::frames::frame;
use crate::run::interruptible;
use crate::specs::rank_spec;

/// Ranks the columns of a `LazyColumns`.
#[pyfunction]
pub fn rank_gain_in_parts(
    py: Python,
    table: Py<PyAny>,
    target: &str,
    options: &str,
    threads: Option<usize>,
    memory: u64,
) -> PyResult<PyDataFrame> {
    let spec = rank_spec(options, threads)?;
    let empty = frame(table.call_method0(py, "empty")?.extract(py)?)?;
    let mut columns = LazyColumns { table, empty, raised: None };
    let ranked = interruptible(py, |interrupt| {
        let (spec, budget) = (spec.interrupt(interrupt), Budget::of_memory(memory));
        rank(&mut columns, target, &spec, &budget, &mut |_, _| {})
    });
    match columns.raised {
        // What Python raised says more than what Rust makes of it.
        Some(raised) => Err(raised),
        None => ranked.map(|ranked| PyDataFrame(ranked.ranking)),
    }
}

/// The columns of a query in Python.
struct LazyColumns {
    table: Py<PyAny>,
    empty: DataFrame,
    /// What reading raised.
    raised: Option<PyErr>,
}

impl LazyColumns {
    fn ask<T>(&mut self, ask: impl FnOnce(Python, &Py<PyAny>) -> PyResult<T>) -> Result<T> {
        Python::attach(|py| ask(py, &self.table)).map_err(|raised| {
            let error = Error::of_store("columns cannot be read", raised.to_string());
            self.raised = Some(raised);
            error
        })
    }
}

impl ColumnReader for LazyColumns {
    fn empty(&self) -> DataFrame {
        self.empty.clone()
    }

    fn n_rows(&mut self) -> Result<u64> {
        self.ask(|py, table| table.call_method0(py, "n_rows")?.extract(py))
    }

    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<DataFrame> {
        let names = names.to_vec();
        self.ask(|py, table| {
            let read: Vec<PySeries> =
                table.call_method1(py, "read", (names, first))?.extract(py)?;
            frame(read)
        })
    }
}
