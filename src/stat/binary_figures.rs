//! One class against the rest: figures of the order that a class's probability puts rows in.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Run {
    pub(crate) probability: f64,
    pub(crate) n: u64,
    pub(crate) events: u64,
}

impl Run {
    /// All rows and all events of some runs.
    pub(crate) fn total(runs: &[Run]) -> (u64, u64) {
        runs.iter().fold((0, 0), |(n, events), run| (n + run.n, events + run.events))
    }
}

/// The chance that a row of the event has a higher probability of it than another row, ties counting
/// half: the area under the ROC curve. `None` where the rows are all of the event, or none. Runs fall.
pub(crate) fn roc_auc(runs: &[Run]) -> Option<f64> {
    let (n, events) = Run::total(runs);
    let others = n - events;
    let (mut above, mut area) = (0.0, 0.0);
    for run in runs {
        area += (run.n - run.events) as f64 * (above + run.events as f64 / 2.0);
        above += run.events as f64;
    }
    (events > 0 && others > 0).then(|| area / (events as f64 * others as f64))
}

/// The mean precision at each event. Rows are taken by falling probability, and rows of one
/// probability together: `Σ (recall_i - recall_{i-1}) precision_i`, the area under the steps of the
/// precision-recall curve. `None` without an event. Runs fall.
pub(crate) fn average_precision(runs: &[Run]) -> Option<f64> {
    let (_, events) = Run::total(runs);
    let (mut taken, mut right, mut area) = (0, 0, 0.0);
    for run in runs {
        taken += run.n;
        right += run.events;
        area += run.events as f64 * (right as f64 / taken.max(1) as f64);
    }
    (events > 0).then(|| area / events as f64)
}
