//! The figures of predictions.

use super::bootstrap::FigureInterval;
use super::calibration::CalibrationBin;
use super::class_score::{ClassScore, Confusion};
use super::event::no_event;
use super::thresholds::Threshold;
use crate::error::{Error, Result};

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
        /// The accuracy of always answering the most frequent class of these rows.
        majority_accuracy: f64,
        /// Mean of `-ln p` of the actual class, p clipped to [2^-52, 1].
        log_loss: f64,
        /// The mean of the squared errors of the probabilities (Brier 1950): for two classes that
        /// of either, from 0 to 1; for more the sum over the classes, from 0 to 2.
        brier: f64,
        /// The chance that a row of the event has a higher probability of it than another row, ties
        /// counting half (the area under the ROC curve). Without an event the mean over the classes,
        /// each against the rest. `None` where the rows are of one class.
        roc_auc: Option<f64>,
        /// The mean precision at each row of the event, where rows are taken by falling probability
        /// (the area under the precision-recall curve). Without an event the mean over the classes
        /// that have rows. Chance gives the share of the event.
        average_precision: Option<f64>,
        /// The class that thresholds and calibration are about, as text: the one the spec names, or
        /// the rarer of two classes in training.
        event: Option<String>,
        /// The rows by their probability of the event, in bins of about as many rows each.
        calibration: Vec<CalibrationBin>,
        /// What each threshold on the probability of the event would do, from the highest down.
        thresholds: Vec<Threshold>,
        /// Each class's own figures, in class order.
        by_class: Vec<ClassScore>,
        /// The pairs of classes that occur, in class order; rows of classes the tree was never
        /// trained on come last.
        confusion: Vec<Confusion>,
        /// How far the figures would go on other rows, if the spec asks for it.
        intervals: Vec<FigureInterval>,
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
        /// How far the figures would go on other rows, if the spec asks for it.
        intervals: Vec<FigureInterval>,
        /// Rows that met a level their node never saw.
        absent_levels: u64,
        /// See [`looks_like_training`](Evaluation::looks_like_training).
        looks_like_training: bool,
    },
}

impl Evaluation {
    /// Whether the rows look like the training rows of the tree: as many end in each leaf, with the
    /// same classes or the same mean. Where training rows had weights, only their numbers are
    /// compared.
    pub fn looks_like_training(&self) -> bool {
        match self {
            Evaluation::Classes { looks_like_training, .. }
            | Evaluation::Numbers { looks_like_training, .. } => *looks_like_training,
        }
    }

    /// The figures of all rows by their names in the table of `evaluate`, in its order.
    pub fn figures(&self) -> Vec<(&'static str, Option<f64>)> {
        match *self {
            Evaluation::Classes {
                accuracy,
                majority_accuracy,
                log_loss,
                brier,
                roc_auc,
                average_precision,
                ..
            } => vec![
                ("accuracy", Some(accuracy)),
                ("majority_accuracy", Some(majority_accuracy)),
                ("log_loss", Some(log_loss)),
                ("brier", Some(brier)),
                ("roc_auc", roc_auc),
                ("average_precision", average_precision),
            ],
            Evaluation::Numbers { rmse, mae, r2, .. } => {
                vec![("rmse", Some(rmse)), ("mae", Some(mae)), ("r2", Some(r2))]
            }
        }
    }

    /// How far the figures would go on other rows; empty unless the spec asked for it.
    pub fn intervals(&self) -> &[FigureInterval] {
        match self {
            Evaluation::Classes { intervals, .. } | Evaluation::Numbers { intervals, .. } => {
                intervals
            }
        }
    }

    /// The bins of a calibration, and the event they are about.
    ///
    /// # Errors
    /// Numbers, and classes without an event.
    pub(crate) fn calibration(&self) -> Result<(&str, &[CalibrationBin])> {
        match self {
            Evaluation::Classes { event: Some(event), calibration, .. } => Ok((event, calibration)),
            _ => Err(self.no_event()),
        }
    }

    /// The thresholds on the probability of the event, and the event.
    ///
    /// # Errors
    /// Numbers, and classes without an event.
    pub(crate) fn thresholds(&self) -> Result<(&str, &[Threshold])> {
        match self {
            Evaluation::Classes { event: Some(event), thresholds, .. } => Ok((event, thresholds)),
            _ => Err(self.no_event()),
        }
    }

    fn no_event(&self) -> Error {
        match self {
            Evaluation::Classes { by_class, .. } => no_event(by_class.len()),
            Evaluation::Numbers { .. } => {
                Error::spec("the model's target is a number: it has no classes, and so no event")
            }
        }
    }

    /// What to know of the figures, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.looks_like_training().then(|| LIKE_TRAINING.to_string()).into_iter().collect()
    }
}
