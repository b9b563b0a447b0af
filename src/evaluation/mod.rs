//! How good predictions are where the target is known.
//!
//! ```text
//! answers, actual targets ─> cells (rows of one answer and one class) ─> figures
//!                                  │                                        ^
//!                                  └─ drawn anew (bootstrap) ───────────────┘
//! ```
//!
//! Rows of one leaf of a tree share an answer, and have the same probabilities, so that every figure of
//! classes is one of the cells' numbers of rows. Figures of numbers are sums over rows.

mod bootstrap;
mod calibration;
mod class_score;
mod event;
mod figures;
mod like_training;
mod of_classes;
mod of_models;
mod of_numbers;
mod thresholds;

pub use bootstrap::FigureInterval;
pub use calibration::CalibrationBin;
pub use class_score::{ClassScore, Confusion};
pub use figures::Evaluation;
pub use thresholds::Threshold;

pub(crate) use of_classes::confusion;

#[cfg(feature = "plot")]
pub(crate) use class_score::most_frequent;
