//! Groups of rows by the values of some columns.

use std::hash::Hash;

use arrow_array::Array;
use arrow_buffer::NullBuffer;
use hashbrown::HashMap;

use super::chunked_column::ChunkedColumn;
use super::chunks::rows_of;
use super::named_array::NamedArray;
use crate::data::column_data::{ColumnData, Source};
use crate::error::Result;
use crate::verbs::frame::{NamedColumns, RowGroups, find};

/// The groups of the rows that are kept, in order of first appearance, and their keys by column.
pub(super) fn groups(
    batches: &impl NamedColumns<Column = ChunkedColumn>,
    by: &[String],
    kept: Option<&[u32]>,
) -> Result<RowGroups<Vec<NamedArray>>> {
    if by.is_empty() {
        return Ok(RowGroups::one(Vec::new()));
    }
    let columns: Vec<ChunkedColumn> = by
        .iter()
        .map(|name| find(batches, "group column", name)?.usable("group column"))
        .collect::<Result<_>>()?;
    let rows: Vec<u32> =
        kept.map_or_else(|| (0..batches.n_rows() as u32).collect(), <[u32]>::to_vec);
    // Each column divides the groups so far.
    let mut of = vec![0; rows.len()];
    let mut first_rows = Vec::new();
    for column in &columns {
        first_rows = divide_by(column, &mut of, &rows);
    }
    let key = |column: &ChunkedColumn| {
        let (field, array) = (column.field().clone(), rows_of(column.chunks(), &first_rows)?);
        Ok(NamedArray { field, array })
    };
    let keys = columns.iter().map(key).collect::<Result<_>>()?;
    Ok(RowGroups { of, count: first_rows.len(), keys })
}

/// What a cell is beside its key: null and NaN are groups of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cell {
    Value,
    Nan,
    Null,
}

/// Divides groups of rows by the values of a column; gives the first row of each.
fn divide_by(column: &ChunkedColumn, of: &mut [u32], rows: &[u32]) -> Vec<u32> {
    let is_null = nulls(column);
    let cell = |row: usize, nan: &Option<Vec<bool>>| match () {
        () if is_null.as_ref().is_some_and(|is_null| is_null[row]) => Cell::Null,
        () if nan.as_ref().is_some_and(|nan| nan[row]) => Cell::Nan,
        () => Cell::Value,
    };
    // The key of what is missing may be any.
    fn keyed<K: Default>(cell: Cell, key: K) -> (Cell, K) {
        (cell, if cell == Cell::Value { key } else { K::default() })
    }
    match column.cells() {
        ColumnData::Keys(keys, nan) => divide(of, rows, |row| keyed(cell(row, &nan), keys[row])),
        ColumnData::Wide(keys, nan) => divide(of, rows, |row| keyed(cell(row, &nan), keys[row])),
        ColumnData::Text(ids, texts) => {
            // A text may stand in the dictionary twice.
            let mut seen: HashMap<&str, u32> = HashMap::new();
            let index = |text| {
                let next = seen.len() as u32;
                *seen.entry(text).or_insert(next)
            };
            let index: Vec<u32> = texts.iter().map(String::as_str).map(index).collect();
            divide(of, rows, |row| index.get(ids[row] as usize).copied())
        }
        ColumnData::Missing(_) => divide(of, rows, |_| ()),
    }
}

/// Divides groups of rows by a key; gives the first row of each.
fn divide<K: Eq + Hash>(of: &mut [u32], rows: &[u32], key: impl Fn(usize) -> K) -> Vec<u32> {
    let mut groups: HashMap<(u32, K), u32> = HashMap::new();
    let mut first_rows = Vec::new();
    for (group, &row) in of.iter_mut().zip(rows) {
        let next = groups.len() as u32;
        *group = *groups.entry((*group, key(row as usize))).or_insert_with(|| {
            first_rows.push(row);
            next
        });
    }
    first_rows
}

/// Which rows of a column are null; `None` if none is.
fn nulls(column: &ChunkedColumn) -> Option<Vec<bool>> {
    let of_chunks: Vec<_> =
        column.chunks().iter().map(|chunk| (chunk.len(), chunk.logical_nulls())).collect();
    let has_nulls = of_chunks.iter().flat_map(|(_, nulls)| nulls).any(|it| it.null_count() > 0);
    let of_rows = |(n, nulls): &(usize, Option<NullBuffer>)| -> Vec<bool> {
        match nulls {
            Some(nulls) => nulls.iter().map(|is_valid| !is_valid).collect(),
            None => vec![false; *n],
        }
    };
    has_nulls.then(|| of_chunks.iter().flat_map(of_rows).collect())
}
