//! Who hears of the passes of a fit.

use std::sync::{Mutex, PoisonError};

use gaintree::{Monitor, Pass};
use pyo3::prelude::*;

/// A callable of Python that hears of each pass before it begins, if there is one.
pub struct PassListener {
    progress: Option<Py<PyAny>>,
    /// What it raised.
    raised: Mutex<Option<PyErr>>,
}

impl PassListener {
    pub fn new(progress: Option<Py<PyAny>>) -> PassListener {
        PassListener { progress, raised: Mutex::new(None) }
    }

    /// Tells of a pass. What that raises ends the work.
    pub fn tell(&self, monitor: &Monitor, pass: Pass) {
        let Some(progress) = &self.progress else { return };
        let Pass { number, task, levels, nodes, nodes_so_far, values_fetched, .. } = pass;
        let told = (number, task.name(), levels, nodes, nodes_so_far, values_fetched);
        if let Err(raised) = Python::attach(|py| progress.call1(py, told)) {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            monitor.interrupt();
        }
    }

    /// What was raised says more than that the work was interrupted.
    pub fn or_raised<T>(self, done: PyResult<T>) -> PyResult<T> {
        let raised = self.raised.into_inner().unwrap_or_else(PoisonError::into_inner);
        raised.map_or(done, Err)
    }
}
