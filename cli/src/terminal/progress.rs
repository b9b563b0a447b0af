//! A spinner on standard error that says what is being done, for long work at a terminal.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work goes without a spinner.
const LONG: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);

/// The spinner; it is cleared on drop.
pub struct Progress {
    bar: ProgressBar,
    /// Shows the bar if the work takes long. `None` where there is no terminal.
    shower: Option<Worker>,
}

/// A thread that runs until this is dropped, and is joined then.
pub struct Worker(Option<(Sender<()>, JoinHandle<()>)>);

impl Worker {
    fn spawn(run: impl FnOnce(Receiver<()>) + Send + 'static) -> Worker {
        let (working, over) = channel();
        Worker(Some((working, std::thread::spawn(move || run(over)))))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some((working, thread)) = self.0.take() {
            drop(working);
            let _ = thread.join();
        }
    }
}

impl Progress {
    pub fn start() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !stderr().is_terminal() {
            return Progress { bar, shower: None };
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        let later = bar.clone();
        let shower = Worker::spawn(move |over| {
            if over.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
            }
        });
        Progress { bar, shower: Some(shower) }
    }

    /// Says what is being done now.
    pub fn say(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// Says how many rows are done, their rate and, where the total is known, the time that is
    /// left, until the result is dropped.
    pub fn follow(
        &self,
        total: Option<u64>,
        done: impl Fn() -> u64 + Send + 'static,
    ) -> Option<Worker> {
        self.shower.as_ref()?;
        let (bar, start) = (self.bar.clone(), Instant::now());
        Some(Worker::spawn(move |over| {
            while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(pace(done(), total, start.elapsed()));
            }
        }))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // After this the bar is shown or never will be, so that it can be cleared.
        drop(self.shower.take());
        self.bar.finish_and_clear();
    }
}

/// "scored 3,000,000 of 5,000,000 rows, 1,500,000 a second, 2 s left"
fn pace(done: u64, total: Option<u64>, spent: Duration) -> String {
    if done == 0 {
        return "scoring".to_string();
    }
    let rate = done as f64 / spent.as_secs_f64().max(1e-3);
    let speed = format!("{} a second", HumanCount(rate as u64));
    let Some(total) = total else {
        return format!("scored {} rows, {speed}", HumanCount(done));
    };
    let left = (total.saturating_sub(done) as f64 / rate.max(1.0)).ceil() as u64;
    let left = if left < 120 { format!("{left} s") } else { format!("{} min", left.div_ceil(60)) };
    format!("scored {} of {} rows, {speed}, {left} left", HumanCount(done), HumanCount(total))
}
