//! What a forest says of its training rows.

use std::borrow::Cow;

use super::evaluate::{confusion_table, no_rows, target_of};
use super::frame::{Frame, NamedColumns};
use super::model_ref::ModelRef;
use super::score::ForestScores;
use super::table::{FaceTable, FromResults, ResultColumn, ResultTable};
use crate::data::column_data::MISSING;
use crate::error::Result;
use crate::evaluation::Evaluation;
use crate::fitted::Forest;
use crate::score::{Actual, CurvePoint, ForestAnswers, OutOfBagAnswers, OutOfBagRows, Voting};
use crate::spec::{EvalSpec, Monitor};
use crate::tree::Schema;

/// What a forest says of the rows it was fitted on, each row by the trees that left it out (Breiman
/// 1996). It judges the forest as rows that are held out do, without holding any out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutOfBag<T = FaceTable> {
    /// For each row of the frame `prediction` of the target's dtype (f64 for means of integers and
    /// decimals), of classes a column `probability_<class> f64` each, and `n_trees u32`, the number of
    /// trees that left it out. Where none did, the others are null; of a row of weight 0 all are.
    pub predictions: T,
    /// How good the predictions are; weights play no part. `None` where no row has one.
    pub evaluation: Option<Evaluation>,
    /// How often each class was taken for each, as [`confusion`](crate::ModelVerbs::confusion) has it; `None` of numbers.
    pub confusion: Option<T>,
    /// For each number of trees, from 1, how far off the first ones are: `n_trees u32`, `n_rows u64`
    /// that some of them left out, and of these `error f64?`, the share that is predicted wrong; of
    /// numbers `rmse f64?`.
    pub curve: T,
    /// How many rows of positive weight every tree drew: they have no prediction.
    pub always_drawn: u64,
}

/// What the trees of a forest say of training rows of positive weight that they left out.
pub(crate) struct AnsweredOutOfBag {
    /// Of all rows; that of a row that every tree drew means nothing.
    answers: ForestAnswers,
    actual: Actual,
    /// How many trees left each row out.
    pub(crate) n_trees: Vec<u32>,
    /// How far off the first trees are.
    pub(crate) curve: Vec<CurvePoint>,
}

/// The rows of positive weight of a frame: one of weight 0 is as if absent.
pub(crate) struct TrainingFrame<'a, F: NamedColumns> {
    frame: Cow<'a, F>,
    weights: Option<Vec<f64>>,
    /// Where each row of the whole frame is among these, or [`MISSING`]; `None` where all are.
    places: Option<Vec<u32>>,
}

impl<F: NamedColumns> TrainingFrame<'_, F> {
    pub(crate) fn frame(&self) -> &F {
        &self.frame
    }

    /// The index of each of its rows in the whole frame.
    #[cfg(feature = "plot")]
    pub(crate) fn row_indices(&self) -> Vec<usize> {
        match &self.places {
            None => (0..self.frame.n_rows()).collect(),
            Some(places) => (0..places.len()).filter(|&row| places[row] != MISSING).collect(),
        }
    }

    /// `None` if all are 1.
    pub(crate) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The table of all rows of the whole frame. `answers` are those for the rows of positive weight, null
    /// where no tree left the row out; `n_trees` says how many did.
    pub(super) fn table_of_all<'c, T: FromResults>(
        &self,
        answers: impl Iterator<Item = (String, ResultColumn<'c>)>,
        n_trees: Vec<u32>,
    ) -> Result<T> {
        let all = 0..n_trees.len() as u32;
        let places = self.places.clone().unwrap_or_else(|| all.collect());
        let answered = |&row: &u32| match row {
            MISSING => MISSING,
            row if n_trees[row as usize] == 0 => MISSING,
            row => row,
        };
        let answered: Vec<u32> = places.iter().map(answered).collect();
        let of_rows = |column: ResultColumn<'c>, rows: &[u32]| match self.places {
            None if !rows.contains(&MISSING) => column,
            _ => column.of_rows(rows.to_vec()),
        };
        let n_trees = ResultColumn::U32(n_trees.into_iter().map(Some).collect());
        let n_trees = ("n_trees".to_string(), of_rows(n_trees, &places));
        T::from_results(
            answers.map(|(name, column)| (name, of_rows(column, &answered))).chain([n_trees]),
        )
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
    /// As [`evaluation`](crate::ModelVerbs::evaluation); rows that the forest was not fitted on, and trees that
    /// have all rows.
    pub fn out_of_bag<F: Frame + ?Sized>(&self, frame: &F) -> Result<OutOfBag<F::Table>> {
        self.out_of_bag_with(frame, Voting::Soft, &EvalSpec::default())
    }

    /// [`out_of_bag`](Self::out_of_bag) by votes, or judged with an event of one's own, costs or
    /// intervals.
    ///
    /// # Errors
    /// As [`out_of_bag`](Self::out_of_bag) and [`evaluation_with`](crate::ModelVerbs::evaluation_with).
    pub fn out_of_bag_with<F: Frame + ?Sized>(
        &self,
        frame: &F,
        voting: Voting,
        spec: &EvalSpec,
    ) -> Result<OutOfBag<F::Table>> {
        let columns = frame.columns(&ModelRef::from(self).weighted_columns().into())?;
        F::in_pool(spec.threads, || self.judge_out_of_bag(&columns, voting, spec))
    }

    /// [`out_of_bag_with`](Self::out_of_bag_with), in the current pool.
    pub(crate) fn judge_out_of_bag<F: NamedColumns>(
        &self,
        frame: &F,
        voting: Voting,
        spec: &EvalSpec,
    ) -> Result<OutOfBag<F::Table>> {
        self.trees[0].checked_event(spec)?;
        let training = self.training_rows(frame)?;
        if training.frame().n_rows() == 0 {
            return Err(no_rows());
        }
        let out = self.answered_out_of_bag(&training, voting, spec.monitor.as_ref())?;
        let always_drawn = out.n_trees.iter().filter(|&&n| n == 0).count();
        let is_judged = always_drawn < out.n_trees.len();
        let evaluation = is_judged.then(|| {
            let (answers, actual) = out.judged(self.schema().classes.len());
            self.evaluate_answers(&answers, &actual, spec)
        });
        let evaluation = evaluation.transpose()?;
        let pairs = match &evaluation {
            Some(Evaluation::Classes { confusion, .. }) => confusion.clone(),
            Some(Evaluation::Numbers { .. }) | None => Vec::new(),
        };
        let confusion = match self.is_regression() {
            true => None,
            false => Some(confusion_table(pairs, self.schema()).into_table()?),
        };
        let curve = self.curve_table(&out.curve).into_table()?;
        let AnsweredOutOfBag { answers, n_trees, .. } = out;
        let predictions = training.table_of_all(columns_of(answers, self.schema()), n_trees)?;
        Ok(OutOfBag {
            predictions,
            evaluation,
            confusion,
            curve,
            always_drawn: always_drawn as u64,
        })
    }

    /// The rows of positive weight of a frame.
    pub(crate) fn training_rows<'a, F: NamedColumns>(
        &self,
        frame: &'a F,
    ) -> Result<TrainingFrame<'a, F>> {
        let weights = self.spec().tree.request(&self.schema().target).weights(frame)?;
        let weights = match weights {
            Some(weights) if weights.contains(&0.0) => weights,
            weights => {
                return Ok(TrainingFrame { frame: Cow::Borrowed(frame), weights, places: None });
            }
        };
        let (mut rows, mut places) = (Vec::new(), Vec::with_capacity(weights.len()));
        for (row, &weight) in (0..).zip(&weights) {
            let is_present = weight > 0.0;
            places.push(if is_present { rows.len() as u32 } else { MISSING });
            rows.extend(is_present.then_some(row));
        }
        let frame = Cow::Owned(frame.rows(&rows)?);
        let weights = weights.into_iter().filter(|&weight| weight > 0.0).collect();
        Ok(TrainingFrame { frame, weights: Some(weights), places: Some(places) })
    }

    /// What the trees say of rows of positive weight that they left out.
    pub(crate) fn answered_out_of_bag<F: NamedColumns>(
        &self,
        training: &TrainingFrame<F>,
        voting: Voting,
        monitor: Option<&Monitor>,
    ) -> Result<AnsweredOutOfBag> {
        let (frame, schema) = (training.frame(), self.schema());
        let actual = schema.actual(&target_of(schema, frame)?)?;
        let rows = OutOfBagRows { actual: &actual, voting, monitor };
        let column = |name: &str| frame.column_to_score(name);
        let out = self.out_of_bag_answers(&rows, training.weights(), column, &frame.names())?;
        let OutOfBagAnswers { classes, values, n_trees, curve } = out;
        let answers = ForestAnswers { classes, values, absent_levels: 0 };
        Ok(AnsweredOutOfBag { answers, actual, n_trees, curve })
    }

    /// What the errors of a curve are called, and the error of each number of trees.
    pub(crate) fn errors_of_curve(&self, curve: &[CurvePoint]) -> (&'static str, Vec<Option<f64>>) {
        let mean =
            |point: &CurvePoint| (point.n_rows > 0).then(|| point.errors / point.n_rows as f64);
        match self.is_regression() {
            true => ("rmse", curve.iter().map(|point| mean(point).map(f64::sqrt)).collect()),
            false => ("error", curve.iter().map(mean).collect()),
        }
    }

    fn curve_table(&self, curve: &[CurvePoint]) -> ResultTable<'static> {
        let (name, errors) = self.errors_of_curve(curve);
        ResultTable::default()
            .add("n_trees", 1..=curve.len() as u32)
            .add("n_rows", curve.iter().map(|point| point.n_rows))
            .add(name, errors)
    }
}

/// The answers of a forest as columns: `prediction`, and the probabilities of all classes.
fn columns_of(
    answers: ForestAnswers,
    schema: &Schema,
) -> impl Iterator<Item = (String, ResultColumn<'_>)> {
    let mut scores = ForestScores::of_no_rows(schema, true);
    scores.append(answers, schema.classes.len());
    scores.columns(schema)
}

impl AnsweredOutOfBag {
    /// The answers for the rows that some tree left out, and what is true of them.
    pub(crate) fn judged(&self, n_classes: usize) -> (Cow<'_, ForestAnswers>, Cow<'_, Actual>) {
        let n_trees = &self.n_trees;
        if n_trees.iter().all(|&n| n > 0) {
            return (Cow::Borrowed(&self.answers), Cow::Borrowed(&self.actual));
        }
        let answers = ForestAnswers {
            classes: left_out(n_trees, &self.answers.classes, 1),
            values: left_out(n_trees, &self.answers.values, n_classes.max(1)),
            absent_levels: 0,
        };
        let actual = match &self.actual {
            Actual::Classes(classes) => Actual::Classes(left_out(n_trees, classes, 1)),
            Actual::Numbers(numbers) => Actual::Numbers(left_out(n_trees, numbers, 1)),
        };
        (Cow::Owned(answers), Cow::Owned(actual))
    }
}

/// The values of the rows that some tree left out, `width` for each row.
fn left_out<T: Clone>(n_trees: &[u32], values: &[T], width: usize) -> Vec<T> {
    let of_rows = values.chunks(width).zip(n_trees).filter(|(_, n)| **n > 0);
    of_rows.flat_map(|(values, _)| values.iter().cloned()).collect()
}
