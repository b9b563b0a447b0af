//! Long work beside the interpreter.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use gaintree::{Monitor, Stage};
use pyo3::prelude::*;

use crate::errors::{Failure, fork_error, internal_error};
use crate::forks::{is_forked, may_start_threads};

/// How often signals are looked for, and progress is told.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Does work in a thread of its own, without the interpreter's lock. Python's signals are handled
/// meanwhile: an exception of theirs (Ctrl-C) ends the work, and comes back once it has ended.
pub fn interruptible<T: Send, E: Into<Failure> + Send>(
    py: Python,
    work: impl FnOnce(Monitor) -> Result<T, E> + Send,
) -> PyResult<T> {
    told(py, None, work)
}

/// As [`interruptible`]; `progress` is called with the name of the stage that the work is in, how
/// much of it is done, and of how much. What it raises ends the work.
pub fn told<T: Send, E: Into<Failure> + Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(Monitor) -> Result<T, E> + Send,
) -> PyResult<T> {
    told_by(py, progress, |_| {}, work)
}

/// As [`told`]; once an exception is to end the work, `on_exception` is called, which may end what
/// the work waits for.
pub fn told_by<T: Send, E: Into<Failure> + Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    on_exception: impl FnOnce(Python) + Send,
    work: impl FnOnce(Monitor) -> Result<T, E> + Send,
) -> PyResult<T> {
    start()?;
    let monitor = Monitor::default();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let of_work = monitor.clone();
        let worker = scope.spawn(move || {
            // The other end is there until this thread has ended.
            let _ = sender.send(work(of_work));
        });
        let watch = Watch { monitor, progress, told: None };
        let (done, raised) = py.detach(move || watch.wait(receiver, on_exception));
        let panicked = py.detach(|| worker.join().is_err());
        match (raised, done) {
            (Some(raised), _) => Err(raised),
            (None, Some(done)) if !panicked => done.map_err(|e| e.into().into()),
            (None, _) => Err(internal_error("a worker thread panicked")),
        }
    })
}

/// Who watches work, and what was told of it.
struct Watch {
    monitor: Monitor,
    progress: Option<Py<PyAny>>,
    told: Option<Stage>,
}

impl Watch {
    /// The result, and an exception; no result where the worker has panicked.
    fn wait<T, E>(
        mut self,
        results: Receiver<Result<T, E>>,
        on_exception: impl FnOnce(Python),
    ) -> (Option<Result<T, E>>, Option<PyErr>) {
        let (mut raised, mut on_exception) = (None, Some(on_exception));
        loop {
            match results.recv_timeout(LOOK_EVERY) {
                Ok(done) => {
                    // The end of short work is told too.
                    if done.is_ok() && raised.is_none() {
                        raised = Python::attach(|py| self.tell(py)).err();
                    }
                    return (Some(done), raised);
                }
                Err(RecvTimeoutError::Disconnected) => return (None, raised),
                Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| {
                    raised = py.check_signals().and_then(|()| self.tell(py)).err();
                    if raised.is_some() {
                        self.monitor.interrupt();
                        if let Some(on_exception) = on_exception.take() {
                            on_exception(py);
                        }
                    }
                }),
            }
        }
    }

    /// Tells how far the work is, if it has moved.
    fn tell(&mut self, py: Python) -> PyResult<()> {
        let (Some(progress), Some(stage)) = (&self.progress, self.monitor.stage()) else {
            return Ok(());
        };
        if self.told.replace(stage) != Some(stage) {
            progress.call1(py, (stage.name, stage.done, stage.total))?;
        }
        Ok(())
    }
}

/// Does short work that may use other threads, without the interpreter's lock.
pub fn threaded<T: Send, E: Into<Failure> + Send>(
    py: Python,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    start()?;
    detached(py, work)
}

/// Does short work of this thread alone without the interpreter's lock.
pub fn detached<T: Send, E: Into<Failure> + Send>(
    py: Python,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    py.detach(work).map_err(|e| e.into().into())
}

/// Raises where threads are needed that a fork left behind.
#[pyfunction]
pub fn check_not_forked() -> PyResult<()> {
    if is_forked() { Err(fork_error()) } else { Ok(()) }
}

fn start() -> PyResult<()> {
    if may_start_threads() { Ok(()) } else { Err(fork_error()) }
}
