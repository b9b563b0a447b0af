//! How far probabilities can be trusted.

use super::class_score::lift;
use crate::stat::Run;

/// Rows of about the same probability of the event.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the columns of the table `calibration`
pub struct CalibrationBin {
    pub at_least: f64,
    pub at_most: f64,
    pub n: u64,
    pub mean_probability: f64,
    pub actual_share: f64,
    pub lift: Option<f64>,
}

/// About `n_bins` bins of about as many rows each, by rising probability. Rows of one probability
/// stay together: a run of more rows than a bin should have is a bin of its own, and the bins that
/// are left are for the other rows. Less than half a bin between such runs joins the smaller one
/// beside it. Runs rise. `O(runs x bins)`.
pub(super) fn calibration(runs: &[Run], n_bins: usize) -> Vec<CalibrationBin> {
    let all = Run::total(runs);
    let (is_large, rows_a_bin) = large_runs(runs, n_bins);
    // Where each bin ends, and its rows.
    let mut bins: Vec<(usize, u64)> = Vec::new();
    let mut rows = 0;
    for (at, run) in runs.iter().enumerate() {
        if is_large[at] && rows > 0 {
            bins.push((at, rows));
            rows = 0;
        }
        rows += run.n;
        if is_large[at] || rows as f64 >= rows_a_bin {
            bins.push((at + 1, rows));
            rows = 0;
        }
    }
    if rows > 0 {
        bins.push((runs.len(), rows));
    }
    let mut at = 0;
    while at < bins.len() {
        if bins.len() == 1 || 2.0 * bins[at].1 as f64 >= rows_a_bin {
            at += 1;
            continue;
        }
        let above = bins.get(at + 1).map_or(u64::MAX, |bin| bin.1);
        let below = if at > 0 { bins[at - 1].1 } else { u64::MAX };
        // The lower of two bins that join is taken out.
        let lower = if below < above { at - 1 } else { at };
        bins[lower + 1].1 += bins[lower].1;
        bins.remove(lower);
        at = lower;
    }
    let starts = [0].into_iter().chain(bins.iter().map(|bin| bin.0));
    starts.zip(&bins).map(|(start, (end, _))| bin_of(&runs[start..*end], all)).collect()
}

/// The runs that are a bin of their own, and the rows that each of the other bins should have.
fn large_runs(runs: &[Run], n_bins: usize) -> (Vec<bool>, f64) {
    let mut is_large = vec![false; runs.len()];
    let (mut rows, mut bins) = (Run::total(runs).0, n_bins);
    loop {
        let rows_a_bin = rows as f64 / bins.max(1) as f64;
        let before = bins;
        for (is_large, run) in is_large.iter_mut().zip(runs) {
            if !*is_large && run.n as f64 >= rows_a_bin && bins > 0 {
                *is_large = true;
                rows -= run.n;
                bins -= 1;
            }
        }
        if bins == before {
            return (is_large, rows_a_bin);
        }
    }
}

fn bin_of(runs: &[Run], all: (u64, u64)) -> CalibrationBin {
    let (n, events) = Run::total(runs);
    let sum: f64 = runs.iter().map(|run| run.probability * run.n as f64).sum();
    let (first, last) = (runs[0].probability, runs[runs.len() - 1].probability);
    CalibrationBin {
        at_least: first,
        at_most: last,
        n,
        // A mean lies between the ends, which rounding may miss.
        mean_probability: (sum / n as f64).clamp(first, last),
        actual_share: events as f64 / n as f64,
        lift: lift((n, events), all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(rows: &[u64], n_bins: usize) -> Vec<u64> {
        let run =
            |(at, &n): (usize, &u64)| Run { probability: at as f64 / 100.0, n, events: n / 2 };
        let runs: Vec<Run> = rows.iter().enumerate().map(run).collect();
        calibration(&runs, n_bins).iter().map(|bin| bin.n).collect()
    }

    #[test]
    fn bins_have_about_as_many_rows_and_keep_a_probability_together() {
        assert_eq!(sizes(&[10; 10], 5), [20; 5]);
        assert_eq!(sizes(&[10; 3], 10), [10; 3]);
        // One probability has nearly all rows, below or above: the others keep their bins.
        assert_eq!(sizes(&[199_668, 100, 100, 66, 66], 10), [199_668, 100, 100, 66, 66]);
        assert_eq!(sizes(&[10, 10, 10, 10, 199_960], 10), [10, 10, 10, 10, 199_960]);
        assert_eq!(sizes(&[1, 1, 98, 1, 1], 3), [2, 98, 2]);
        // A few rows between large runs join the smaller of them.
        assert_eq!(sizes(&[90, 1, 80, 40, 20], 4), [90, 81, 40, 20]);
        assert_eq!(sizes(&[1, 90, 80, 40, 20], 4), [91, 80, 40, 20]);
        assert_eq!(sizes(&[5, 5, 5], 1), [15]);
    }
}
