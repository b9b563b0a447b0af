//! Rows that Python reads when they are asked for.

use gaintree::{Budget, ChunkedColumns, Error, FrameReader, Result};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::asked::{Asked, unknown};
use crate::capsules::Table;
use crate::errors;
use crate::frames::Columns;
use crate::models::KeptModel;
use crate::passes::PassListener;
use crate::run::{interruptible, told};

/// Rows that a `LazyReader` of Python reads, as often as a verb needs them.
#[pyclass(frozen, module = "gaintree._gaintree")]
pub struct RowsInParts(Py<PyAny>);

#[pymethods]
impl RowsInParts {
    #[new]
    fn new(reader: Py<PyAny>) -> RowsInParts {
        RowsInParts(reader)
    }

    /// The answer of a verb, which takes at most `memory` bytes.
    fn call(&self, py: Python, verb: &str, asked: Asked) -> PyResult<Py<PyAny>> {
        let rows = LazyReader::new(py, self.0.clone_ref(py))?;
        match verb {
            "rank_gain" => ranking(py, rows, asked)?.into_py_any(py),
            "fit_tree" => fit(py, rows, asked)?.into_py_any(py),
            other => Err(unknown(other)),
        }
    }
}

fn ranking(py: Python, mut rows: LazyReader, mut asked: Asked) -> PyResult<Table> {
    let ranked = told(py, asked.progress.take(), |monitor| -> errors::Result<_> {
        let it = asked.watched_by(monitor);
        let (spec, budget) = (it.spec()?, Budget::of_memory(it.value("memory")?));
        Ok(gaintree::rank_gain_in_parts(&mut rows, it.text("target")?, &spec, &budget)?)
    });
    Table::new(rows.or_raised(ranked)?.ranking)
}

/// A tree, its importances, notes, and the figures of its report, by name.
pub type Fitted = (KeptModel, Table, Vec<String>, Vec<(&'static str, u64)>);

fn fit(py: Python, mut rows: LazyReader, mut asked: Asked) -> PyResult<Fitted> {
    let listener = PassListener::new(asked.progress.take());
    let fit = interruptible(py, |monitor| -> errors::Result<_> {
        let it = asked.watched_by(monitor);
        let (spec, memory) = (it.tree_spec()?, it.value("memory")?);
        let (target, budget) = (it.text("target")?, Budget::of_memory(memory));
        let mut tell = |pass| listener.tell(&it.monitor(), pass);
        let fit = gaintree::fit_tree_in_batches(&mut rows, target, &spec, &budget, &mut tell)?;
        Ok((fit, memory))
    });
    let (fit, memory) = listener.or_raised(rows.or_raised(fit))?;
    let mut figures = vec![("rows", fit.report.rows)];
    figures.extend(fit.report.figures());
    figures.push(("budget_bytes", memory));
    Ok((KeptModel::from(fit.tree), Table::new(fit.importance)?, fit.notes, figures))
}

/// The rows of a query in Python.
struct LazyReader {
    rows: Py<PyAny>,
    empty: ChunkedColumns,
    /// What reading raised.
    raised: Option<PyErr>,
}

impl LazyReader {
    fn new(py: Python, rows: Py<PyAny>) -> PyResult<LazyReader> {
        let Columns(empty) = rows.call_method0(py, "empty")?.extract(py)?;
        Ok(LazyReader { rows, empty, raised: None })
    }

    /// What Python raised says more than what Rust makes of it.
    fn or_raised<T>(self, done: PyResult<T>) -> PyResult<T> {
        match self.raised {
            Some(raised) => Err(raised),
            None => done,
        }
    }

    fn ask<T>(&mut self, ask: impl FnOnce(Python, &Py<PyAny>) -> PyResult<T>) -> Result<T> {
        Python::attach(|py| ask(py, &self.rows)).map_err(|raised| {
            let error = Error::of_store("rows cannot be read", raised.to_string());
            self.raised = Some(raised);
            error
        })
    }
}

impl FrameReader for LazyReader {
    type Frame = ChunkedColumns;

    fn empty(&self) -> ChunkedColumns {
        self.empty.clone()
    }

    fn n_rows(&mut self) -> Result<u64> {
        self.ask(|py, rows| rows.call_method0(py, "n_rows")?.extract(py))
    }

    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<ChunkedColumns> {
        let names = names.to_vec();
        self.ask(|py, rows| {
            let Columns(read) = rows.call_method1(py, "read", (names, first))?.extract(py)?;
            Ok(read)
        })
    }

    fn read_batches(
        &mut self,
        names: &[&str],
        rows_at_once: u32,
        take: &mut (dyn FnMut(ChunkedColumns) -> Result<()> + Send),
    ) -> Result<()> {
        let names = names.to_vec();
        let batches =
            self.ask(|py, rows| rows.call_method1(py, "batches", (names, rows_at_once)))?;
        let taken = loop {
            let batch = self.ask(|py, _| {
                let batch = batches.call_method0(py, "next")?;
                let columns: Option<Columns> = batch.extract(py)?;
                Ok(columns.map(|Columns(columns)| columns))
            });
            match batch {
                Ok(Some(columns)) => match take(columns) {
                    Ok(()) => {}
                    Err(e) => break Err(e),
                },
                Ok(None) => break Ok(()),
                Err(e) => break Err(e),
            }
        };
        // An error of the batches says more than one of their end.
        let ended = self.ask(|py, _| batches.call_method0(py, "close").map(drop));
        taken.and(ended)
    }
}
