//! The passes over a store: each is counted, told and may be the last; and the report on all.

use super::row_store::RowStore;
use crate::error::{Error, Result};
use crate::spec::Monitor;
use crate::util::monitoring::check_interrupt;

/// How a growth from rows that are not in memory went.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ExternalReport {
    /// Rows of positive weight.
    pub rows: u64,
    /// Times that the store read its rows: summaries, counts and gathers.
    pub passes: u32,
    /// Of these, gathers.
    pub gathers: u32,
    /// Counts that were needed for the deepest node that was not gathered.
    pub levels: u32,
    /// Bins that were counted, of all nodes and columns.
    pub bins_counted: u64,
    /// Of these, bins whose values were looked at.
    pub bins_alive: u64,
    /// Values that were fetched with their counts.
    pub values_fetched: u64,
    /// Rows that were gathered.
    pub rows_gathered: u64,
    /// The most bytes that counts and gathered rows took at a time, by count.
    pub peak_bytes: u64,
}

impl ExternalReport {
    /// The figures by name, without the rows.
    pub fn figures(&self) -> [(&'static str, u64); 8] {
        [
            ("passes", self.passes.into()),
            ("gathers", self.gathers.into()),
            ("levels", self.levels.into()),
            ("bins_counted", self.bins_counted),
            ("bins_alive", self.bins_alive),
            ("values_fetched", self.values_fetched),
            ("rows_gathered", self.rows_gathered),
            ("peak_bytes", self.peak_bytes),
        ]
    }
}

/// A pass of a growth over the rows, told before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pass {
    /// Its number, from 1 on.
    pub number: u32,
    /// What it is for.
    pub task: PassTask,
    /// The nodes that are asked about.
    pub nodes: usize,
    /// The nodes of the tree so far.
    pub nodes_so_far: usize,
    /// As of [`ExternalReport::levels`], so far.
    pub levels: u32,
    /// Values that were fetched with their counts, so far.
    pub values_fetched: u64,
}

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassTask {
    /// Finding out what there is.
    Summary,
    /// Adding up weights.
    Weights,
    /// Counting bins and values.
    Counts,
    /// Fetching the rows of small nodes.
    Gather,
}

impl PassTask {
    /// Its name in Python and in lines of progress.
    pub fn name(self) -> &'static str {
        match self {
            PassTask::Summary => "summary",
            PassTask::Weights => "weights",
            PassTask::Counts => "counts",
            PassTask::Gather => "gather",
        }
    }
}

/// A store, and what was asked of it so far.
pub(super) struct Passes<'a, R: RowStore + ?Sized = dyn RowStore + 'a> {
    pub(super) store: &'a mut R,
    pub(super) report: ExternalReport,
    pub(super) nodes_so_far: usize,
    monitor: Option<Monitor>,
    progress: &'a mut dyn FnMut(Pass),
}

impl<'a, R: RowStore + ?Sized> Passes<'a, R> {
    pub(super) fn new(
        store: &'a mut R,
        monitor: Option<Monitor>,
        progress: &'a mut dyn FnMut(Pass),
    ) -> Self {
        let report = ExternalReport::default();
        Passes { store, report, nodes_so_far: 0, monitor, progress }
    }

    pub(super) fn begin(&mut self, task: PassTask, nodes: usize) -> Result<()> {
        check_interrupt(self.monitor.as_ref())?;
        self.report.passes += 1;
        self.report.gathers += u32::from(task == PassTask::Gather);
        (self.progress)(Pass {
            number: self.report.passes,
            task,
            nodes,
            nodes_so_far: self.nodes_so_far,
            levels: self.report.levels,
            values_fetched: self.report.values_fetched,
        });
        Ok(())
    }

    /// Remembers how much memory a step took.
    pub(super) fn took(&mut self, bytes: u64) {
        self.report.peak_bytes = self.report.peak_bytes.max(bytes);
    }
}

/// The error of counts that do not fit together.
pub(super) fn changed(what: &str) -> Error {
    Error::data(format!(
        "the data changed between two passes ({what}): keep the rows as they are, and run again"
    ))
}
