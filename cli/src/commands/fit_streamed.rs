//! `gaintree fit --memory`: a tree from rows that are read in batches, several times.

use gaintree::{Budget, PassTask, StreamedFit, TreeSpec, fit_tree_streaming};

use super::in_parts;
use crate::input::Scan;
use crate::output::{RunReport, timed};
use crate::process::Result;
use crate::terminal::Progress;

/// Fits a tree within the memory asked for, and reports how.
pub fn fit_streamed(
    scan: &Scan,
    target: &str,
    spec: &TreeSpec,
    memory: u64,
    report: &mut RunReport,
    progress: &Progress,
) -> Result<StreamedFit> {
    let budget = Budget::of_memory(memory);
    let mut say = |at: gaintree::Pass| {
        let what = match at.task {
            PassTask::Summary => "finding out what there is".to_string(),
            PassTask::Weights => "adding up weights".to_string(),
            PassTask::Counts => format!("counting {} nodes of {}", at.nodes, at.nodes_so_far),
            PassTask::Gather => format!("fetching the rows of {} nodes", at.nodes),
        };
        progress.say(format!("pass {} over {}: {what}", at.number, scan.describe()));
    };
    let fit = timed(&mut report.grow, || {
        in_parts(scan, None, &budget, |rows, files| {
            fit_tree_streaming(rows, files, target, spec, &budget, &mut say)
        })
    })?;
    report.size(fit.report.rows, scan.width());
    fit.report.figures().into_iter().for_each(|(name, value)| report.figure(name, value));
    report.figure("budget_bytes", memory);
    Ok(fit)
}
