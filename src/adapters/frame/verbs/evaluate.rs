//! A model's predictions compared with the target of a frame.

use polars::prelude::DataFrame;

use crate::adapters::common::model_ref::ModelRef;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::frame;
use crate::error::Result;
use crate::evaluation::Evaluation;
use crate::fitted::{Forest, Model, Tree};
use crate::spec::EvalSpec;

impl Evaluation {
    /// The table of [`Tree::evaluate`].
    ///
    /// # Errors
    /// Whatever Polars says on building the frame.
    pub fn to_frame(&self) -> Result<DataFrame> {
        frame(self.into())
    }

    /// The table of [`Tree::thresholds`].
    ///
    /// # Errors
    /// Numbers, and more than two classes without an event.
    pub fn thresholds_to_frame(&self) -> Result<DataFrame> {
        frame(self.thresholds_table()?)
    }

    /// The table of [`Tree::intervals`]; without rows where the spec asked for none.
    ///
    /// # Errors
    /// Whatever Polars says on building the frame.
    pub fn intervals_to_frame(&self) -> Result<DataFrame> {
        frame(self.intervals_table())
    }
}

macro_rules! evaluate_verbs {
    ($($model:ident),*) => {$(
        /// Judging.
        impl $model {
            /// How good the model's predictions are on a frame with the target in it. A row of a class
            /// the model was never trained on counts as wrong. Weights play no part.
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
            /// As [`score`](Self::score), a missing target, and a frame without rows.
            pub fn evaluation(&self, df: &DataFrame) -> Result<Evaluation> {
                self.evaluation_with(df, &EvalSpec::default())
            }

            /// [`evaluation`](Self::evaluation) with an event of one's own, costs, or intervals.
            ///
            /// # Errors
            /// As [`evaluation`](Self::evaluation); an event that is no class, and numbers out of range.
            pub fn evaluation_with(&self, df: &DataFrame, spec: &EvalSpec) -> Result<Evaluation> {
                in_pool(spec.threads, || ModelRef::from(self).evaluate_frame(df, spec))
            }

            /// [`evaluation`](Self::evaluation) as a table of one row. Of classes `rows u64, accuracy
            /// f64, majority_accuracy f64, log_loss f64, brier f64, roc_auc f64?, average_precision f64?,
            /// event str?, absent_levels u64`; of numbers `rows u64, rmse f64, mae f64, r2 f64, absent_levels u64`.
            /// [`Evaluation`] says what they mean.
            ///
            /// # Errors
            /// As [`evaluation`](Self::evaluation).
            pub fn evaluate(&self, df: &DataFrame) -> Result<DataFrame> {
                self.evaluation(df)?.to_frame()
            }

            /// How far the figures of [`evaluate`](Self::evaluate) would go if other rows of the same kind were
            /// drawn: `figure str, value f64?, low f64?, high f64?`, and of classes `event str?`, which the areas are about. Without a bootstrap in the spec it is
            /// of 1,000 draws. `O(resamples x answers x classes)` of classes, where rows of one leaf of a tree share an answer, `O(resamples x rows)` of numbers.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// let df = df!["size" => [1, 2, 3, 4, 8, 9], "ripe" => [0, 1, 0, 0, 1, 1]]?;
            /// let tree = df.fit_tree("ripe", &TreeSpec::cart().max_depth(1))?.tree;
            /// let intervals = tree.intervals(&df, &EvalSpec::default().bootstrap(200))?;
            /// assert_eq!(intervals.height(), 5);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`evaluation_with`](Self::evaluation_with).
            pub fn intervals(&self, df: &DataFrame, spec: &EvalSpec) -> Result<DataFrame> {
                self.evaluation_with(df, &spec.with_bootstrap())?.intervals_to_frame()
            }

            /// How good the predictions of each class are, in class order: `class str, n u64, predicted
            /// u64, precision f64?, recall f64?, f1 f64?, roc_auc f64?, average_precision f64?`; `n` are the
            /// rows of the class, and the last two are of the class against the rest.
            ///
            /// # Errors
            /// As [`evaluation`](Self::evaluation); a numeric target.
            pub fn by_class(&self, df: &DataFrame) -> Result<DataFrame> {
                match self.evaluation(df)? {
                    Evaluation::Classes { by_class, .. } => frame(ModelRef::from(self).by_class_table(&by_class)),
                    Evaluation::Numbers { .. } => Err(self.schema().not_of_classes()),
                }
            }

            /// How far probabilities can be trusted: rows by their probability of the event, in about
            /// [`bins`](EvalSpec::bins) of about as many rows each: `event str, at_least f64, at_most f64, n u64,
            /// mean_probability f64, actual_share f64, lift f64?`; `lift` is the actual share over that of all
            /// rows. Rows of one probability share a bin. Of more than two classes an event must be named.
            ///
            /// # Errors
            /// As [`evaluation_with`](Self::evaluation_with); a numeric target, no event.
            pub fn calibration(&self, df: &DataFrame, spec: &EvalSpec) -> Result<DataFrame> {
                frame(self.evaluation_with(df, spec)?.calibration_table()?)
            }

            /// What each threshold on the probability of the event would do, from one that takes no row
            /// (infinity) to one that takes all: `event str, threshold f64, predicted u64, true_positives u64,
            /// false_positives u64, false_negatives u64, true_negatives u64, precision f64?, recall f64?,
            /// false_positive_rate f64?, f1 f64?, lift f64?, cost f64, is_best bool`. Rows of at least the
            /// threshold are taken for the event. `lift` is the precision over the share of the event, `cost` the
            /// mean cost of a row by the spec's costs; the first threshold of least cost is the best. Costs of 1
            /// give the error rate. Of more than two classes an event must be named.
            ///
            /// ```
            /// # use gaintree::prelude::*;
            /// # use polars::prelude::*;
            /// let df = df!["size" => [1, 1, 1, 1, 5, 5, 9, 9], "ripe" => [0, 0, 0, 1, 0, 1, 1, 1]]?;
            /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
            /// // Leaving a ripe one costs three times what picking an unripe one does.
            /// let table = tree.thresholds(&df, &EvalSpec::default().event("1").false_negative_cost(3.0))?;
            /// let best = table.filter(table.column("is_best")?.bool()?)?;
            /// assert_eq!(best.column("threshold")?.f64()?.get(0), Some(0.5));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            /// As [`calibration`](Self::calibration).
            pub fn thresholds(&self, df: &DataFrame, spec: &EvalSpec) -> Result<DataFrame> {
                self.evaluation_with(df, spec)?.thresholds_to_frame()
            }

            /// How often each class was taken for each: `actual str, predicted str, n u64`, every pair
            /// of the model's classes in class order (of more than 100 classes those that occur); rows of classes it was never trained on come last,
            /// with `actual` null.
            ///
            /// # Errors
            /// As [`evaluation`](Self::evaluation), but a frame without rows gives zeros; a numeric
            /// target.
            pub fn confusion(&self, df: &DataFrame) -> Result<DataFrame> {
                frame(in_pool(None, || ModelRef::from(self).confusion_table(df))?)
            }
        }
    )*};
}

evaluate_verbs!(Tree, Forest, Model);
