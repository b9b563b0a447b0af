//! A spinner on standard error that says what is being done, on long work at a terminal only.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Partition that is done sooner goes without a spinner.
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

/// How far some rows are, said every now and then until this is dropped.
pub struct Following(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    /// Says how many rows are done, how fast they go, and when all will be, where that is known.
    pub fn follow(&self, total: Option<u64>, done: impl Fn() -> u64 + Send + 'static) -> Following {
        if self.waiting.is_none() {
            return Following(None);
        }
        let (working, over) = channel();
        let (bar, start) = (self.bar.clone(), Instant::now());
        let teller = std::thread::spawn(move || {
            while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(pace(done(), total, start.elapsed()));
            }
        });
        Following(Some((working, teller)))
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        if let Some((working, teller)) = self.0.take() {
            drop(working);
            let _ = teller.join();
        }
    }
}

/// "scored 3,000,000 of 5,000,000 rows, 1,500,000 a second, 2 s left"
fn pace(done: u64, total: Option<u64>, spent: Duration) -> String {
    if done == 0 {
        return "scoring".to_string();
    }
    let a_second = done as f64 / spent.as_secs_f64().max(1e-3);
    let speed = format!("{} a second", HumanCount(a_second as u64));
    let Some(total) = total else {
        return format!("scored {} rows, {speed}", HumanCount(done));
    };
    let left = (total.saturating_sub(done) as f64 / a_second.max(1.0)).ceil() as u64;
    let left = if left < 120 { format!("{left} s") } else { format!("{} min", left.div_ceil(60)) };
    format!("scored {} of {} rows, {speed}, {left} left", HumanCount(done), HumanCount(total))
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
