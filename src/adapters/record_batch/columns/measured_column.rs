//! An Arrow array and its field as measures are taken of them.

use arrow::array::{Array, ArrayRef};
use arrow::datatypes::Field;

use super::batch_column::BatchColumn;
use super::dtype_of_arrow;
use crate::error::{Error, Result};
use crate::verbs::MeasuredColumn;
use crate::verbs::frame::sealed;

impl sealed::Sealed for (&Field, &ArrayRef) {}

/// An array, and the field that names it.
impl MeasuredColumn for (&Field, &ArrayRef) {
    type Source = BatchColumn;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn dtype_text(&self) -> String {
        let arrow = self.0.data_type();
        dtype_of_arrow(arrow).map_or_else(|| arrow.to_string(), |dtype| dtype.to_string())
    }

    fn n_rows(&self) -> usize {
        self.1.len()
    }

    fn source(&self) -> Result<Option<BatchColumn>> {
        let (field, array) = *self;
        if field.data_type() != array.data_type() {
            return Err(Error::data(format!(
                "column `{}` has a field of {} and an array of {}: give both of one type",
                field.name(),
                field.data_type(),
                array.data_type()
            )));
        }
        if dtype_of_arrow(field.data_type()).is_none() {
            return Ok(None);
        }
        let chunks = vec![array.clone()];
        BatchColumn::column_or_reason(field.name(), field.data_type(), chunks)
            .usable("column")
            .map(Some)
    }

    fn known_rows(&self) -> Option<Vec<u32>> {
        let nulls = self.1.logical_nulls().filter(|nulls| nulls.null_count() > 0)?;
        Some(nulls.valid_indices().map(|row| row as u32).collect())
    }
}
