//! Thread pools for specs that ask for a number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};

/// A pool of `threads` threads; `None` if the pool at hand, of `available` threads, will do.
pub(crate) fn own_pool(threads: Option<usize>, available: usize) -> Result<Option<ThreadPool>> {
    let Some(n) = threads.filter(|&n| n != available) else { return Ok(None) };
    if n == 0 {
        let what = "threads is 0; at least 1 is needed, or none for the pool there is";
        return Err(Error::spec(what));
    }
    let pool = ThreadPoolBuilder::new().num_threads(n).build();
    pool.map(Some).map_err(|e| Error::spec(format!("{n} threads could not be started: {e}")))
}
