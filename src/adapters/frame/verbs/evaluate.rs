//! A tree's predictions compared with the target of a frame.

use polars::prelude::DataFrame;

use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::frame;
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::evaluation::Evaluation;

impl Evaluation {
    /// The table of [`Tree::evaluate`].
    ///
    /// # Errors
    /// Whatever Polars says on building the frame.
    pub fn to_frame(&self) -> Result<DataFrame> {
        frame(self.into())
    }
}

impl Tree {
    /// How good the tree's predictions are on a frame with the target in it. A row of a class
    /// the tree was never trained on counts as wrong. Weights play no part.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["size" => [1.0, 2.0, 8.0, 9.0], "ripe" => [false, false, true, true]]?;
    /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
    /// match tree.evaluation(&df)? {
    ///     Evaluation::Classes { accuracy, .. } => assert_eq!(accuracy, 1.0),
    ///     Evaluation::Numbers { rmse, .. } => println!("off by {rmse}"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tree::score`], a missing target, and a frame without rows.
    pub fn evaluation(&self, df: &DataFrame) -> Result<Evaluation> {
        in_pool(None, || self.evaluate_frame(df))
    }

    /// [`evaluation`](Self::evaluation) as a table of one row. Of classes `rows u64, accuracy
    /// f64, majority_accuracy f64, log_loss f64, roc_auc f64?, absent_levels u64`; of numbers `rows u64, rmse f64, mae f64, r2 f64,
    /// absent_levels u64`. [`Evaluation`] says what they mean.
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation).
    pub fn evaluate(&self, df: &DataFrame) -> Result<DataFrame> {
        self.evaluation(df)?.to_frame()
    }

    /// How good the predictions of each class are, in class order: `class str, n u64, predicted
    /// u64, precision f64?, recall f64?, f1 f64?`; `n` are the rows of the class.
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation); a numeric target.
    pub fn by_class(&self, df: &DataFrame) -> Result<DataFrame> {
        match self.evaluation(df)? {
            Evaluation::Classes { by_class, .. } => frame(self.by_class_table(&by_class)),
            Evaluation::Numbers { .. } => Err(self.not_of_classes()),
        }
    }

    /// How far probabilities can be trusted, of two classes: rows by their probability of the
    /// second, in steps of 0.1: `at_least f64, n u64, mean_probability f64, actual_share f64`.
    /// Steps without rows are left out. Empty of more classes.
    ///
    /// # Errors
    /// As [`by_class`](Self::by_class).
    pub fn calibration(&self, df: &DataFrame) -> Result<DataFrame> {
        match self.evaluation(df)? {
            Evaluation::Classes { calibration, .. } => frame(calibration.as_slice().into()),
            Evaluation::Numbers { .. } => Err(self.not_of_classes()),
        }
    }

    /// How often each class was taken for each: `actual str, predicted str, n u64`, every pair
    /// of the tree's classes in class order (of more than 100 classes those that occur); rows of classes it was never trained on come last,
    /// with `actual` null.
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation), but a frame without rows gives zeros; a numeric
    /// target.
    pub fn confusion(&self, df: &DataFrame) -> Result<DataFrame> {
        frame(in_pool(None, || self.confusion_table(df))?)
    }
}
