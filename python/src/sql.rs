//! Engines of Python that run SQL and answer in Arrow.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ArrowError;
use gaintree::{Budget, Dialect, Error, Monitor, QueryBatches, Result, RunQuery};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::asked::{Asked, unknown};
use crate::capsules::{Table, stream_of};
use crate::classes::Tree;
use crate::errors::{self, exception, internal_error};
use crate::frames::table;
use crate::in_parts::Fitted;
use crate::models::KeptModel;
use crate::passes::PassListener;
use crate::run::told_by;

/// A query of an `Engine` of Python.
#[pyclass(frozen, module = "gaintree._gaintree")]
pub struct Query {
    engine: Py<PyAny>,
    query: String,
}

#[pymethods]
impl Query {
    #[new]
    fn new(engine: Py<PyAny>, query: String) -> Query {
        Query { engine, query }
    }

    /// The answer of a verb, for which the engine counts.
    fn call(&self, py: Python, verb: &str, asked: Asked) -> PyResult<Py<PyAny>> {
        match verb {
            "rank_gain" => self.ranking(py, asked)?.into_py_any(py),
            "fit_tree" => self.fit(py, asked)?.into_py_any(py),
            other => Err(unknown(other)),
        }
    }

    /// The text of the query that scores these rows.
    fn scored(&self, py: Python, tree: &Bound<Tree>, probability: bool) -> PyResult<String> {
        let tree = Arc::clone(&tree.get().0);
        self.told(py, None, |engine, _| {
            Ok(gaintree::score_query(engine, &self.query, &tree, probability)?)
        })
    }
}

impl Query {
    fn ranking(&self, py: Python, mut asked: Asked) -> PyResult<Table> {
        let ranked = self.told(py, asked.progress.take(), |engine, monitor| {
            let it = asked.watched_by(monitor);
            let (spec, budget) = (it.spec()?, budget(&it)?);
            Ok(gaintree::rank_query(engine, &self.query, it.text("target")?, &spec, &budget)?)
        });
        Table::new(ranked?)
    }

    fn fit(&self, py: Python, mut asked: Asked) -> PyResult<Fitted> {
        let listener = PassListener::new(asked.progress.take());
        let fit = self.told(py, None, |engine, monitor| {
            let it = asked.watched_by(monitor);
            let (target, spec, budget) = (it.text("target")?, it.tree_spec()?, budget(&it)?);
            let mut tell = |pass| listener.tell(&it.monitor(), pass);
            let query = &self.query;
            let fit = gaintree::fit_query(engine, query, target, &spec, &budget, &mut tell)?;
            Ok((fit, budget.memory))
        });
        let (fit, memory) = listener.or_raised(fit)?;
        let mut figures = vec![("rows", fit.report.rows)];
        figures.extend(fit.report.figures());
        figures.extend(fit.fetched.figures());
        figures.push(("budget_bytes", memory));
        let importance = table(fit.tree.importance())?;
        Ok((KeptModel::from(fit.tree), importance, fit.notes, figures))
    }

    /// Does work that asks the engine, watched as by [`told_by`].
    fn told<T: Send>(
        &self,
        py: Python,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&PythonEngine, Monitor) -> errors::Result<T> + Send,
    ) -> PyResult<T> {
        let engine = PythonEngine::new(py, self.engine.clone_ref(py))?;
        let done =
            told_by(py, progress, |py| engine.interrupt(py), |monitor| work(&engine, monitor));
        engine.or_raised(done)
    }
}

/// What counting may use: bytes, bins of a column, and rows that come back at a time.
fn budget(it: &Asked) -> errors::Result<Budget> {
    let memory = it.value::<Option<u64>>("memory")?;
    let mut budget = memory.map_or_else(Budget::default, Budget::of_memory);
    budget.bins = it.value::<Option<u32>>("bins")?.unwrap_or(budget.bins);
    budget.gathered_rows = it.value("gathered_rows")?;
    Ok(budget)
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
        let failed = |e: ArrowError| Error::of_store(format!("the query failed: {e}"), e);
        let none = RecordBatch::new_empty(reader.schema());
        let batches = reader.map(move |batch| batch.map_err(failed));
        Ok(Box::new(std::iter::once(Ok(none)).chain(batches)))
    }
}
