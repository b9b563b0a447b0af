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
    let own = threads.map(capped).filter(|&n| n != available);
    own.map(pool_of).transpose()
}

/// A pool of `threads` threads, but at most [`MOST_PER_PROCESSOR`].
pub(crate) fn pool_of(threads: usize) -> Result<ThreadPool> {
    let n = capped(threads);
    if n == 0 {
        let what = "threads is 0; at least 1 is needed, or none for the pool there is";
        return Err(Error::spec(what));
    }
    let pool = ThreadPoolBuilder::new().num_threads(n).build();
    pool.map_err(|e| Error::spec(format!("{n} threads could not be started: {e}")))
}

/// Has `run` call the work in a pool, as a `dyn`: rayon's code is compiled again for each closure.
pub(crate) fn run_in<R: Send>(
    run: impl FnOnce(&mut (dyn FnMut() + Send)),
    work: impl FnOnce() -> R + Send,
) -> R {
    let (mut work, mut result) = (Some(work), None);
    run(&mut || result = work.take().map(|work| work()));
    result.expect("the work was called")
}

fn capped(threads: usize) -> usize {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    threads.min(MOST_PER_PROCESSOR * processors)
}
