//! Thread pools for specs that ask for a number of threads.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};

/// More threads only wait for one another: a few thousand of them for minutes.
const MOST_PER_PROCESSOR: usize = 8;

/// A pool of `threads` threads, but at most [`MOST_PER_PROCESSOR`]; `None` if the pool at hand, of
/// `available` threads, will do.
pub(crate) fn own_pool(threads: Option<usize>, available: usize) -> Result<Option<ThreadPool>> {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let n = threads.map(|n| n.min(MOST_PER_PROCESSOR * processors));
    let Some(n) = n.filter(|&n| n != available) else { return Ok(None) };
    if n == 0 {
        let what = "threads is 0; at least 1 is needed, or none for the pool there is";
        return Err(Error::spec(what));
    }
    let pool = ThreadPoolBuilder::new().num_threads(n).build();
    pool.map(Some).map_err(|e| Error::spec(format!("{n} threads could not be started: {e}")))
}
