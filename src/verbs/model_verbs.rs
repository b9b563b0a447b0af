//! The verbs as methods of models: what they answer, how good that is, and how it comes about.

use super::frame::Frame;
use super::model_columns::ModelColumns;
use super::score_spec::{ScoreReport, ScoreSpec};
use crate::error::Result;
use crate::evaluation::Evaluation;
use crate::spec::{ContributionSpec, DriftSpec, EvalSpec, PermutationSpec};

/// What a [`Tree`](crate::Tree), a [`Forest`](crate::Forest) and a [`Model`](crate::Model) of either
/// kind do alike with the rows of a [frame](Frame): they score it, are judged by it, and are explained
/// on it. This trait is sealed.
pub trait ModelVerbs: ModelColumns {
    /// The frame with a column `prediction` of the target's dtype. Means of integers and decimals are
    /// f64. A categorical is of Polars' global categories, in Arrow a dictionary of text; integers of
    /// 128 bits are decimals of 39 digits in Arrow.
    ///
    /// Integer widths compare as integers, an f32 column fits an f64 model, all types of text are
    /// interchangeable, a Null column is all missing; columns the model does not use are not looked at.
    /// Batches of a stream may be scored one by one.
    ///
    /// # Errors
    /// A used column that is absent or of another dtype, or a column of the frame named `prediction`.
    fn score<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        self.score_with(frame, &ScoreSpec::default())
    }

    /// [`score`](Self::score) with more, or other, columns.
    ///
    /// # Errors
    /// As [`score`](Self::score), a kept column that is not there, and what the model does not have:
    /// probabilities of a number, votes of one tree, leaf ids of a forest.
    fn score_with<F: Frame + ?Sized>(&self, frame: &F, spec: &ScoreSpec) -> Result<F::Table> {
        Ok(self.score_with_report(frame, spec)?.0)
    }

    /// [`score_with`](Self::score_with), and a report on it.
    ///
    /// # Errors
    /// As [`score_with`](Self::score_with).
    fn score_with_report<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &ScoreSpec,
    ) -> Result<(F::Table, ScoreReport)> {
        self.model_ref().score(frame, spec)
    }

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
    fn evaluation<F: Frame + ?Sized>(&self, frame: &F) -> Result<Evaluation> {
        self.evaluation_with(frame, &EvalSpec::default())
    }

    /// [`evaluation`](Self::evaluation) with an event of one's own, costs, or intervals.
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation); an event that is no class, and numbers out of range.
    fn evaluation_with<F: Frame + ?Sized>(&self, frame: &F, spec: &EvalSpec) -> Result<Evaluation> {
        let columns = frame.columns(&self.model_ref().judged_columns().into())?;
        F::in_pool(spec.threads, || self.model_ref().evaluate_frame(&columns, spec))
    }

    /// [`evaluation`](Self::evaluation) as a table of one row. Of classes `rows u64, accuracy
    /// f64, majority_accuracy f64, log_loss f64, brier f64, roc_auc f64?, average_precision f64?,
    /// event str?, absent_levels u64`; of numbers `rows u64, rmse f64, mae f64, r2 f64, absent_levels u64`.
    /// [`Evaluation`] says what they mean.
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation).
    fn evaluate<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        self.evaluation(frame)?.table().into_table()
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
    fn intervals<F: Frame + ?Sized>(&self, frame: &F, spec: &EvalSpec) -> Result<F::Table> {
        self.evaluation_with(frame, &spec.with_bootstrap())?.intervals_table().into_table()
    }

    /// How good the predictions of each class are, in class order: `class str, n u64, predicted
    /// u64, precision f64?, recall f64?, f1 f64?, roc_auc f64?, average_precision f64?`; `n` are the
    /// rows of the class, and the last two are of the class against the rest.
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation); a numeric target.
    fn by_class<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        match self.evaluation(frame)? {
            Evaluation::Classes { by_class, .. } => {
                self.model_ref().by_class_table(&by_class).into_table()
            }
            Evaluation::Numbers { .. } => Err(self.model_ref().schema().not_of_classes()),
        }
    }

    /// How far probabilities can be trusted: rows by their probability of the event, in about
    /// [`bins`](EvalSpec::bins) of about as many rows each: `event str, at_least f64, at_most f64, n u64,
    /// mean_probability f64, actual_share f64, lift f64?`; `lift` is the actual share over that of all
    /// rows. Rows of one probability share a bin. Of more than two classes an event must be named.
    ///
    /// # Errors
    /// As [`evaluation_with`](Self::evaluation_with); a numeric target, no event.
    fn calibration<F: Frame + ?Sized>(&self, frame: &F, spec: &EvalSpec) -> Result<F::Table> {
        self.evaluation_with(frame, spec)?.calibration_table()?.into_table()
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
    fn thresholds<F: Frame + ?Sized>(&self, frame: &F, spec: &EvalSpec) -> Result<F::Table> {
        self.evaluation_with(frame, spec)?.thresholds_table()?.into_table()
    }

    /// How often each class was taken for each: `actual str, predicted str, n u64`, every pair
    /// of the model's classes in class order (of more than 100 classes the pairs that occur); rows of classes it was never trained on come last,
    /// with `actual` null.
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation), but a frame without rows gives zeros; a numeric
    /// target.
    fn confusion<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        let columns = frame.columns(&self.model_ref().judged_columns().into())?;
        F::in_pool(None, || self.model_ref().confusion_table(&columns)?.into_table())
    }

    /// How two frames differ for the model: the table of [`drift`](crate::drift) of the columns it uses (or
    /// that the spec names), of its `prediction`, and of a tree of the `leaf_id` a row stops at, whose
    /// levels are the leaves. A LazyFrame runs twice; of Parquet files, a few columns are read at a time.
    ///
    /// # Errors
    /// As [`drift`](crate::drift), and as scoring either frame.
    fn drift<F: Frame + ?Sized>(
        &self,
        reference: &F,
        current: &F,
        spec: &DriftSpec,
    ) -> Result<F::Table> {
        self.model_ref().drift(reference, current, spec)
    }

    /// How much each feature contributes to the model's answer for each row: exact Shapley
    /// values (Lundberg, Erion & Lee 2018, "Consistent individualized feature attribution for
    /// tree ensembles", arXiv:1802.03888). A row a row, in order: of classes `event str`, the one that is
    /// explained; `prediction f64`, the
    /// probability of the event or the mean; `base_value f64`, the answer where no feature is
    /// known; and for each feature, in the model's order, `contribution_<feature> f64`. The
    /// base value and the contributions sum to the prediction, but for rounding.
    ///
    /// Where only some features are known, a row goes at a node that tests one of them where it goes in
    /// scoring, and at any other down every branch, by the branches' shares of the training weight (the
    /// path-dependent form). A row that stops at a node, as its level was not there in training, gets
    /// that node's answer. A feature that no rule tests contributes 0.
    ///
    /// Of two classes it is about the rarer one; [`contributions_with`](Self::contributions_with) names
    /// another. The frame needs the columns that the rules use, and no target. It says what the model
    /// answers, and not what causes what. `O(nodes * d)` a row, where a path tests at most d distinct
    /// features.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df![
    ///     "size" => [1, 2, 8, 9, 8, 9],
    ///     "red" => [true, false, true, true, false, false],
    ///     "ripe" => ["no", "no", "yes", "yes", "no", "no"],
    /// ]?;
    /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
    /// let why = tree.contributions(&df)?;
    /// let at = |name: &str| -> PolarsResult<f64> { Ok(why.column(name)?.f64()?.get(2).unwrap()) };
    /// assert_eq!(at("prediction")?, 1.0);
    /// let sum = at("base_value")? + at("contribution_size")? + at("contribution_red")?;
    /// assert!((sum - 1.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`score`](Self::score); more than two classes without an event.
    fn contributions<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        self.contributions_with(frame, &ContributionSpec::default())
    }

    /// [`contributions`](Self::contributions) to the probability of a class of one's own.
    ///
    /// # Errors
    /// As [`contributions`](Self::contributions); an event that is no class of the target.
    fn contributions_with<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let columns = frame.columns(&self.model_ref().used_columns().into())?;
        F::in_pool(spec.threads, || self.model_ref().contributions(&columns, spec))
    }

    /// The features by how much they contribute to the answers for the rows of a frame, the most
    /// first and the earlier of equals: `rank u32, feature str, mean_absolute f64`, of classes `event str`; the mean of
    /// the absolute [contributions](Self::contributions), in the unit of the answer. Each row
    /// counts alike. Memory does not grow with the rows.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
    /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
    /// let ranking = tree.contribution_importance(&df, &ContributionSpec::default())?;
    /// assert_eq!(ranking.column("feature")?.str()?.get(0), Some("x"));
    /// assert_eq!(ranking.column("mean_absolute")?.f64()?.get(0), Some(1.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`contributions_with`](Self::contributions_with), and a frame without rows.
    fn contribution_importance<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let columns = frame.columns(&self.model_ref().used_columns().into())?;
        F::in_pool(spec.threads, || self.model_ref().contribution_importance(&columns, spec))
    }

    /// How the features work together in the model's answer for each row, in pairs (Lundberg,
    /// Erion & Lee 2018): `row u32`, counted from 0, `feature str`, `other str` and
    /// `interaction f64`, of classes `event str`, a line for each row and each pair of the features that rules test, in the
    /// model's order. Where both are the same feature it is its main effect; else it is what the
    /// two contribute together beyond what each does without the other, both halves of
    /// SHAP's symmetric matrix. The base value and the lines of a row sum to its prediction, and a
    /// feature's main effect and half of its pairs to its
    /// [contribution](Self::contributions).
    ///
    /// `O(leaves * d^3)` a row, where a path tests at most d distinct features.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// // Neither tells anything alone.
    /// let df = df!["a" => [0, 0, 1, 1], "b" => [0, 1, 0, 1], "y" => [0.5, 2.5, 2.5, 0.5]]?;
    /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
    /// let pairs = tree.interactions(&df, &ContributionSpec::default())?;
    /// let of_first: Vec<f64> = pairs.column("interaction")?.f64()?.into_no_null_iter().take(3).collect();
    /// assert_eq!(of_first, [0.0, -1.0, 0.0]); // a, a and b, b
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`contributions_with`](Self::contributions_with), and rules that test more than 30 features.
    fn interactions<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let columns = frame.columns(&self.model_ref().used_columns().into())?;
        F::in_pool(spec.threads, || self.model_ref().interactions(&columns, spec))
    }

    /// How the model's answer for one row of a frame, counted from 0, comes about: from the
    /// answer where no feature is known, feature by feature, to the prediction. `feature str?,
    /// value str?, contribution f64?, answer f64`, of classes `event str`: the first line is the base value, then comes
    /// a line for each feature that rules test, by its absolute
    /// [contribution](Self::contributions), the most first and the earlier of equals. `value` is
    /// the row's (null where it is missing), and `answer` the base value and all contributions so
    /// far; the last one is the prediction.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 8, 9], "z" => [3, 1, 2, 4], "y" => [1.5, 1.5, 4.5, 4.5]]?;
    /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
    /// let steps = tree.waterfall(&df, 3, &ContributionSpec::default())?;
    /// assert_eq!(steps.column("feature")?.str()?.get(1), Some("x"));
    /// assert_eq!(steps.column("value")?.str()?.get(1), Some("9"));
    /// let answers: Vec<f64> = steps.column("answer")?.f64()?.into_no_null_iter().collect();
    /// assert_eq!(answers, [3.0, 4.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`contributions_with`](Self::contributions_with), and a row that the frame does not have.
    fn waterfall<F: Frame + ?Sized>(
        &self,
        frame: &F,
        row: usize,
        spec: &ContributionSpec,
    ) -> Result<F::Table> {
        let columns = frame.columns(&self.model_ref().used_columns().into())?;
        F::in_pool(spec.threads, || self.model_ref().waterfall(&columns, row, spec))
    }

    /// How much worse the model answers the rows of a frame where a feature's values are permuted
    /// among them, most important first: `rank u32, feature str, importance f64,
    /// standard_error f64?, z f64?`.
    ///
    /// `importance` is by how much the [loss](crate::PermutationLoss) of the rows rises: by default the
    /// Brier score of classes, and the mean squared error of numbers. It is the mean over the
    /// [repeats](PermutationSpec::repeats), `standard_error` its standard error over them, and `z`
    /// the mean in standard errors. Rows that training had not seen tell what the features do for new
    /// ones. Of features that say the same each may seem to matter little: make a
    /// [group](PermutationSpec::group) of them. `O(features * repeats)` times scoring.
    ///
    /// ```
    /// use gaintree::PermutationSpec;
    /// use gaintree::prelude::*;
    /// use polars::prelude::*;
    ///
    /// let df = df!["size" => [1, 2, 3, 7, 8, 9], "mood" => [1, 2, 1, 2, 1, 2], "ripe" => [0, 0, 0, 1, 1, 1]]?;
    /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
    /// let table = tree.permutation_importance(&df, &PermutationSpec::default())?;
    /// assert_eq!(table.column("feature")?.str()?.get(0), Some("size"));
    /// assert_eq!(table.column("importance")?.f64()?.get(1), Some(0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation); a group of no feature, a feature that the model does not
    /// know or that is in two groups, no repeat, a loss of classes for a model of numbers, and the
    /// area under the ROC curve of rows of one class.
    fn permutation_importance<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<F::Table> {
        Ok(self.permutation_importance_with_note(frame, spec)?.0)
    }

    /// [`permutation_importance`](Self::permutation_importance), and a note where no answer changed.
    ///
    /// ```
    /// use gaintree::prelude::*;
    /// use gaintree::{PermutationLoss, PermutationSpec};
    /// use polars::prelude::*;
    ///
    /// let df = df!["size" => [1, 1, 1, 2, 2, 2], "ripe" => [0, 0, 0, 1, 0, 0]]?;
    /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
    /// let spec = PermutationSpec::default().loss(PermutationLoss::Error);
    /// let (_, note) = tree.permutation_importance_with_note(&df, &spec)?;
    /// assert!(note.is_some_and(|note| note.contains("loss = brier")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`permutation_importance`](Self::permutation_importance).
    fn permutation_importance_with_note<F: Frame + ?Sized>(
        &self,
        frame: &F,
        spec: &PermutationSpec,
    ) -> Result<(F::Table, Option<String>)> {
        let columns = frame.columns(&self.model_ref().judged_columns().into())?;
        F::in_pool(spec.threads, || self.model_ref().permutation_importance(&columns, spec))
    }
}

impl<M: ModelColumns> ModelVerbs for M {}
