//! Engines of Python that run SQL and answer in Arrow.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_array::{RecordBatch, RecordBatchReader};
use gaintree::{Budget, Dialect, Error, QueryBatches, Result, RunQuery};
use pyo3::prelude::*;

use crate::capsules::{Table, stream_of};
use crate::classes::Tree;
use crate::errors::{exception, internal_error};
use crate::frames::table;
use crate::models::KeptModel;
use crate::passes::PassListener;
use crate::run::told_by;
use crate::specs::{rank_spec, tree_spec};

/// A tree, its importances, notes, and the figures of its report, by name.
type Fitted = (KeptModel, Table, Vec<String>, Vec<(&'static str, u64)>);

/// What counting may use: bytes, bins of a column, and rows that come back at a time.
#[derive(FromPyObject)]
pub struct BudgetOptions(Option<u64>, Option<u32>, Option<u64>);

impl BudgetOptions {
    fn budget(self) -> Budget {
        let BudgetOptions(memory, bins, gathered_rows) = self;
        let mut budget = memory.map_or_else(Budget::default, Budget::of_memory);
        budget.bins = bins.unwrap_or(budget.bins);
        budget.gathered_rows = gathered_rows;
        budget
    }
}

/// Fits a tree by an `Engine`.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // as they come from Python
pub fn fit_query(
    py: Python,
    engine: Py<PyAny>,
    query: &str,
    target: &str,
    algorithm: &str,
    options: &str,
    threads: Option<usize>,
    budget: BudgetOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Fitted> {
    let spec = tree_spec(algorithm, options, threads)?;
    let budget = budget.budget();
    let engine = PythonEngine::new(py, engine)?;
    let listener = PassListener::new(progress);
    let fit = told_by(
        py,
        None,
        |py| engine.interrupt(py),
        |monitor| {
            let spec = spec.monitor(monitor.clone());
            let mut tell = |pass| listener.tell(&monitor, pass);
            gaintree::fit_query(&engine, query, target, &spec, &budget, &mut tell)
        },
    );
    let fit = listener.or_raised(engine.or_raised(fit))?;
    let mut figures = vec![("rows", fit.report.rows)];
    figures.extend(fit.report.figures());
    figures.extend(fit.fetched.figures());
    figures.push(("budget_bytes", budget.memory));
    let importance = table(fit.tree.importance())?;
    Ok((KeptModel::from(fit.tree), importance, fit.notes, figures))
}

/// Ranks columns by an `Engine`.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // as they come from Python
pub fn rank_query(
    py: Python,
    engine: Py<PyAny>,
    query: &str,
    target: &str,
    options: &str,
    threads: Option<usize>,
    budget: BudgetOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let spec = rank_spec(options, threads)?;
    let budget = budget.budget();
    let engine = PythonEngine::new(py, engine)?;
    let ranked = told_by(
        py,
        progress,
        |py| engine.interrupt(py),
        |monitor| gaintree::rank_query(&engine, query, target, &spec.monitor(monitor), &budget),
    );
    Table::new(engine.or_raised(ranked)?)
}

/// The text of the query that scores the rows of another.
#[pyfunction]
pub fn score_query(
    py: Python,
    engine: Py<PyAny>,
    query: &str,
    tree: &Bound<Tree>,
    probability: bool,
) -> PyResult<String> {
    let engine = PythonEngine::new(py, engine)?;
    let tree = Arc::clone(&tree.get().0);
    let scored = told_by(
        py,
        None,
        |py| engine.interrupt(py),
        |_| gaintree::score_query(&engine, query, &tree, probability),
    );
    engine.or_raised(scored)
}

/// An `Engine` of Python: a dialect, and what runs a query.
struct PythonEngine {
    engine: Py<PyAny>,
    dialect: Dialect,
    /// What the engine raised.
    raised: Mutex<Option<PyErr>>,
    /// Whether a signal ended the query.
    is_interrupted: AtomicBool,
}

impl PythonEngine {
    fn new(py: Python, engine: Py<PyAny>) -> PyResult<PythonEngine> {
        let dialect: String = engine.getattr(py, "dialect")?.extract(py)?;
        let dialect = dialect.parse().map_err(exception)?;
        Ok(PythonEngine {
            engine,
            dialect,
            raised: Mutex::new(None),
            is_interrupted: AtomicBool::new(false),
        })
    }

    /// What the engine raised says more than what Rust makes of it; what a signal raised, more than
    /// both.
    fn or_raised<T>(self, done: PyResult<T>) -> PyResult<T> {
        let raised = self.raised.into_inner().unwrap_or_else(PoisonError::into_inner);
        match raised {
            Some(raised) if !self.is_interrupted.into_inner() => Err(raised),
            _ => done,
        }
    }

    fn raise(&self, raised: PyErr) {
        let mut first = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(raised);
    }

    /// Ends the query that runs, if the engine can.
    fn interrupt(&self, py: Python) {
        self.is_interrupted.store(true, Ordering::Relaxed);
        // The signal is what the caller hears of.
        let _ = self.engine.call_method0(py, "interrupt");
    }
}

impl RunQuery for PythonEngine {
    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn run<'a>(&'a self, sql: &str) -> Result<QueryBatches<'a>> {
        let reader = Python::attach(|py| {
            let answer = self.engine.call_method1(py, "run", (sql,))?;
            let stream = stream_of(answer.bind(py))?;
            ArrowArrayStreamReader::try_new(stream).map_err(|e| internal_error(&e.to_string()))
        });
        let reader = reader.map_err(|raised| {
            let error = Error::of_store("the query failed", raised.to_string());
            self.raise(raised);
            error
        })?;
        // Engines that run the query while it is read may want the interpreter.
        let failed =
            |e: arrow_schema::ArrowError| Error::of_store(format!("the query failed: {e}"), e);
        let none = RecordBatch::new_empty(reader.schema());
        let batches = reader.map(move |batch| batch.map_err(failed));
        Ok(Box::new(std::iter::once(Ok(none)).chain(batches)))
    }
}
