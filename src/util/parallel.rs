//! Large tasks, shared out among threads.

use rayon::iter::{IndexedParallelIterator, MaxLen};
use rayon::prelude::*;

/// Tasks of which few are many.
pub(crate) trait Tasks: IndexedParallelIterator {
    /// Each by itself, whoever is free. Left to itself rayon may give a thread several at a time,
    /// which no other takes off it once begun, and others wait in the end.
    fn one_item_per_task(self) -> MaxLen<Self> {
        self.with_max_len(1)
    }
}

impl<I: IndexedParallelIterator> Tasks for I {}

/// Rows that are worth a thread of their own.
pub(crate) const PART: usize = 1 << 13;

/// How many of so many rows a thread takes: an even part, unless that is too few.
pub(crate) fn part_of(n_rows: usize) -> usize {
    n_rows.div_ceil(rayon::current_num_threads()).max(PART)
}

/// Reduces rows by all threads, each taking a part where rows are many. `add` must be exact, so
/// that the number of threads changes nothing.
pub(crate) fn in_parts<T: Send>(
    rows: &[u32],
    reduce: impl Fn(&[u32]) -> T + Sync,
    add: impl Fn(T, T) -> T + Send + Sync,
) -> T {
    let part = part_of(rows.len());
    if rows.len() <= part {
        return reduce(rows);
    }
    rows.par_chunks(part).map(&reduce).reduce_with(add).unwrap_or_else(|| reduce(rows))
}
