//! A column that stands in chunks, in one array.

use arrow_array::{Array, ArrayRef, UInt32Array};
use arrow_select::concat::concat;
use arrow_select::take::take;

use crate::adapters::record_batch::arrow_error;
use crate::error::Result;

/// All rows of a column.
pub(super) fn joined(chunks: &[ArrayRef]) -> Result<ArrayRef> {
    match chunks {
        [chunk] => Ok(chunk.clone()),
        chunks => {
            let chunks: Vec<&dyn Array> = chunks.iter().map(AsRef::as_ref).collect();
            concat(&chunks).map_err(arrow_error)
        }
    }
}

/// Some rows of a column.
pub(super) fn rows_of(chunks: &[ArrayRef], rows: &[u32]) -> Result<ArrayRef> {
    if let [chunk] = chunks {
        return take(chunk, &UInt32Array::from(rows.to_vec()), None).map_err(arrow_error);
    }
    let mut starts = vec![0];
    for chunk in chunks {
        starts.push(starts[starts.len() - 1] + chunk.len());
    }
    let (mut wanted, mut places) = (vec![Vec::new(); chunks.len()], Vec::new());
    for &row in rows {
        // The last chunk that starts at or before the row; empty ones before it start there too.
        let chunk = starts.partition_point(|&start| start <= row as usize) - 1;
        places.push((chunk, wanted[chunk].len()));
        wanted[chunk].push(row - starts[chunk] as u32);
    }
    let mut first = vec![0];
    for rows in &wanted {
        first.push(first[first.len() - 1] + rows.len());
    }
    let taken = |chunk: &dyn Array, rows: Vec<u32>| take(chunk, &UInt32Array::from(rows), None);
    let parts = chunks.iter().zip(wanted).map(|(chunk, rows)| taken(chunk, rows));
    let joined = joined(&parts.collect::<std::result::Result<Vec<_>, _>>().map_err(arrow_error)?)?;
    if rows.is_sorted() {
        return Ok(joined);
    }
    let order = places.into_iter().map(|(chunk, place)| (first[chunk] + place) as u32);
    take(&joined, &UInt32Array::from_iter_values(order), None).map_err(arrow_error)
}
