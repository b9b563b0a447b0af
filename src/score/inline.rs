//! When the calling thread works alone, and how much a thread takes at a time otherwise.

/// Batches of at most this many rows are scored in the calling thread, if it belongs to no pool.
/// A caller outside of any pool (a streaming engine) usually has a thread per batch already.
pub(crate) const INLINE_ROWS: usize = 1 << 18;

/// Rows of a parallel task: few enough that all threads end together, and that their nodes are
/// still in cache when the outputs are made of them.
pub(crate) const TASK_ROWS: usize = 1 << 16;

/// Whether the calling thread scores this many rows itself.
pub(crate) fn runs_inline(n_rows: usize) -> bool {
    rayon::current_thread_index().is_none() && n_rows <= INLINE_ROWS
}
