//! How good a tree's answers are on a frame that knows them.

use polars::prelude::DataFrame;

use super::column::FrameColumn;
use super::in_pool;
use super::input::find;
use super::tables::Columns;
use crate::error::{Error, Result};
use crate::score::Routes;
use crate::tree::Tree;

/// Probabilities are clipped to this before their logarithm is taken.
const LEAST_PROBABILITY: f64 = f64::EPSILON; // 2^-52

/// Where the rows ended, and what they are.
pub(super) struct Judged<T> {
    pub(super) actual: Vec<T>,
    pub(super) routes: Routes,
}

impl Tree {
    /// Routes the rows of a frame that knows its target.
    pub(super) fn judge<T: Send>(
        &self,
        df: &DataFrame,
        actual: impl FnOnce(&FrameColumn) -> Result<Vec<T>> + Send,
    ) -> Result<Judged<T>> {
        let target = &self.schema().target;
        let column = find(df, "target of the model", target)?;
        let source = FrameColumn::new(column).ok_or_else(|| {
            Error::data(format!(
                "target `{target}` is {} here, but the model was fitted on {}: cast it",
                column.dtype(),
                self.schema().target_dtype
            ))
        })?;
        in_pool(None, || {
            let actual = actual(&source)?;
            let routes = self.route_frame(df)?;
            Ok(Judged { actual, routes })
        })
    }

    /// How good the tree's answers are on a frame with the target in it, in one row.
    ///
    /// Of classes `rows u64, accuracy f64, log_loss f64, absent_levels u64`: `log_loss` is the
    /// mean of `-ln p` of the actual class, p clipped to [2^-52, 1]. A row of a class the tree
    /// was never trained on counts as wrong. Of numbers `rows u64, rmse f64, mae f64, r2 f64,
    /// absent_levels u64`; where the actual numbers are all the same `r2` is 0. `absent_levels`
    /// are the rows that met a level their node never saw.
    ///
    /// # Errors
    /// As [`Tree::score`], a missing target, and a frame without rows.
    pub fn evaluate(&self, df: &DataFrame) -> Result<DataFrame> {
        if df.height() == 0 {
            return Err(Error::data("no rows to evaluate on: pass a table with rows"));
        }
        if self.is_regression() { self.evaluate_numbers(df) } else { self.evaluate_classes(df) }
    }

    fn evaluate_classes(&self, df: &DataFrame) -> Result<DataFrame> {
        let judged = self.judge(df, |source| self.actual_classes(source))?;
        let rows = judged.actual.len() as f64;
        let (mut right, mut loss) = (0u64, 0.0);
        for (actual, answer) in judged.actual.iter().zip(judged.routes.classes(self)) {
            right += u64::from(*actual == Some(answer));
        }
        for p in judged.routes.probabilities_of(self, &judged.actual) {
            loss -= p.clamp(LEAST_PROBABILITY, 1.0).ln();
        }
        Columns::default()
            .add("rows", vec![judged.actual.len() as u64])
            .add("accuracy", vec![right as f64 / rows])
            .add("log_loss", vec![loss / rows + 0.0])
            .add("absent_levels", vec![judged.routes.absent_levels])
            .frame()
    }

    fn evaluate_numbers(&self, df: &DataFrame) -> Result<DataFrame> {
        let judged = self.judge(df, |source| self.actual_numbers(source))?;
        let rows = judged.actual.len() as f64;
        let mean = judged.actual.iter().map(|y| y / rows).sum::<f64>();
        let (mut squares, mut distances, mut spread) = (0.0, 0.0, 0.0);
        for (actual, answer) in judged.actual.iter().zip(judged.routes.means(self)) {
            let error = actual - answer;
            squares += error * error;
            distances += error.abs();
            spread += (actual - mean) * (actual - mean);
        }
        Columns::default()
            .add("rows", vec![judged.actual.len() as u64])
            .add("rmse", vec![(squares / rows).sqrt()])
            .add("mae", vec![distances / rows])
            .add("r2", vec![if spread > 0.0 { 1.0 - squares / spread } else { 0.0 }])
            .add("absent_levels", vec![judged.routes.absent_levels])
            .frame()
    }

    /// How often each class was taken for each: `actual str, predicted str, n u64`, every pair
    /// of the tree's classes in class order; rows of classes it was never trained on come last,
    /// with `actual` null.
    ///
    /// # Errors
    /// As [`Tree::evaluate`], but a frame without rows gives zeros; a numeric target.
    pub fn confusion(&self, df: &DataFrame) -> Result<DataFrame> {
        let judged = self.judge(df, |source| self.actual_classes(source))?;
        let k = self.schema().classes.len();
        let mut counts = vec![0u64; (k + 1) * k];
        for (actual, answer) in judged.actual.iter().zip(judged.routes.classes(self)) {
            counts[actual.map_or(k, |c| c as usize) * k + answer as usize] += 1;
        }
        let unseen = counts[k * k..].iter().any(|&n| n > 0);
        counts.truncate(if unseen { (k + 1) * k } else { k * k });
        let label = |class: usize| (class < k).then(|| self.schema().class_text(class));
        Columns::default()
            .add("actual", (0..counts.len()).map(|i| label(i / k)).collect::<Vec<_>>())
            .add("predicted", (0..counts.len()).map(|i| label(i % k)).collect::<Vec<_>>())
            .add("n", counts)
            .frame()
    }
}
