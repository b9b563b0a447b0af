//! The line of `--report json`: what a run took and gave.

use std::time::{Duration, Instant};

use polars::prelude::DataFrame;
use serde_json::{Value, json};

use super::standard::print;
use crate::args::shared::ReportFormat;
use crate::process::Result;

/// Time spent on each part of the work, and figures of the result.
pub struct RunReport {
    format: Option<ReportFormat>,
    start: Instant,
    rows: u64,
    columns: usize,
    pub read: Duration,
    pub encode: Duration,
    pub grow: Duration,
    pub score: Duration,
    pub write: Duration,
    figures: Vec<(&'static str, Value)>,
}

/// Runs `work` and adds the time it took to `spent`.
pub fn timed<R>(spent: &mut Duration, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let done = work();
    *spent += start.elapsed();
    done
}

impl RunReport {
    /// Starts the clock. Without a format nothing is printed.
    pub fn start(format: Option<ReportFormat>) -> RunReport {
        let [read, encode, grow, score, write] = [Duration::ZERO; 5];
        let (start, figures) = (Instant::now(), Vec::new());
        RunReport { format, start, rows: 0, columns: 0, read, encode, grow, score, write, figures }
    }

    /// The frame the work was done on: the first of several.
    pub fn frame(&mut self, df: &DataFrame) {
        if self.columns == 0 {
            self.size(df.height() as u64, df.width());
        }
    }

    pub fn size(&mut self, rows: u64, columns: usize) {
        (self.rows, self.columns) = (rows, columns);
    }

    pub fn figure(&mut self, name: &'static str, value: impl Into<Value>) {
        self.figures.push((name, value.into()));
    }

    pub fn print(self) -> Result<()> {
        let Some(ReportFormat::Json) = self.format else { return Ok(()) };
        let seconds = |d: Duration| json!((d.as_secs_f64() * 1e6).round() / 1e6);
        let mut entries = vec![
            ("rows", json!(self.rows)),
            ("columns", json!(self.columns)),
            ("read_s", seconds(self.read)),
            ("encode_s", seconds(self.encode)),
            ("grow_s", seconds(self.grow)),
            ("score_s", seconds(self.score)),
            ("write_s", seconds(self.write)),
            ("total_s", seconds(self.start.elapsed())),
        ];
        entries.extend(self.figures);
        // A serde_json map would sort the keys.
        let entries: Vec<String> =
            entries.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        print(&format!("{{{}}}\n", entries.join(",")))
    }
}
