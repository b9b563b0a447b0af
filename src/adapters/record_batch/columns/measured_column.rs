//! A column in chunks as measures are taken of it.

use arrow_array::Array;

use super::chunked_column::ChunkedColumn;
use super::chunked_columns::{ColumnChunks, check_chunks};
use super::dtypes::name_of;
use crate::error::Result;
use crate::verbs::MeasuredColumn;
use crate::verbs::frame::sealed;

impl sealed::Sealed for ColumnChunks {}

impl MeasuredColumn for ColumnChunks {
    type Source = ChunkedColumn;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn dtype_text(&self) -> String {
        name_of(&self.0)
    }

    fn n_rows(&self) -> usize {
        self.1.iter().map(|chunk| chunk.len()).sum()
    }

    fn source(&self) -> Result<Option<ChunkedColumn>> {
        check_chunks(self)?;
        let column = ChunkedColumn::unchecked(&self.0, self.1.clone());
        column.map(|column| column.checked().usable("column")).transpose()
    }

    fn known_rows(&self) -> Option<Vec<u32>> {
        let chunks = self.1.iter().map(|chunk| (chunk, chunk.logical_nulls()));
        let chunks: Vec<_> = chunks.collect();
        if chunks.iter().all(|(_, nulls)| nulls.as_ref().is_none_or(|it| it.null_count() == 0)) {
            return None;
        }
        let (mut rows, mut start) = (Vec::new(), 0);
        for (chunk, nulls) in chunks {
            let is_known = |&row: &usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
            rows.extend((0..chunk.len()).filter(is_known).map(|row| (start + row) as u32));
            start += chunk.len();
        }
        Some(rows)
    }
}
