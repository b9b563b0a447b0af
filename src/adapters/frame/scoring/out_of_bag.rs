//! What a forest says of its training rows, as frames.

use std::borrow::Cow;

use polars::prelude::{
    BooleanChunked, Column, DataFrame, IdxCa, IntoColumn, NamedFrom, UInt32Chunked,
};

use crate::adapters::common::evaluate::{confusion_table, no_rows, target_of};
use crate::adapters::common::request::NamedColumns;
use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::{Columns, frame};
use crate::error::{Error, Result};
use crate::evaluation::Evaluation;
use crate::fitted::Forest;
use crate::score::{Actual, CurvePoint, ForestAnswers, OutOfBagRows, Voting};
use crate::spec::{EvalSpec, Monitor};

/// What a forest says of the rows it was fitted on, each row by the trees that left it out (Breiman
/// 1996). It judges the forest as rows that are held out do, without holding any out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutOfBag {
    /// For each row of the frame `prediction` of the target's dtype (f64 for means of integers and
    /// decimals), of classes a column `probability_<class> f64` each, and `n_trees u32`, the number of
    /// trees that left it out. Where none did, the others are null; of a row of weight 0 all are.
    pub predictions: DataFrame,
    /// How good the predictions are; weights play no part. `None` where no row has one.
    pub evaluation: Option<Evaluation>,
    /// How often each class was taken for each, as [`Forest::confusion`] has it; `None` of numbers.
    pub confusion: Option<DataFrame>,
    /// For each number of trees, from 1, how far off the first ones are: `n_trees u32`, `n_rows u64`
    /// that some of them left out, and of these `error f64?`, the share that is predicted wrong; of
    /// numbers `rmse f64?`.
    pub curve: DataFrame,
    /// How many rows of positive weight every tree drew: they have no prediction.
    pub always_drawn: u64,
}

/// What the trees of a forest say of training rows that they left out.
pub(crate) struct AnsweredOutOfBag {
    /// Of the rows that some tree left out, and what is true of them.
    pub(crate) answers: ForestAnswers,
    pub(crate) actual: Actual,
    /// Whether a row is one of these.
    pub(crate) is_answered: Vec<bool>,
    n_trees: Vec<u32>,
    /// How far off the first trees are.
    pub(crate) curve: Vec<CurvePoint>,
}

/// The rows of positive weight of a frame.
pub(crate) struct TrainingFrame<'a> {
    df: Cow<'a, DataFrame>,
    weights: Option<Vec<f64>>,
    /// Of each row of the whole frame; `None` where all are.
    is_present: Option<Vec<bool>>,
}

impl TrainingFrame<'_> {
    pub(crate) fn df(&self) -> &DataFrame {
        &self.df
    }

    /// The index of each of its rows in the whole frame.
    #[cfg(feature = "plot")]
    pub(crate) fn row_indices(&self) -> Vec<usize> {
        match &self.is_present {
            None => (0..self.df.height()).collect(),
            Some(is_present) => {
                is_present.iter().enumerate().filter_map(|(at, is)| is.then_some(at)).collect()
            }
        }
    }

    /// `None` if all are 1.
    pub(crate) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// A frame of all rows from one of those of positive weight: the others are null.
    pub(super) fn of_all_rows(&self, present: DataFrame) -> Result<DataFrame> {
        match &self.is_present {
            None => Ok(present),
            Some(is_present) => spread(&present, is_present),
        }
    }
}

impl Forest {
    /// What the forest says of the rows it was fitted on, each by the trees that left it out. The draws
    /// are made again from the [spec](crate::ForestSpec), also for a forest that was loaded; the
    /// frame has to be the training frame, all rows in their order. `O(rows * trees * depth)`.
    ///
    /// ```
    /// use gaintree::prelude::*;
    /// use polars::prelude::*;
    ///
    /// let df = df!["size" => [1, 2, 3, 4, 8, 9], "ripe" => [0, 0, 0, 1, 1, 1]]?;
    /// let forest = df.fit_forest("ripe", &ForestSpec::default().trees(100).seed(1))?.forest;
    /// let out_of_bag = forest.out_of_bag(&df)?;
    /// assert_eq!(out_of_bag.predictions.height(), df.height());
    /// assert_eq!(out_of_bag.curve.height(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`evaluation`](Self::evaluation); rows that the forest was not fitted on, and trees that
    /// have all rows.
    pub fn out_of_bag(&self, df: &DataFrame) -> Result<OutOfBag> {
        self.out_of_bag_with(df, Voting::Soft, &EvalSpec::default())
    }

    /// [`out_of_bag`](Self::out_of_bag) by votes, or judged with an event of one's own, costs or
    /// intervals.
    ///
    /// # Errors
    /// As [`out_of_bag`](Self::out_of_bag) and [`evaluation_with`](Self::evaluation_with).
    pub fn out_of_bag_with(
        &self,
        df: &DataFrame,
        voting: Voting,
        spec: &EvalSpec,
    ) -> Result<OutOfBag> {
        in_pool(spec.threads, || self.judge_out_of_bag(df, voting, spec))
    }

    /// [`out_of_bag_with`](Self::out_of_bag_with), in the current pool.
    pub(crate) fn judge_out_of_bag(
        &self,
        df: &DataFrame,
        voting: Voting,
        spec: &EvalSpec,
    ) -> Result<OutOfBag> {
        self.checked_event(spec)?;
        let training = self.training_frame(df)?;
        let judged = self.judge_present(training.df(), training.weights(), voting, spec)?;
        Ok(OutOfBag { predictions: training.of_all_rows(judged.predictions)?, ..judged })
    }

    /// The rows of positive weight of a frame: one of weight 0 is as if absent.
    pub(crate) fn training_frame<'a>(&self, df: &'a DataFrame) -> Result<TrainingFrame<'a>> {
        let weights = self.spec().tree.request(&self.schema().target).weights(df)?;
        let weights = match weights {
            Some(weights) if weights.contains(&0.0) => weights,
            weights => {
                return Ok(TrainingFrame { df: Cow::Borrowed(df), weights, is_present: None });
            }
        };
        let is_present: Vec<bool> = weights.iter().map(|&weight| weight > 0.0).collect();
        let present = df.filter(&BooleanChunked::new("".into(), &is_present))?;
        let weights = Some(kept(weights, &is_present));
        Ok(TrainingFrame { df: Cow::Owned(present), weights, is_present: Some(is_present) })
    }

    /// Judges rows of positive weight.
    fn judge_present(
        &self,
        df: &DataFrame,
        weights: Option<&[f64]>,
        voting: Voting,
        spec: &EvalSpec,
    ) -> Result<OutOfBag> {
        if df.height() == 0 {
            return Err(no_rows());
        }
        let monitor = spec.monitor.as_ref();
        let AnsweredOutOfBag { answers, actual, is_answered, n_trees, curve } =
            self.answered_out_of_bag(df, weights, voting, monitor)?;
        let predictions = with_n_trees(self.added_of(&answers)?, n_trees, &is_answered)?;
        let always_drawn = is_answered.iter().filter(|&&is_answered| !is_answered).count() as u64;
        let is_judged = (always_drawn as usize) < is_answered.len();
        let evaluation = is_judged.then(|| self.evaluate_answers(&answers, &actual, spec));
        let evaluation = evaluation.transpose()?;
        let pairs = match &evaluation {
            Some(Evaluation::Classes { confusion, .. }) => confusion.clone(),
            Some(Evaluation::Numbers { .. }) | None => Vec::new(),
        };
        let confusion =
            (!self.is_regression()).then(|| frame(confusion_table(pairs, self.schema())));
        let (confusion, curve) = (confusion.transpose()?, self.curve_frame(&curve)?);
        Ok(OutOfBag { predictions, evaluation, confusion, curve, always_drawn })
    }

    /// What the trees say of rows of positive weight that they left out.
    pub(crate) fn answered_out_of_bag(
        &self,
        df: &DataFrame,
        weights: Option<&[f64]>,
        voting: Voting,
        monitor: Option<&Monitor>,
    ) -> Result<AnsweredOutOfBag> {
        let schema = self.schema();
        let actual = schema.actual(&target_of(schema, df)?)?;
        let rows = OutOfBagRows { actual: &actual, voting, monitor };
        let column = |name: &str| df.column_to_score(name);
        let out = self.out_of_bag_answers(&rows, weights, column, &names(df))?;
        let is_answered: Vec<bool> = out.n_trees.iter().map(|&n| n > 0).collect();
        let width = schema.classes.len().max(1);
        let answers = ForestAnswers {
            classes: kept(out.classes, &is_answered),
            values: kept_runs(out.values, width, &is_answered),
            absent_levels: 0,
        };
        let actual = match actual {
            Actual::Classes(classes) => Actual::Classes(kept(classes, &is_answered)),
            Actual::Numbers(numbers) => Actual::Numbers(kept(numbers, &is_answered)),
        };
        Ok(AnsweredOutOfBag {
            answers,
            actual,
            is_answered,
            n_trees: out.n_trees,
            curve: out.curve,
        })
    }

    pub(crate) fn curve_frame(&self, curve: &[CurvePoint]) -> Result<DataFrame> {
        let mean =
            |point: &CurvePoint| (point.n_rows > 0).then(|| point.errors / point.n_rows as f64);
        let (name, error): (_, Vec<Option<f64>>) = match self.is_regression() {
            true => ("rmse", curve.iter().map(|point| mean(point).map(f64::sqrt)).collect()),
            false => ("error", curve.iter().map(mean).collect()),
        };
        Columns::default()
            .add("n_trees", 1..=curve.len() as u32)
            .add("n_rows", curve.iter().map(|point| point.n_rows))
            .add(name, error)
            .frame()
    }
}

/// A frame of all rows from the columns of those that some tree left out, and how many trees did.
pub(super) fn with_n_trees(
    answered: Vec<Column>,
    n_trees: Vec<u32>,
    is_answered: &[bool],
) -> Result<DataFrame> {
    let mut df = spread(&DataFrame::new_infer_height(answered)?, is_answered)?;
    df.with_column(UInt32Chunked::from_vec("n_trees".into(), n_trees).into_column())?;
    Ok(df)
}

/// The rows of a frame at the places that are taken, and nulls at the others.
fn spread(df: &DataFrame, is_taken: &[bool]) -> Result<DataFrame> {
    if is_taken.iter().all(|&taken| taken) {
        return Ok(df.clone());
    }
    let mut next = 0..;
    let places = is_taken.iter().map(|&taken| if taken { next.next() } else { None });
    df.take(&places.collect::<IdxCa>()).map_err(Error::from)
}

/// The values of rows, one a row, of which some are kept.
fn kept<T>(values: Vec<T>, is_kept: &[bool]) -> Vec<T> {
    kept_runs(values, 1, is_kept)
}

/// The values of rows, so many a row, of which some are kept.
pub(super) fn kept_runs<T>(values: Vec<T>, width: usize, is_kept: &[bool]) -> Vec<T> {
    if is_kept.iter().all(|&kept| kept) {
        return values;
    }
    let of_rows = is_kept.iter().flat_map(|&kept| std::iter::repeat_n(kept, width));
    values.into_iter().zip(of_rows).filter_map(|(value, kept)| kept.then_some(value)).collect()
}
