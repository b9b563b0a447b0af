//! What a thread does alone.

/// Rows that are routed and answered in the calling thread where it is none of a pool's: outside
/// of any pool each task of a larger plan has a thread already, and a batch.
pub(crate) const BATCH: usize = 1 << 18;

/// Whether so many rows are the calling thread's alone.
pub(super) fn alone(n_rows: usize) -> bool {
    rayon::current_thread_index().is_none() && n_rows <= BATCH
}
