//! Results as record batches.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, ListArray, RecordBatch, StringArray, StructArray,
    UInt32Array, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{Field, Schema};
use arrow_select::take::take;

use super::arrow_error;
use super::columns::named_array::NamedArray;
use super::columns::values::{floats, values_as};
use crate::data::column_data::MISSING;
use crate::error::Result;
use crate::fitted::{Forest, Tree};
use crate::verbs::table::{FromResults, ResultColumn};

impl FromResults for RecordBatch {
    fn from_results<'a>(
        columns: impl IntoIterator<Item = (impl Into<String>, ResultColumn<'a>)>,
    ) -> Result<RecordBatch> {
        let columns = columns.into_iter();
        batch_of(columns.map(|(name, values)| array_of(&name.into(), values)))
    }
}

/// A batch of these columns. All of them may hold nulls.
pub(crate) fn batch_of(columns: impl Iterator<Item = Result<NamedArray>>) -> Result<RecordBatch> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for column in columns {
        let NamedArray { field, array } = column?;
        fields.push(field);
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(arrow_error)
}

pub(crate) fn array_of(name: &str, column: ResultColumn) -> Result<NamedArray> {
    let array: ArrayRef = match column {
        ResultColumn::Bool(values) => Arc::new(BooleanArray::from(values)),
        ResultColumn::U32(values) => Arc::new(UInt32Array::from(values)),
        ResultColumn::U64(values) => Arc::new(UInt64Array::from(values)),
        ResultColumn::F64(values) => Arc::new(Float64Array::from(values)),
        ResultColumn::Text(values) => Arc::new(StringArray::from_iter(values)),
        ResultColumn::Floats(dtype, values) => floats(dtype, values.into_iter()),
        ResultColumn::Ids(ids) => Arc::new(UInt32Array::from(ids)),
        ResultColumn::Values(dtype, values) => {
            return Ok(NamedArray::of_dtype(name, dtype, values_as(dtype, &values)?));
        }
        ResultColumn::Lists(elements, lengths) => {
            let NamedArray { field, array } = array_of(Field::LIST_FIELD_DEFAULT_NAME, *elements)?;
            let nulls = NullBuffer::from_iter(lengths.iter().map(Option::is_some));
            let offsets =
                OffsetBuffer::from_lengths(lengths.into_iter().map(Option::unwrap_or_default));
            Arc::new(ListArray::try_new(field, offsets, array, Some(nulls)).map_err(arrow_error)?)
        }
        ResultColumn::Repeated(one, n_rows) => {
            return taken(name, *one, &UInt32Array::from(vec![0; n_rows]));
        }
        ResultColumn::Struct(fields) => {
            let fields = fields.into_iter().map(|(name, values)| array_of(&name, values));
            Arc::new(StructArray::from(batch_of(fields)?))
        }
        ResultColumn::Taken(whole, rows) => {
            let known = |row: u32| (row != MISSING).then_some(row);
            return taken(name, *whole, &rows.into_iter().map(known).collect());
        }
    };
    Ok(NamedArray::new(name, array))
}

fn taken(name: &str, column: ResultColumn, rows: &UInt32Array) -> Result<NamedArray> {
    let NamedArray { field, array } = array_of(name, column)?;
    Ok(NamedArray { field, array: take(&array, rows, None).map_err(arrow_error)? })
}

/// Tables of a tree.
impl Tree {
    /// What each feature did in the tree, most important first: `rank u32, feature str,
    /// importance f64, total_gain f64, n_splits u64, min_depth u32?, coverage f64`. Importances
    /// sum to 1, or are all 0 for a single leaf; gains are weighted by the node's share of the
    /// rows.
    ///
    /// # Errors
    /// Whatever Arrow says on building the batch.
    pub fn importance_batch(&self) -> Result<RecordBatch> {
        self.importance_table().into_table()
    }
}

/// Tables of a forest.
impl Forest {
    /// What each feature did in the trees, most important first: `rank u32, feature str, importance
    /// f64, standard_error f64?, total_gain f64, n_splits u64, n_trees u32`.
    ///
    /// # Errors
    /// Whatever Arrow says on building the batch.
    pub fn importance_batch(&self) -> Result<RecordBatch> {
        self.importance_table().into_table()
    }
}
