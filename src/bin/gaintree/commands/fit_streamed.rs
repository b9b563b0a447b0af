//! `gaintree fit --memory`: a tree from rows that are read in batches, several times.

use std::path::PathBuf;

use gaintree::{Budget, PassTask, StreamedFit, TreeSpec, fit_tree_streaming};

use super::failure_of_rows;
use crate::input::Scan;
use crate::output::{RunReport, note, timed};
use crate::process::Result;
use crate::terminal::Progress;

/// Fits a tree in so many bytes, and reports how.
pub fn fit_streamed(
    scan: &Scan,
    files: &[PathBuf],
    target: &str,
    spec: &TreeSpec,
    memory: u64,
    report: &mut RunReport,
    progress: &Progress,
) -> Result<StreamedFit> {
    let budget = Budget::of_memory(memory);
    let mut say = |at: gaintree::Progress| {
        let what = match at.task {
            PassTask::Summary => "finding out what there is".to_string(),
            PassTask::Weights => "adding up weights".to_string(),
            PassTask::Counts => format!("counting {} nodes of {}", at.nodes, at.nodes_so_far),
            PassTask::Gather => format!("fetching the rows of {} nodes", at.nodes),
        };
        progress.say(format!("pass {} over {}: {what}", at.pass, scan.describe()));
    };
    let fit = timed(&mut report.grow, || {
        scan.with_parts(&budget, |rows| {
            let fit = fit_tree_streaming(rows, files, target, spec, &budget, &mut say);
            fit.map_err(|e| failure_of_rows(e, scan))
        })
    })?;
    fit.notes.iter().chain(&scan.notes(None)).for_each(|text| note(text));
    let found = &fit.report;
    report.size(found.rows, scan.width());
    report.figure("passes", found.passes);
    report.figure("gathers", found.gathers);
    report.figure("levels", found.levels);
    report.figure("bins_counted", found.bins_counted);
    report.figure("bins_alive", found.bins_alive);
    report.figure("values_fetched", found.values_fetched);
    report.figure("rows_gathered", found.rows_gathered);
    report.figure("peak_bytes", found.peak_bytes);
    report.figure("budget_bytes", memory);
    Ok(fit)
}
