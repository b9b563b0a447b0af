//! The loss of answers for rows.

use super::actual::Actual;
use crate::spec::PermutationLoss;
use crate::stat::{Run, log_loss, roc_auc};
use crate::tree::highest;

/// The loss of rows, one after another.
pub(super) struct RowLosses<'a> {
    actual: &'a Actual,
    loss: PermutationLoss,
    n: u64,
    /// Of losses that are a mean over rows.
    sum: f64,
    /// The area under the ROC curve: for each ranked class, each row's probability of it, and
    /// whether the row is of it.
    ranked: Vec<Vec<(f64, bool)>>,
}

impl<'a> RowLosses<'a> {
    /// Without a row yet. Numbers have one loss, and `loss` does not count.
    pub(super) fn new(actual: &'a Actual, loss: PermutationLoss) -> Self {
        RowLosses { actual, loss, n: 0, sum: 0.0, ranked: Vec::new() }
    }

    /// Adds a row: its mean, or the probability of each class.
    pub(super) fn add(&mut self, row: usize, said: &[f64]) {
        self.n += 1;
        let classes = match self.actual {
            Actual::Numbers(numbers) => {
                self.sum += (said[0] - numbers[row]).powi(2);
                return;
            }
            Actual::Classes(classes) => classes,
        };
        let own = || classes[row].map_or(0.0, |class| said[class as usize]);
        match self.loss {
            PermutationLoss::Error => {
                self.sum += f64::from(Some(highest(said) as u32) != classes[row]);
            }
            PermutationLoss::Brier => {
                let squares: f64 = said.iter().map(|share| share * share).sum();
                // The square of either of two classes is the same.
                self.sum += (squares - 2.0 * own() + 1.0) / if said.len() == 2 { 2.0 } else { 1.0 };
            }
            PermutationLoss::LogLoss => self.sum += log_loss(own()),
            PermutationLoss::RocAuc => {
                // The area of either of two classes is the same.
                let ranked = if said.len() == 2 { &said[1..] } else { said };
                let first = said.len() - ranked.len();
                self.ranked.resize_with(ranked.len(), Vec::new);
                for ((class, &share), of_class) in (first..).zip(ranked).zip(&mut self.ranked) {
                    of_class.push((share, classes[row] == Some(class as u32)));
                }
            }
        }
    }

    /// Adds rows that come after these.
    pub(super) fn append(mut self, other: Self) -> Self {
        self.n += other.n;
        self.sum += other.sum;
        self.ranked.resize_with(self.ranked.len().max(other.ranked.len()), Vec::new);
        self.ranked.iter_mut().zip(other.ranked).for_each(|(rows, more)| rows.extend(more));
        self
    }

    /// The loss of the rows; `None` without rows, and for the area under the ROC curve where they
    /// are of one class. `O(rows)`, and `O(classes * rows log rows)` for the area.
    pub(super) fn get(self) -> Option<f64> {
        let is_ranked =
            matches!(self.actual, Actual::Classes(_)) && self.loss == PermutationLoss::RocAuc;
        if !is_ranked {
            return (self.n > 0).then(|| self.sum / self.n as f64);
        }
        let areas: Vec<f64> =
            self.ranked.into_iter().filter_map(|rows| roc_auc(&runs(rows))).collect();
        (!areas.is_empty()).then(|| 1.0 - areas.iter().sum::<f64>() / areas.len() as f64)
    }
}

/// Rows by falling probability; rows of one probability are together.
fn runs(mut rows: Vec<(f64, bool)>) -> Vec<Run> {
    rows.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let of_run = |run: &[(f64, bool)]| Run {
        probability: run[0].0,
        n: run.len() as u64,
        events: run.iter().filter(|(_, is_event)| *is_event).count() as u64,
    };
    rows.chunk_by(|a, b| a.0 == b.0).map(of_run).collect()
}
