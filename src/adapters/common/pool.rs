//! A pool of its own, where a number of threads is asked for.

use crate::error::{Error, Result};

/// Runs in so many threads.
pub(crate) fn in_own_pool<R: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<R> + Send,
) -> Result<R> {
    if threads == 0 {
        let what = "threads is 0; at least 1 is needed, or none for the pool there is";
        return Err(Error::spec(what));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Error::spec(format!("{threads} threads could not be started: {e}")))?
        .install(work)
}
