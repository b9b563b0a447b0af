//! Results as record batches.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use arrow::datatypes::{Field, Schema};

use super::arrow_error;
use crate::adapters::common::tables::ResultColumn;
use crate::error::Result;

/// Some columns and those of results; any column may hold nulls.
pub(crate) fn batch<'a>(
    mut columns: Vec<(String, ArrayRef)>,
    results: impl IntoIterator<Item = (impl Into<String>, ResultColumn<'a>)>,
) -> Result<RecordBatch> {
    columns.extend(results.into_iter().map(|(name, values)| (name.into(), array(values))));
    let fields =
        columns.iter().map(|(name, array)| Field::new(name, array.data_type().clone(), true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(schema), arrays).map_err(arrow_error)
}

fn array(column: ResultColumn) -> ArrayRef {
    match column {
        ResultColumn::Bool(values) => Arc::new(BooleanArray::from(values)),
        ResultColumn::U32(values) => Arc::new(UInt32Array::from(values)),
        ResultColumn::U64(values) => Arc::new(UInt64Array::from(values)),
        ResultColumn::F64(values) => Arc::new(Float64Array::from(values)),
        ResultColumn::Text(values) => Arc::new(StringArray::from_iter(values)),
    }
}
