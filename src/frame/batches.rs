//! Rows answered batch by batch, batches side by side: what lies between a number and its answer
//! stays in cache, and the memory of all rows is for the answers alone.

use std::ops::Range;

use polars::prelude::{Column, PolarsResult};
use rayon::prelude::*;

use super::polars_error;
use crate::error::Result;
use crate::score::BATCH;

/// The answers to so many rows, each batch appended to those before it.
///
/// # Errors
/// That of the first batch that has one.
pub(super) fn in_batches<A: Send>(
    n_rows: usize,
    answer: impl Fn(Range<usize>) -> Result<A> + Sync,
    append: impl Fn(&mut A, A) -> PolarsResult<()>,
) -> Result<A> {
    if n_rows <= BATCH {
        return answer(0..n_rows);
    }
    let starts = (BATCH..n_rows).into_par_iter().step_by(BATCH);
    let later = || starts.map(|start| answer(start..n_rows.min(start + BATCH))).collect();
    let (first, later): (_, Vec<Result<A>>) = rayon::join(|| answer(0..BATCH), later);
    let mut whole = first?;
    for batch in later {
        append(&mut whole, batch?).map_err(polars_error)?;
    }
    Ok(whole)
}

/// Some rows of a column.
pub(super) fn part(column: &Column, rows: &Range<usize>) -> Column {
    column.slice(rows.start as i64, rows.len())
}
