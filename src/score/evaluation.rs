//! How good a tree's predictions are on rows whose target is known.

use crate::score::{LEAST_PROBABILITY, PreparedTree, Routes};

const LIKE_TRAINING: &str = "these look like the rows the tree was fitted on, so that the figures say how well it learnt \
     them, not how well it answers new rows: judge it by rows that were kept apart";

/// How good predictions are. Rows have no weights.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// Of a tree that predicts classes.
    Classes {
        /// Number of rows.
        rows: u64,
        /// Share of rows whose class is predicted.
        accuracy: f64,
        /// The accuracy of always answering the class that most of these rows are of.
        majority_accuracy: f64,
        /// Mean of `-ln p` of the actual class, p clipped to [2^-52, 1].
        log_loss: f64,
        /// Of two classes: the chance that a row of the second has a higher probability of it than
        /// a row of another, ties counting half (the area under the ROC curve). `None` of more
        /// classes, and where the rows are of one.
        roc_auc: Option<f64>,
        /// Of two classes: the rows by their probability of the second, in ten steps of 0.1, of
        /// which those without rows are left out. Empty of more classes.
        calibration: Vec<CalibrationBin>,
        /// Each class's own figures, in class order.
        by_class: Vec<ClassScore>,
        /// The pairs of classes that occur, in class order; rows of classes the tree was never
        /// trained on come last.
        confusion: Vec<Confusion>,
        /// Rows that met a level their node never saw.
        absent_levels: u64,
        /// See [`looks_like_training`](Evaluation::looks_like_training).
        looks_like_training: bool,
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
        /// See [`looks_like_training`](Evaluation::looks_like_training).
        looks_like_training: bool,
    },
}

/// Rows that have about the same probability of the second class.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the columns of the table `calibration`
pub struct CalibrationBin {
    pub at_least: f64,
    pub n: u64,
    pub mean_probability: f64,
    pub actual_share: f64,
}

/// How good the predictions of one class are; a quotient without rows is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassScore {
    /// Rows of the class.
    pub n: u64,
    /// Rows predicted to be of it.
    pub predicted: u64,
    /// Rows that are both.
    pub right: u64,
}

/// How often a class was taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// An index into the schema's classes; `None` is a class the tree was never trained on.
    pub actual: Option<u32>,
    /// An index into the schema's classes.
    pub predicted: u32,
    /// Rows.
    pub n: u64,
}

impl Evaluation {
    /// Whether the rows look like those the tree was fitted on: as many end in each leaf, of the same
    /// classes or of the same mean. Of a tree of weighted rows only their numbers are compared.
    pub fn looks_like_training(&self) -> bool {
        match self {
            Evaluation::Classes { looks_like_training, .. }
            | Evaluation::Numbers { looks_like_training, .. } => *looks_like_training,
        }
    }

    /// What to know of the figures, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.looks_like_training().then(|| LIKE_TRAINING.to_string()).into_iter().collect()
    }
}

impl ClassScore {
    /// The share of the rows predicted to be of the class that are.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.predicted)
    }

    /// The share of the rows of the class that are predicted to be.
    pub fn recall(&self) -> Option<f64> {
        share(self.right, self.n)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.right, self.n + self.predicted)
    }
}

/// The class of most rows, the lower of equals.
pub(crate) fn most_frequent(by_class: &[ClassScore]) -> usize {
    (0..by_class.len()).rev().max_by_key(|&class| by_class[class].n).unwrap_or(0)
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl PreparedTree<'_> {
    /// Compares predictions with actual classes; `None` is a class the tree was never trained on,
    /// and counts as wrong.
    pub(crate) fn evaluate_classes(self, routes: &Routes, actual: &[Option<u32>]) -> Evaluation {
        let rows = actual.len() as f64;
        let mut loss = 0.0;
        for p in self.probabilities_of(routes, actual) {
            loss -= p.clamp(LEAST_PROBABILITY, 1.0).ln();
        }
        let confusion = self.confusion(routes, actual);
        let k = self.data.schema.classes.len();
        let mut by_class = vec![ClassScore::default(); k];
        for pair in &confusion {
            by_class[pair.predicted as usize].predicted += pair.n;
            if let Some(class) = pair.actual {
                let score = &mut by_class[class as usize];
                score.n += pair.n;
                score.right += if class == pair.predicted { pair.n } else { 0 };
            }
        }
        let right: u64 = by_class.iter().map(|score| score.right).sum();
        let second = if k == 2 { self.second_class(routes, actual) } else { Vec::new() };
        Evaluation::Classes {
            rows: actual.len() as u64,
            accuracy: right as f64 / rows,
            majority_accuracy: by_class[most_frequent(&by_class)].n as f64 / rows,
            log_loss: loss / rows + 0.0, // not -0
            roc_auc: roc_auc(&second),
            calibration: calibration(&second),
            by_class,
            confusion,
            absent_levels: routes.absent_levels,
            looks_like_training: self.data.classes_look_like_training(routes, actual),
        }
    }

    /// Each row's probability of the second class and whether it is of it, ascending.
    fn second_class(self, routes: &Routes, actual: &[Option<u32>]) -> Vec<(f64, bool)> {
        let probabilities = self.probabilities(routes, 1).into_iter();
        let mut rows: Vec<(f64, bool)> =
            probabilities.zip(actual.iter().map(|class| *class == Some(1))).collect();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        rows
    }

    /// The ROC curve of two classes: (share of the first, share of the second) of the rows that
    /// have at least some probability of the second, as it falls. Empty of more classes.
    #[cfg(all(feature = "polars", feature = "plot"))]
    pub(crate) fn roc_curve(self, routes: &Routes, actual: &[Option<u32>]) -> Vec<(f64, f64)> {
        if self.data.schema.classes.len() != 2 {
            return Vec::new();
        }
        let rows = self.second_class(routes, actual);
        let positive = rows.iter().filter(|row| row.1).count() as f64;
        let negative = rows.len() as f64 - positive;
        if positive == 0.0 || negative == 0.0 {
            return Vec::new();
        }
        let (mut right, mut wrong) = (0.0, 0.0);
        let mut points = vec![(0.0, 0.0)];
        for equals in rows.chunk_by(|a, b| a.0 == b.0).rev() {
            let here = equals.iter().filter(|row| row.1).count() as f64;
            right += here;
            wrong += equals.len() as f64 - here;
            points.push((wrong / negative, right / positive));
        }
        points
    }

    /// Compares predictions with actual numbers.
    pub(crate) fn evaluate_numbers(self, routes: &Routes, actual: &[f64]) -> Evaluation {
        let rows = actual.len() as f64;
        let mean = actual.iter().map(|y| y / rows).sum::<f64>();
        let (mut squares, mut distances, mut total_squares) = (0.0, 0.0, 0.0);
        for (actual, predicted) in actual.iter().zip(self.means(routes)) {
            let error = actual - predicted;
            squares += error * error;
            distances += error.abs();
            total_squares += (actual - mean) * (actual - mean);
        }
        Evaluation::Numbers {
            rows: actual.len() as u64,
            rmse: (squares / rows).sqrt(),
            mae: distances / rows,
            r2: if total_squares > 0.0 { 1.0 - squares / total_squares } else { 0.0 },
            absent_levels: routes.absent_levels,
            looks_like_training: self.data.numbers_look_like_training(routes, actual),
        }
    }

    /// The pairs of actual and predicted class that occur.
    pub(crate) fn confusion(self, routes: &Routes, actual: &[Option<u32>]) -> Vec<Confusion> {
        // A class never trained has the column after all.
        let k = self.data.schema.classes.len();
        let column = |class: Option<u32>| class.map_or(k, |class| class as usize) as u64;
        let predicted = self.classes(routes).into_iter().map(u64::from);
        let pairs = actual.iter().zip(predicted).map(|(a, p)| column(*a) * k as u64 + p);
        let confusion = |(pair, n): (u64, u64)| Confusion {
            actual: Some((pair / k as u64) as u32).filter(|&class| (class as usize) < k),
            predicted: (pair % k as u64) as u32,
            n,
        };
        // Of many classes most pairs do not occur.
        if (k + 1) * k <= actual.len() {
            let mut counts = vec![0; (k + 1) * k];
            pairs.for_each(|pair| counts[pair as usize] += 1);
            (0..).zip(counts).filter(|&(_, n)| n > 0).map(confusion).collect()
        } else {
            let mut pairs: Vec<u64> = pairs.collect();
            pairs.sort_unstable();
            let runs = pairs.chunk_by(|a, b| a == b);
            runs.map(|run| confusion((run[0], run.len() as u64))).collect()
        }
    }
}

/// The area under the ROC curve of rows in order of their probability.
fn roc_auc(rows: &[(f64, bool)]) -> Option<f64> {
    let positive = rows.iter().filter(|row| row.1).count() as f64;
    let negative = rows.len() as f64 - positive;
    let (mut below, mut area) = (0.0, 0.0);
    for equals in rows.chunk_by(|a, b| a.0 == b.0) {
        let here = equals.iter().filter(|row| row.1).count() as f64;
        let others = equals.len() as f64 - here;
        area += here * (below + others / 2.0);
        below += others;
    }
    (positive > 0.0 && negative > 0.0).then(|| area / (positive * negative))
}

fn calibration(rows: &[(f64, bool)]) -> Vec<CalibrationBin> {
    const BINS: f64 = 10.0;
    let bin = |p: f64| (p * BINS).floor().min(BINS - 1.0);
    let bins = rows.chunk_by(|a, b| bin(a.0) == bin(b.0));
    bins.map(|rows| {
        let n = rows.len() as f64;
        CalibrationBin {
            at_least: bin(rows[0].0) / BINS,
            n: rows.len() as u64,
            mean_probability: rows.iter().map(|row| row.0).sum::<f64>() / n,
            actual_share: rows.iter().filter(|row| row.1).count() as f64 / n,
        }
    })
    .collect()
}
