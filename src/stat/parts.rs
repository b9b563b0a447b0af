//! What many rows come to, by all threads.

use rayon::prelude::*;

use crate::util::parallel::part_of;

/// What some rows come to, each thread taking a part of them where they are many. `add` has to be
/// exact, as it is of stats, so that threads change nothing.
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
