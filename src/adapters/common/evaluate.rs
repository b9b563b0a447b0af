//! How good a tree's answers are on a table that knows them.

use super::request::{NamedColumns, find};
use super::tables::ResultTable;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::Routes;

/// Probabilities are clipped to this before their logarithm is taken.
const LEAST_PROBABILITY: f64 = f64::EPSILON; // 2^-52

/// Where the rows ended, and what they are.
pub(crate) struct Labelled<T> {
    pub(crate) actual: Vec<T>,
    pub(crate) routes: Routes,
}

impl Tree {
    /// Where each row of a table ends, in the current pool.
    pub(crate) fn route_frame<F: NamedColumns>(&self, frame: &F) -> Result<Routes> {
        let column = |name: &str| frame.offer(name).map(|c| c.usable("column")).transpose();
        self.route(frame.n_rows(), column, &frame.names())
    }

    /// Routes the rows of a table that knows its target.
    pub(crate) fn judge<F: NamedColumns, T>(
        &self,
        frame: &F,
        actual: impl FnOnce(&F::Column) -> Result<Vec<T>>,
    ) -> Result<Labelled<T>> {
        const ROLE: &str = "target of the model";
        let source = find(frame, ROLE, &self.schema().target)?.usable(ROLE)?;
        let actual = actual(&source)?;
        Ok(Labelled { actual, routes: self.route_frame(frame)? })
    }

    /// The table of [`Tree::evaluate`].
    pub(crate) fn evaluation<F: NamedColumns>(&self, frame: &F) -> Result<ResultTable> {
        if frame.n_rows() == 0 {
            return Err(Error::data("no rows to evaluate on: pass a table with rows"));
        }
        if self.is_regression() {
            self.evaluation_of_numbers(frame)
        } else {
            self.evaluation_of_classes(frame)
        }
    }

    fn evaluation_of_classes<F: NamedColumns>(&self, frame: &F) -> Result<ResultTable> {
        let judged = self.judge(frame, |source| self.actual_classes(source))?;
        let rows = judged.actual.len() as f64;
        let (mut right, mut loss) = (0u64, 0.0);
        for (actual, answer) in judged.actual.iter().zip(self.classes(&judged.routes)) {
            right += u64::from(*actual == Some(answer));
        }
        for p in self.prepared().probabilities_of(&judged.routes, &judged.actual) {
            loss -= p.clamp(LEAST_PROBABILITY, 1.0).ln();
        }
        let mut table = ResultTable::default();
        table
            .add("rows", vec![judged.actual.len() as u64])
            .add("accuracy", vec![right as f64 / rows])
            .add("log_loss", vec![loss / rows + 0.0])
            .add("absent_levels", vec![judged.routes.absent_levels]);
        Ok(table)
    }

    fn evaluation_of_numbers<F: NamedColumns>(&self, frame: &F) -> Result<ResultTable> {
        let judged = self.judge(frame, |source| self.actual_numbers(source))?;
        let rows = judged.actual.len() as f64;
        let mean = judged.actual.iter().map(|y| y / rows).sum::<f64>();
        let (mut squares, mut distances, mut spread) = (0.0, 0.0, 0.0);
        for (actual, answer) in judged.actual.iter().zip(self.means(&judged.routes)) {
            let error = actual - answer;
            squares += error * error;
            distances += error.abs();
            spread += (actual - mean) * (actual - mean);
        }
        let mut table = ResultTable::default();
        table
            .add("rows", vec![judged.actual.len() as u64])
            .add("rmse", vec![(squares / rows).sqrt()])
            .add("mae", vec![distances / rows])
            .add("r2", vec![if spread > 0.0 { 1.0 - squares / spread } else { 0.0 }])
            .add("absent_levels", vec![judged.routes.absent_levels]);
        Ok(table)
    }

    /// The table of [`Tree::confusion`].
    pub(crate) fn confusion_table<F: NamedColumns>(&self, frame: &F) -> Result<ResultTable> {
        let judged = self.judge(frame, |source| self.actual_classes(source))?;
        let k = self.schema().classes.len();
        let mut counts = vec![0u64; (k + 1) * k];
        for (actual, answer) in judged.actual.iter().zip(self.classes(&judged.routes)) {
            counts[actual.map_or(k, |c| c as usize) * k + answer as usize] += 1;
        }
        let unseen = counts[k * k..].iter().any(|&n| n > 0);
        counts.truncate(if unseen { (k + 1) * k } else { k * k });
        let label = |class: usize| (class < k).then(|| self.schema().class_text(class));
        let mut table = ResultTable::default();
        table
            .add("actual", (0..counts.len()).map(|i| label(i / k)).collect::<Vec<_>>())
            .add("predicted", (0..counts.len()).map(|i| label(i % k)).collect::<Vec<_>>())
            .add("n", counts);
        Ok(table)
    }
}
