//! The tables of an evaluation.

use super::table::{FaceTable, ResultTable};
use crate::error::Result;
use crate::evaluation::{Evaluation, FigureInterval};

/// The figures that are about the event, if there is one.
const OF_EVENT: [&str; 2] = ["roc_auc", "average_precision"];

impl Evaluation {
    /// The table of `calibration`.
    ///
    /// # Errors
    /// Numbers, and classes without an event.
    pub(super) fn calibration_table(&self) -> Result<ResultTable<'_>> {
        let (event, bins) = self.calibration()?;
        Ok(ResultTable::default()
            .repeat("event", event, bins.len())
            .add("at_least", bins.iter().map(|bin| bin.at_least))
            .add("at_most", bins.iter().map(|bin| bin.at_most))
            .add("n", bins.iter().map(|bin| bin.n))
            .add("mean_probability", bins.iter().map(|bin| bin.mean_probability))
            .add("actual_share", bins.iter().map(|bin| bin.actual_share))
            .add("lift", bins.iter().map(|bin| bin.lift)))
    }

    /// The table of `thresholds`.
    ///
    /// # Errors
    /// Numbers, and classes without an event.
    pub(super) fn thresholds_table(&self) -> Result<ResultTable<'_>> {
        let (event, rows) = self.thresholds()?;
        Ok(ResultTable::default()
            .repeat("event", event, rows.len())
            .add("threshold", rows.iter().map(|row| row.threshold))
            .add("predicted", rows.iter().map(|row| row.predicted))
            .add("true_positives", rows.iter().map(|row| row.true_positives))
            .add("false_positives", rows.iter().map(|row| row.false_positives))
            .add("false_negatives", rows.iter().map(|row| row.false_negatives))
            .add("true_negatives", rows.iter().map(|row| row.true_negatives))
            .add("precision", rows.iter().map(|row| row.precision))
            .add("recall", rows.iter().map(|row| row.recall))
            .add("false_positive_rate", rows.iter().map(|row| row.false_positive_rate))
            .add("f1", rows.iter().map(|row| row.f1))
            .add("lift", rows.iter().map(|row| row.lift))
            .add("cost", rows.iter().map(|row| row.cost))
            .add("is_best", rows.iter().map(|row| row.is_best)))
    }

    /// The table of `intervals`.
    pub(super) fn intervals_table(&self) -> ResultTable<'_> {
        let rows = self.intervals();
        let table = ResultTable::default()
            .add("figure", rows.iter().map(|row| row.figure.as_str()))
            .add("value", rows.iter().map(|row| row.value))
            .add("low", rows.iter().map(|row| row.low))
            .add("high", rows.iter().map(|row| row.high));
        let Evaluation::Classes { event, .. } = self else { return table };
        let is_of_event = |row: &FigureInterval| OF_EVENT.contains(&row.figure.as_str());
        let event = |row| event.as_deref().filter(|_| is_of_event(row));
        table.add("event", rows.iter().map(event))
    }

    /// The table of `evaluate`.
    pub(super) fn table(&self) -> ResultTable<'_> {
        let (Evaluation::Classes { rows, absent_levels, .. }
        | Evaluation::Numbers { rows, absent_levels, .. }) = *self;
        let table = ResultTable::default().add("rows", [rows]);
        let figures = self.figures().into_iter();
        let table = figures.fold(table, |table, (name, figure)| table.add(name, [figure]));
        let table = match self {
            Evaluation::Classes { event, .. } => table.add("event", [event.as_deref()]),
            Evaluation::Numbers { .. } => table,
        };
        table.add("absent_levels", [absent_levels])
    }

    /// The table of [`evaluate`](crate::ModelVerbs::evaluate).
    ///
    /// # Errors
    /// Whatever the library of the table says on building it.
    pub fn to_frame(&self) -> Result<FaceTable> {
        self.table().into_table()
    }

    /// The table of [`thresholds`](crate::ModelVerbs::thresholds).
    ///
    /// # Errors
    /// Numbers, and more than two classes without an event.
    pub fn thresholds_to_frame(&self) -> Result<FaceTable> {
        self.thresholds_table()?.into_table()
    }

    /// The table of [`intervals`](crate::ModelVerbs::intervals); without rows where the spec asked for
    /// none.
    ///
    /// # Errors
    /// Whatever the library of the table says on building it.
    pub fn intervals_to_frame(&self) -> Result<FaceTable> {
        self.intervals_table().into_table()
    }
}
