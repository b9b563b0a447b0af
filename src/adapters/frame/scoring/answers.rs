//! The dtype of what a model answers, before there are rows.

use polars::prelude::{DataFrame, DataType};

use crate::adapters::frame::tables::only;
use crate::error::Result;
use crate::verbs::{ModelAnswers, ModelRef, RowAnswer};

impl ModelRef<'_> {
    /// The dtype of an answer's column.
    pub(super) fn dtype_of_answer(self, answer: RowAnswer) -> Result<DataType> {
        let none: DataFrame = self.answers_of_no_rows(answer)?;
        Ok(only(none).dtype().clone())
    }
}
