//! How good a tree's predictions are on rows whose target is known.

use crate::score::{PreparedTree, Routes};

/// Probabilities are clipped to this before their logarithm is taken: 2^-52.
const LEAST_PROBABILITY: f64 = f64::EPSILON;

/// How good predictions are. Rows have no weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// Of a tree that predicts classes.
    Classes {
        /// Number of rows.
        rows: u64,
        /// Share of rows whose class is predicted.
        accuracy: f64,
        /// Mean of `-ln p` of the actual class, p clipped to [2^-52, 1].
        log_loss: f64,
        /// Rows that met a level their node never saw.
        absent_levels: u64,
    },
    /// Of a tree that predicts numbers.
    Numbers {
        /// Number of rows.
        rows: u64,
        /// Root of the mean squared error.
        rmse: f64,
        /// Mean absolute error.
        mae: f64,
        /// `1 - Σ (y - ŷ)² / Σ (y - ȳ)²`; 0 if all actual numbers are equal.
        r2: f64,
        /// Rows that met a level their node never saw.
        absent_levels: u64,
    },
}

impl PreparedTree<'_> {
    /// Compares predictions with actual classes; `None` is a class the tree was never trained on,
    /// and counts as wrong.
    pub(crate) fn evaluate_classes(self, routes: &Routes, actual: &[Option<u32>]) -> Evaluation {
        let rows = actual.len() as f64;
        let right = actual.iter().zip(self.classes(routes)).filter(|(a, p)| **a == Some(*p));
        let mut loss = 0.0;
        for p in self.probabilities_of(routes, actual) {
            loss -= p.clamp(LEAST_PROBABILITY, 1.0).ln();
        }
        Evaluation::Classes {
            rows: actual.len() as u64,
            accuracy: right.count() as f64 / rows,
            log_loss: loss / rows + 0.0, // not -0
            absent_levels: routes.absent_levels,
        }
    }

    /// Compares predictions with actual numbers.
    pub(crate) fn evaluate_numbers(self, routes: &Routes, actual: &[f64]) -> Evaluation {
        let rows = actual.len() as f64;
        let mean = actual.iter().map(|y| y / rows).sum::<f64>();
        let (mut squares, mut distances, mut spread) = (0.0, 0.0, 0.0);
        for (actual, predicted) in actual.iter().zip(self.means(routes)) {
            let error = actual - predicted;
            squares += error * error;
            distances += error.abs();
            spread += (actual - mean) * (actual - mean);
        }
        Evaluation::Numbers {
            rows: actual.len() as u64,
            rmse: (squares / rows).sqrt(),
            mae: distances / rows,
            r2: if spread > 0.0 { 1.0 - squares / spread } else { 0.0 },
            absent_levels: routes.absent_levels,
        }
    }

    /// How often each class (slow index) was predicted as each (fast index). The rows of classes
    /// the tree was never trained on come last, if there are any.
    pub(crate) fn confusion_counts(self, routes: &Routes, actual: &[Option<u32>]) -> Vec<u64> {
        let k = self.data.schema.classes.len();
        let mut counts = vec![0u64; (k + 1) * k];
        for (actual, predicted) in actual.iter().zip(self.classes(routes)) {
            counts[actual.map_or(k, |c| c as usize) * k + predicted as usize] += 1;
        }
        if counts[k * k..].iter().all(|&n| n == 0) {
            counts.truncate(k * k);
        }
        counts
    }
}
