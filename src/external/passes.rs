//! The passes over a store: each is counted, told and may be the last.

use super::report::{ExternalReport, Pass, PassTask};
use super::row_store::RowStore;
use crate::error::{Error, Result};
use crate::spec::Monitor;
use crate::util::monitoring::check_interrupt;

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

    /// Begins a pass that asks about this number of nodes.
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
