//! Memory for rows that is written batch by batch, in parallel.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::score::huge_pages::with_capacity;
use crate::score::inline::{TASK_ROWS, runs_inline};
use crate::score::routes::RouteStats;
use crate::util::parallel;

/// Routes the rows of a batch and writes a value for each of them, or fails.
type OfBatch<'a, T, E> = &'a (dyn Fn(Range<usize>, &mut [T]) -> Result<RouteStats, E> + Sync);

/// The values that `write` writes, batch by batch.
pub(super) fn written<T: Send, E: Send>(
    n_rows: usize,
    write: OfBatch<MaybeUninit<T>, E>,
) -> Result<(Vec<T>, RouteStats), E> {
    let mut values = with_capacity(n_rows);
    let stats = in_batches(&mut values.spare_capacity_mut()[..n_rows], write)?;
    // SAFETY: each batch has written all of its rows, or there was an error.
    #[expect(unsafe_code)]
    unsafe {
        values.set_len(n_rows);
    }
    Ok((values, stats))
}

/// Calls `of_batch` with the rows of each batch and their part of `all`.
pub(super) fn in_batches<T: Send, E: Send>(
    all: &mut [T],
    of_batch: OfBatch<T, E>,
) -> Result<RouteStats, E> {
    let batch = |(first, part): (usize, &mut [T])| {
        of_batch(first..first + part.len(), part).map(|stats| (first, stats))
    };
    // A table without rows is a batch too: its columns are checked.
    let stats = match all.len() <= TASK_ROWS || runs_inline(all.len()) {
        true => vec![batch((0, all))],
        false => {
            let batches = (0..).step_by(TASK_ROWS).zip(all.chunks_mut(TASK_ROWS));
            parallel::map(batches, batch)
        }
    };
    stats.into_iter().collect()
}
