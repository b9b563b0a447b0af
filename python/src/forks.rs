//! A forked process has none of the threads of its parent: what it gave to them would wait for ever.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::{env, process};

use rayon::ThreadPoolBuilder;

/// The variable that sets the number of Polars' threads.
const MAX_THREADS: &str = "POLARS_MAX_THREADS";

/// The process that has started threads; 0 before one has.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// The process was forked from one that had started threads.
pub const FORKED: &str = "this process was forked from one in which gaintree had started threads, \
     which a fork leaves behind: start processes with multiprocessing.get_context(\"spawn\") or \
     (\"forkserver\"), or fork before anything is fitted, ranked or scored";

/// Whether this process was forked from one that had started threads.
pub fn is_forked() -> bool {
    ![0, process::id()].contains(&OWNER.load(Relaxed))
}

/// Whether this process may start threads; it counts as one that has. There are as many as Polars
/// has.
pub fn may_start_threads() -> bool {
    if OWNER.compare_exchange(0, process::id(), Relaxed, Relaxed).is_ok()
        && let Some(threads) = env::var(MAX_THREADS).ok().and_then(|n| n.parse().ok())
    {
        // Where there is a pool already, it stays.
        _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    !is_forked()
}
