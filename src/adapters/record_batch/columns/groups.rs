//! Groups of rows by the values of some columns.

use arrow::array::{Array, ArrayRef};
use arrow::compute::interleave;
use hashbrown::HashMap;

use super::batch_column::BatchColumn;
use super::named_array::NamedArray;
use crate::adapters::record_batch::arrow_error;
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::error::Result;
use crate::verbs::frame::{NamedColumns, RowGroups, find};

/// What tells values of one column apart: null and NaN are groups of their own, -0.0 is 0.0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum GroupKey {
    Null,
    Nan,
    Is(i128),
}

/// The groups of the rows that are kept, in order of first appearance, and their keys by column.
pub(super) fn groups(
    batches: &impl NamedColumns<Column = BatchColumn>,
    by: &[String],
    kept: Option<&[u32]>,
) -> Result<RowGroups<Vec<NamedArray>>> {
    if by.is_empty() {
        return Ok(RowGroups::one(Vec::new()));
    }
    let columns: Vec<BatchColumn> = by
        .iter()
        .map(|name| find(batches, "group column", name)?.usable("group column"))
        .collect::<Result<_>>()?;
    let rows: Vec<u32> =
        kept.map_or_else(|| (0..batches.n_rows() as u32).collect(), <[u32]>::to_vec);
    // Each column divides the groups so far.
    let mut of = vec![0; rows.len()];
    let mut first_rows = Vec::new();
    for column in &columns {
        let keys = keys(column);
        let mut groups: HashMap<(u32, GroupKey), u32> = HashMap::new();
        first_rows.clear();
        for (group, &row) in of.iter_mut().zip(&rows) {
            let next = groups.len() as u32;
            *group = *groups.entry((*group, keys[row as usize])).or_insert_with(|| {
                first_rows.push(row);
                next
            });
        }
    }
    let key = |column: &BatchColumn| {
        let (field, array) = (column.field().clone(), rows_of(column.chunks(), &first_rows)?);
        Ok(NamedArray { field, array })
    };
    let keys = columns.iter().map(key).collect::<Result<_>>()?;
    Ok(RowGroups { of, count: first_rows.len(), keys })
}

fn keys(column: &BatchColumn) -> Vec<GroupKey> {
    let cells = column.cells();
    let keyed = |mask: &Option<Vec<bool>>, row: usize, key: i128| match mask {
        Some(mask) if mask[row] => GroupKey::Nan,
        Some(_) | None => GroupKey::Is(key),
    };
    let mut keys: Vec<GroupKey> = match &cells {
        ColumnData::Keys(keys, missing) => {
            keys.iter().enumerate().map(|(row, &key)| keyed(missing, row, key.into())).collect()
        }
        ColumnData::Wide(keys, missing) => {
            keys.iter().enumerate().map(|(row, &key)| keyed(missing, row, key)).collect()
        }
        ColumnData::Text(ids, texts) => {
            // A text may stand in the dictionary twice.
            let mut seen: HashMap<&str, i128> = HashMap::new();
            let index: Vec<i128> = texts
                .iter()
                .map(|text| {
                    let next = seen.len() as i128;
                    *seen.entry(text).or_insert(next)
                })
                .collect();
            let key = |&id: &u32| {
                if id == MISSING { GroupKey::Null } else { GroupKey::Is(index[id as usize]) }
            };
            ids.iter().map(key).collect()
        }
        ColumnData::Missing(n) => vec![GroupKey::Null; *n],
    };
    let mut row = 0;
    for chunk in column.chunks() {
        if let Some(nulls) = chunk.logical_nulls() {
            for (i, valid) in nulls.iter().enumerate() {
                if !valid {
                    keys[row + i] = GroupKey::Null;
                }
            }
        }
        row += chunk.len();
    }
    keys
}

/// Some rows of a column that stands in chunks.
pub(super) fn rows_of(chunks: &[ArrayRef], rows: &[u32]) -> Result<ArrayRef> {
    let mut starts = vec![0];
    for chunk in chunks {
        starts.push(starts[starts.len() - 1] + chunk.len());
    }
    let index = |&row: &u32| {
        // The last chunk that starts at or before the row; empty ones before it start there too.
        let chunk = starts.partition_point(|&start| start <= row as usize) - 1;
        (chunk, row as usize - starts[chunk])
    };
    let chunks: Vec<&dyn Array> = chunks.iter().map(AsRef::as_ref).collect();
    interleave(&chunks, &rows.iter().map(index).collect::<Vec<_>>()).map_err(arrow_error)
}
