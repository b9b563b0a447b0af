//! Long work beside the interpreter.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use gaintree::Interrupt;
use pyo3::prelude::*;

use crate::errors::{exception, fork_error, internal_error};
use crate::forks::{is_forked, may_start_threads};

/// How often signals are looked for.
const SIGNALS_EVERY: Duration = Duration::from_millis(20);

/// Does work in a thread of its own, without the interpreter's lock. Python's signals are handled
/// meanwhile: an exception of theirs (Ctrl-C) raises the flag, and comes back once the work has
/// ended.
pub fn interruptible<T: Send>(
    py: Python,
    work: impl FnOnce(Interrupt) -> gaintree::Result<T> + Send,
) -> PyResult<T> {
    interruptible_by(py, |_| {}, work)
}

/// As [`interruptible`]; once a signal has raised an exception, `on_signal` is called, which may end
/// what the work waits for.
pub fn interruptible_by<T: Send>(
    py: Python,
    on_signal: impl FnOnce(Python) + Send,
    work: impl FnOnce(Interrupt) -> gaintree::Result<T> + Send,
) -> PyResult<T> {
    start()?;
    let interrupt = Interrupt::default();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let flag = interrupt.clone();
        let worker = scope.spawn(move || {
            // The other end is there until this thread has ended.
            let _ = sender.send(work(flag));
        });
        let (done, signal) = py.detach(move || wait(receiver, interrupt, on_signal));
        let panicked = py.detach(|| worker.join().is_err());
        match (signal, done) {
            (Some(raised), _) => Err(raised),
            (None, Some(done)) if !panicked => done.map_err(exception),
            (None, _) => Err(internal_error("a worker thread panicked")),
        }
    })
}

/// The result, and the exception of a signal; no result where the worker has panicked.
fn wait<T>(
    results: Receiver<T>,
    interrupt: Interrupt,
    on_signal: impl FnOnce(Python),
) -> (Option<T>, Option<PyErr>) {
    let (mut signal, mut on_signal) = (None, Some(on_signal));
    loop {
        match results.recv_timeout(SIGNALS_EVERY) {
            Ok(done) => return (Some(done), signal),
            Err(RecvTimeoutError::Disconnected) => return (None, signal),
            Err(RecvTimeoutError::Timeout) if signal.is_some() => {}
            Err(RecvTimeoutError::Timeout) => {
                signal = Python::attach(|py| py.check_signals()).err();
                if signal.is_some() {
                    interrupt.raise();
                    on_signal.take().map(Python::attach);
                }
            }
        }
    }
}

/// Does short work that may use other threads, without the interpreter's lock.
pub fn threaded<T: Send>(
    py: Python,
    work: impl FnOnce() -> gaintree::Result<T> + Send,
) -> PyResult<T> {
    start()?;
    detached(py, work)
}

/// Does short work of this thread alone without the interpreter's lock.
pub fn detached<T: Send>(
    py: Python,
    work: impl FnOnce() -> gaintree::Result<T> + Send,
) -> PyResult<T> {
    py.detach(work).map_err(exception)
}

/// Raises where threads are needed that a fork left behind.
#[pyfunction]
pub fn check_not_forked() -> PyResult<()> {
    if is_forked() { Err(fork_error()) } else { Ok(()) }
}

fn start() -> PyResult<()> {
    if may_start_threads() { Ok(()) } else { Err(fork_error()) }
}
