//! What a run took and gave, as one line of JSON for programs.

use std::time::{Duration, Instant};

use polars::prelude::{AnyValue, DataFrame};
use serde_json::{Value, json};

use crate::args::ReportForm;
use crate::failure::Result;
use crate::json_text::json_of;
use crate::output;

/// Seconds spent on each part of the work, and figures of the result.
pub struct Report {
    form: Option<ReportForm>,
    start: Instant,
    rows: usize,
    columns: usize,
    pub read: Duration,
    pub encode: Duration,
    pub grow: Duration,
    pub score: Duration,
    pub write: Duration,
    figures: Vec<(String, Value)>,
}

/// Runs `work` and adds the time it took to `spent`.
pub fn timed<R>(spent: &mut Duration, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let done = work();
    *spent += start.elapsed();
    done
}

impl Report {
    /// Starts the clock.
    pub fn start(form: Option<ReportForm>) -> Report {
        let none = Duration::ZERO;
        Report {
            form,
            start: Instant::now(),
            rows: 0,
            columns: 0,
            read: none,
            encode: none,
            grow: none,
            score: none,
            write: none,
            figures: Vec::new(),
        }
    }

    /// The frame the work was done on.
    pub fn frame(&mut self, df: &DataFrame) {
        (self.rows, self.columns) = (df.height(), df.width());
    }

    /// The rows and columns the work was done on.
    pub fn size(&mut self, rows: u64, columns: usize) {
        (self.rows, self.columns) = (rows as usize, columns);
    }

    pub fn figure(&mut self, name: &str, value: impl Into<Value>) {
        self.figures.push((name.to_string(), value.into()));
    }

    /// The columns of a frame of one row, but for those the report has already.
    pub fn figures_of(&mut self, row: &DataFrame) {
        for column in row.columns().iter().filter(|c| c.name() != "rows") {
            let value = json_of(&column.get(0).unwrap_or(AnyValue::Null));
            self.figure(column.name(), value);
        }
    }

    /// Prints the line, if one was asked for.
    pub fn print(self) -> Result<()> {
        let Some(ReportForm::Json) = self.form else { return Ok(()) };
        let total = self.start.elapsed();
        let seconds = |d: Duration| json!((d.as_secs_f64() * 1e6).round() / 1e6);
        let mut entries =
            vec![("rows".to_string(), json!(self.rows)), ("columns".into(), json!(self.columns))];
        let spent = [
            ("read_s", self.read),
            ("encode_s", self.encode),
            ("grow_s", self.grow),
            ("score_s", self.score),
            ("write_s", self.write),
            ("total_s", total),
        ];
        entries.extend(spent.map(|(name, time)| (name.to_string(), seconds(time))));
        entries.extend(self.figures);
        // A map of serde_json would sort the keys.
        let entries: Vec<String> =
            entries.into_iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
        output::print(&format!("{{{}}}\n", entries.join(",")))
    }
}
