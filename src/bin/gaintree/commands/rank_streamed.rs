//! `gaintree rank --memory`: a ranking of rows whose columns are read a few at a time.

use std::path::PathBuf;

use gaintree::{Budget, Error, RankSpec, StreamedRanking, rank_gain_streaming};

use super::{is_of_query, named_row};
use crate::input::Scan;
use crate::output::{RunReport, note, timed};
use crate::process::{QueryFailure, Result};
use crate::terminal::Progress;

/// Ranks in so many bytes, and reports how.
pub fn rank_streamed(
    scan: &Scan,
    files: &[PathBuf],
    target: &str,
    spec: &RankSpec,
    memory: u64,
    report: &mut RunReport,
    progress: &Progress,
) -> Result<StreamedRanking> {
    let mut say = |ranked: usize, of: usize| {
        progress.say(format!("ranked {ranked} of {of} columns of {}", scan.describe()));
    };
    let budget = Budget::of_memory(memory);
    let failed = |e: Error| match is_of_query(&e) {
        true => QueryFailure::Rows(e.to_string()),
        false => named_row(e, scan).into(),
    };
    let ranked = timed(&mut report.score, || {
        scan.with_query(None, |rows| {
            rank_gain_streaming(rows, files, target, spec, &budget, &mut say).map_err(failed)
        })
    })?;
    scan.notes(None).iter().for_each(|text| note(text));
    report.size(ranked.rows, scan.width());
    report.figure("readings", ranked.readings);
    report.figure("peak_bytes", ranked.peak_bytes);
    report.figure("budget_bytes", memory);
    Ok(ranked)
}
