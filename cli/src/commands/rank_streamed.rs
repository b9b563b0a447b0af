//! `gaintree rank --memory`: a ranking of rows whose columns are read a few at a time.

use gaintree::{Budget, RankSpec, StreamedRanking, rank_gain_streaming};

use super::in_parts;
use crate::input::Scan;
use crate::output::{RunReport, timed};
use crate::process::Result;
use crate::terminal::Progress;

/// Ranks within the memory asked for, and reports how.
pub fn rank_streamed(
    scan: &Scan,
    target: &str,
    spec: &RankSpec,
    memory: u64,
    report: &mut RunReport,
    progress: &Progress,
) -> Result<StreamedRanking> {
    progress.say(format!("looking at {}", scan.describe()));
    let budget = Budget::of_memory(memory);
    let ranked = timed(&mut report.score, || {
        in_parts(scan, None, &budget, |rows, files| {
            rank_gain_streaming(rows, files, target, spec, &budget)
        })
    })?;
    report.size(ranked.rows, scan.width());
    report.figure("readings", ranked.readings);
    report.figure("peak_bytes", ranked.peak_bytes);
    report.figure("budget_bytes", memory);
    Ok(ranked)
}
