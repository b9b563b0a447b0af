//! A Polars column as measures are taken of it.

use polars::prelude::Column;

use super::frame_column::FrameColumn;
use crate::error::Result;
use crate::verbs::MeasuredColumn;
use crate::verbs::frame::sealed;

impl sealed::Sealed for Column {}

impl MeasuredColumn for Column {
    type Source = FrameColumn;

    fn name(&self) -> &str {
        self.name().as_str()
    }

    fn dtype_text(&self) -> String {
        self.dtype().to_string()
    }

    fn n_rows(&self) -> usize {
        self.len()
    }

    fn source(&self) -> Result<Option<FrameColumn>> {
        Ok(FrameColumn::new(self))
    }

    fn known_rows(&self) -> Option<Vec<u32>> {
        if self.null_count() == 0 {
            return None;
        }
        let known = self.is_not_null();
        let known = known.iter().zip(0..).filter(|(is_known, _)| *is_known == Some(true));
        Some(known.map(|(_, row)| row).collect())
    }
}
