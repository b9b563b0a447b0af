//! What a thread does alone.

/// Rows that are routed and answered in the calling thread where it is none of a pool's: outside
/// of any pool each task of a larger plan has a thread already, and a batch.
pub(crate) const BATCH: usize = 1 << 18;

/// Rows that a thread takes at a time beside others: few enough that all threads end together, and
/// that their nodes are still in cache when they are answered. Answers to five million rows took
/// 10 ms for 22 where calls were apart; back to back it did not tell.
pub(super) const RUN: usize = 1 << 16;

/// Whether so many rows are the calling thread's alone.
pub(super) fn alone(n_rows: usize) -> bool {
    rayon::current_thread_index().is_none() && n_rows <= BATCH
}
