//! How good a tree's answers are on a table that knows them.

use super::request::{NamedColumns, find};
use super::tables::ResultTable;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::Routes;
use crate::score::evaluation::Evaluation;

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

    /// How good the tree's predictions are on a table that knows its target.
    pub(crate) fn evaluate_table<F: NamedColumns>(&self, frame: &F) -> Result<Evaluation> {
        if frame.n_rows() == 0 {
            return Err(Error::data("no rows to evaluate on: pass a table with rows"));
        }
        Ok(if self.is_regression() {
            let rows = self.judge(frame, |source| self.actual_numbers(source))?;
            self.prepared().evaluate_numbers(&rows.routes, &rows.actual)
        } else {
            let rows = self.judge(frame, |source| self.actual_classes(source))?;
            self.prepared().evaluate_classes(&rows.routes, &rows.actual)
        })
    }

    /// The table of [`Tree::evaluate`].
    pub(crate) fn evaluation<F: NamedColumns>(&self, frame: &F) -> Result<ResultTable> {
        let mut table = ResultTable::default();
        match self.evaluate_table(frame)? {
            Evaluation::Classes { rows, accuracy, log_loss, absent_levels } => table
                .add("rows", vec![rows])
                .add("accuracy", vec![accuracy])
                .add("log_loss", vec![log_loss])
                .add("absent_levels", vec![absent_levels]),
            Evaluation::Numbers { rows, rmse, mae, r2, absent_levels } => table
                .add("rows", vec![rows])
                .add("rmse", vec![rmse])
                .add("mae", vec![mae])
                .add("r2", vec![r2])
                .add("absent_levels", vec![absent_levels]),
        };
        Ok(table)
    }

    /// How often each class was predicted as each.
    pub(crate) fn confusion_counts<F: NamedColumns>(&self, frame: &F) -> Result<Vec<u64>> {
        let rows = self.judge(frame, |source| self.actual_classes(source))?;
        Ok(self.prepared().confusion_counts(&rows.routes, &rows.actual))
    }

    /// The table of [`Tree::confusion`].
    pub(crate) fn confusion_table<F: NamedColumns>(&self, frame: &F) -> Result<ResultTable> {
        let (counts, k) = (self.confusion_counts(frame)?, self.schema().classes.len());
        let label = |class: usize| (class < k).then(|| self.schema().class_text(class));
        let mut table = ResultTable::default();
        table
            .add("actual", (0..counts.len()).map(|i| label(i / k)).collect::<Vec<_>>())
            .add("predicted", (0..counts.len()).map(|i| label(i % k)).collect::<Vec<_>>())
            .add("n", counts);
        Ok(table)
    }
}
