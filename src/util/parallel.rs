//! How rayon divides work among threads.

use rayon::prelude::*;

/// Parallel iterators over a few large items.
pub(crate) trait Tasks: IndexedParallelIterator {
    /// Makes each item a task of its own. By default rayon may give one thread several items,
    /// which other threads cannot steal once it has started on them.
    fn one_item_per_task(self) -> rayon::iter::MaxLen<Self> {
        self.with_max_len(1)
    }
}

impl<I: IndexedParallelIterator> Tasks for I {}

/// The least number of rows that justifies a task of its own.
pub(crate) const PART: usize = 1 << 13;

/// Rows per task: an even share per thread, but at least [`PART`].
pub(crate) fn part_of(n_rows: usize) -> usize {
    n_rows.div_ceil(rayon::current_num_threads()).max(PART)
}

/// Reduces rows to one value, in parallel if they are many. `add` must be exact, as it is for
/// stats, so that the number of threads does not change the result.
pub(crate) fn in_parts<T: Send>(
    rows: &[u32],
    of: impl Fn(&[u32]) -> T + Sync,
    add: impl Fn(T, T) -> T + Send + Sync,
) -> T {
    let part = part_of(rows.len());
    if rows.len() <= part {
        return of(rows);
    }
    rows.par_chunks(part).map(&of).reduce_with(add).unwrap_or_else(|| of(rows))
}
