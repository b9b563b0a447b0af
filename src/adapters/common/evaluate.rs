//! A tree's predictions compared with the target of a table.

use std::borrow::Cow;

use super::request::{NamedColumns, find};
use super::tables::ResultTable;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::Routes;
use crate::score::evaluation::Evaluation;

/// The actual targets of rows, and where the rows end.
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

    fn label<F: NamedColumns, T>(
        &self,
        frame: &F,
        actual: impl FnOnce(&F::Column) -> Result<Vec<T>>,
    ) -> Result<Labelled<T>> {
        const ROLE: &str = "target of the model";
        let target = find(frame, ROLE, &self.schema().target)?.usable(ROLE)?;
        let actual = actual(&target)?;
        Ok(Labelled { actual, routes: self.route_frame(frame)? })
    }

    /// The rows of a table with their classes; `None` is a class the tree was never trained on.
    pub(crate) fn label_classes<F: NamedColumns>(
        &self,
        frame: &F,
    ) -> Result<Labelled<Option<u32>>> {
        self.label(frame, |target| self.actual_classes(target))
    }

    /// The rows of a table with their numbers.
    pub(crate) fn label_numbers<F: NamedColumns>(&self, frame: &F) -> Result<Labelled<f64>> {
        self.label(frame, |target| self.actual_numbers(target))
    }

    /// `Tree::evaluation`, in the current pool.
    pub(crate) fn evaluate_frame<F: NamedColumns>(&self, frame: &F) -> Result<Evaluation> {
        if frame.n_rows() == 0 {
            return Err(Error::data("no rows to evaluate on: pass a table with rows"));
        }
        Ok(if self.is_regression() {
            let Labelled { actual, routes } = self.label_numbers(frame)?;
            self.prepared().evaluate_numbers(&routes, &actual)
        } else {
            let Labelled { actual, routes } = self.label_classes(frame)?;
            self.prepared().evaluate_classes(&routes, &actual)
        })
    }

    /// The table of `Tree::confusion`.
    pub(crate) fn confusion_table<F: NamedColumns>(&self, frame: &F) -> Result<ResultTable> {
        let Labelled { actual, routes } = self.label_classes(frame)?;
        let counts = self.prepared().confusion_counts(&routes, &actual);
        let k = self.schema().classes.len();
        let label = |class: usize| (class < k).then(|| Cow::from(self.schema().class_text(class)));
        Ok(ResultTable::default()
            .add("actual", (0..counts.len()).map(|i| label(i / k)))
            .add("predicted", (0..counts.len()).map(|i| label(i % k)))
            .add("n", counts))
    }
}

/// The table of `Tree::evaluate`.
impl From<Evaluation> for ResultTable {
    fn from(evaluation: Evaluation) -> ResultTable {
        let table = ResultTable::default();
        match evaluation {
            Evaluation::Classes { rows, accuracy, log_loss, absent_levels } => table
                .add("rows", [rows])
                .add("accuracy", [accuracy])
                .add("log_loss", [log_loss])
                .add("absent_levels", [absent_levels]),
            Evaluation::Numbers { rows, rmse, mae, r2, absent_levels } => table
                .add("rows", [rows])
                .add("rmse", [rmse])
                .add("mae", [mae])
                .add("r2", [r2])
                .add("absent_levels", [absent_levels]),
        }
    }
}
