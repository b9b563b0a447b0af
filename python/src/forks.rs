//! A forked process has none of the threads of its parent: what it gave to them would wait for ever.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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

/// Whether this process may start threads; it counts as one that has.
pub fn may_start_threads() -> bool {
    _ = OWNER.compare_exchange(0, process::id(), Relaxed, Relaxed);
    !is_forked()
}
