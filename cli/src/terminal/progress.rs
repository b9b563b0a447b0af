//! A spinner on standard error that says what is being done and how far it is, for long work at a
//! terminal.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gaintree::{Monitor, Stage};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work goes without a spinner.
const LONG: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);

/// The spinner; it is cleared at its end, or on drop.
pub struct Progress {
    bar: ProgressBar,
    monitor: Monitor,
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
        let monitor = Monitor::default();
        if !stderr().is_terminal() {
            return Progress { bar, monitor, shower: None };
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}{prefix} ({elapsed})") {
            bar.set_style(style);
        }
        let (later, watched) = (bar.clone(), monitor.clone());
        let shower = Worker::spawn(move |over| {
            if over.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
                let mut pace: Option<Pace> = None;
                while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    let now = Instant::now();
                    if let Some(Stage { name, done, total, .. }) = watched.stage() {
                        let seen = Pace::new(name, done, total, now);
                        let pace = pace.insert(pace.map_or(seen, |before| before.then(seen)));
                        later.set_prefix(pace.text(now));
                    }
                }
            }
        });
        Progress { bar, monitor, shower: Some(shower) }
    }

    pub fn monitor(&self) -> Monitor {
        self.monitor.clone()
    }

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
                bar.set_message(scored(done(), total, start.elapsed()));
            }
        }))
    }

    pub fn end(&mut self) {
        // After this the bar is shown or never will be, so that it can be cleared.
        drop(self.shower.take());
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// "scored 3,000,000 of 5,000,000 rows, 1,500,000 a second, 2 s left"
fn scored(done: u64, total: Option<u64>, spent: Duration) -> String {
    if done == 0 {
        return "scoring".to_string();
    }
    let rate = done as f64 / spent.as_secs_f64().max(1e-3);
    let speed = format!("{} a second", HumanCount(rate as u64));
    let Some(total) = total else {
        return format!("scored {} rows, {speed}", HumanCount(done));
    };
    let left = time_left(total.saturating_sub(done) as f64 / rate.max(1.0));
    format!("scored {} of {} rows, {speed}, {left} left", HumanCount(done), HumanCount(total))
}

fn time_left(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    if seconds < 120 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// A stage: since when it is watched, and how far it was then and is now.
#[derive(Clone, Copy)]
struct Pace {
    name: &'static str,
    since: Instant,
    done_before: u64,
    done: u64,
    total: u64,
}

impl Pace {
    fn new(name: &'static str, done: u64, total: u64, since: Instant) -> Pace {
        Pace { name, since, done_before: done, done, total }
    }

    /// As the stage is seen later. Another stage, or the same one anew, has a pace of its own.
    fn then(self, seen: Pace) -> Pace {
        match self.name == seen.name && self.total == seen.total && self.done <= seen.done {
            true => Pace { done: seen.done, ..self },
            false => seen,
        }
    }

    /// ": growing trees, 24 %, 13 s left"
    fn text(&self, now: Instant) -> String {
        let Pace { name, since, done_before, done, total } = *self;
        let text = format!(": {name}, {} %", 100 * done / total);
        let (spent, done_since) = ((now - since).as_secs_f64(), done - done_before);
        // The first moments tell little of the rest.
        if done_since == 0 || done == total || spent < 1.0 {
            return text;
        }
        format!("{text}, {} left", time_left((total - done) as f64 * spent / done_since as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_has_a_share_and_a_time_left() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let seen = |done, seconds| Pace::new("growing trees", done, 500, after(seconds));
        let pace = seen(20, 0).then(seen(120, 4));
        assert_eq!(pace.text(after(4)), ": growing trees, 24 %, 16 s left");
        assert_eq!(pace.then(seen(500, 20)).text(after(20)), ": growing trees, 100 %");
        assert_eq!(seen(0, 0).text(after(9)), ": growing trees, 0 %");
        // The same stage once more, as of the next table.
        let anew = pace.then(seen(5, 4));
        assert_eq!(anew.then(seen(255, 5)).text(after(5)), ": growing trees, 51 %, 1 s left");
        let other = pace.then(Pace::new("permuting features", 0, 8, after(5)));
        assert_eq!(other.text(after(6)), ": permuting features, 0 %");
        assert_eq!(time_left(119.5), "2 min");
    }
}
