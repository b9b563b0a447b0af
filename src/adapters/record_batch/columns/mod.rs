//! Arrow arrays as columns of the engine.

pub(crate) mod chunked_column;
pub(crate) mod chunked_columns;
mod chunks;
mod dictionaries;
mod dtypes;
mod groups;
mod measured_column;
pub(crate) mod named_array;
pub(crate) mod values;

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field};

use crate::data::column_data::{ColumnData, Source};
use crate::error::Result;
use chunked_column::ChunkedColumn;

pub use chunked_columns::{ChunkedColumns, ColumnChunks};
pub use dtypes::{INTEGER_KEY, dtype_of_arrow};

/// The cells of a column that stands in some arrays of one type, as the engine reads them; `name`
/// names it in errors.
///
/// # Errors
/// A type of neither order nor levels, or a value that the engine's dtype cannot hold.
pub fn cells_of_arrays(name: &str, arrow: &DataType, arrays: Vec<ArrayRef>) -> Result<ColumnData> {
    Ok(ChunkedColumn::column_or_reason(&Arc::new(Field::new(name, arrow.clone(), true)), arrays)
        .usable("column")?
        .cells())
}
