//! What each threshold on a probability would do.

use super::class_score::{ClassScore, lift, share};
use crate::spec::EvalSpec;
use crate::stat::Run;
use crate::util::few_digits::few_digits;

/// What taking the rows of at least some probability for the event does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the columns of the table `thresholds`
pub struct Threshold {
    pub threshold: f64,
    pub predicted: u64,
    pub true_positives: u64,
    pub false_positives: u64,
    pub false_negatives: u64,
    pub true_negatives: u64,
    pub precision: Option<f64>,
    pub recall: Option<f64>,
    pub false_positive_rate: Option<f64>,
    pub f1: Option<f64>,
    pub lift: Option<f64>,
    pub cost: f64,
    pub is_best: bool,
}

/// A threshold that prints whole. It takes the rows of a probability, but not the rows of the
/// `next` lower one.
fn printed(probability: f64, next: Option<f64>) -> f64 {
    let next = next.unwrap_or(f64::NEG_INFINITY);
    few_digits(-probability..-next).map_or(probability, |threshold| -threshold)
}

/// Every threshold that takes other rows than the one before, from one that takes none (infinity) to one
/// that takes all. Runs fall.
pub(super) fn thresholds(runs: &[Run], spec: &EvalSpec) -> Vec<Threshold> {
    let (n, events) = Run::total(runs);
    let (mut taken, mut right) = (0, 0);
    let none = Run { probability: f64::INFINITY, n: 0, events: 0 };
    let mut next = runs.iter().map(|run| run.probability);
    let mut rows: Vec<Threshold> = [none]
        .iter()
        .chain(runs)
        .map(|run| {
            taken += run.n;
            right += run.events;
            let (false_positives, false_negatives) = (taken - right, events - right);
            let score = ClassScore { n: events, predicted: taken, right, ..ClassScore::default() };
            let costs = false_positives as f64 * spec.false_positive_cost
                + false_negatives as f64 * spec.false_negative_cost;
            Threshold {
                threshold: printed(run.probability, next.next()),
                predicted: taken,
                true_positives: right,
                false_positives,
                false_negatives,
                true_negatives: n - events - false_positives,
                precision: score.precision(),
                recall: score.recall(),
                false_positive_rate: share(false_positives, n - events),
                f1: score.f1(),
                lift: lift((taken, right), (n, events)),
                cost: costs / n as f64,
                is_best: false,
            }
        })
        .collect();
    // The first of equal costs, which takes the fewest rows.
    if let Some(best) =
        rows.iter_mut().reduce(|best, row| if row.cost < best.cost { row } else { best })
    {
        best.is_best = true;
    }
    rows
}
