//! A spinner on standard error that says what is being done, on long work at a terminal only.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done sooner goes without a spinner.
const LONG: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);

/// The spinner; it goes when this is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// Waits to show the bar, until the work is over or takes long.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    pub fn start() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !stderr().is_terminal() {
            return Progress { bar, waiting: None };
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        let (working, over) = channel();
        let later = bar.clone();
        let waiter = std::thread::spawn(move || {
            if over.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
            }
        });
        Progress { bar, waiting: Some((working, waiter)) }
    }

    /// Says what is being done now.
    pub fn say(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((working, waiter)) = self.waiting.take() {
            drop(working);
            // After this the bar is shown or never will be, so that it can be cleared.
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}
