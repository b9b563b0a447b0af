//! How the process runs and ends: threads, memory, panics, signals, exit codes.

mod failure;
mod memory;
mod panics;
mod signals;

pub use failure::{Failure, QueryFailure, Result, one_line};
pub use memory::{free_memory, keep_freed_memory};
pub use panics::{Panic, catch_panic};
pub use signals::{remove_when_stopped, watch_signals};

/// Lets Polars read files with datetimes in a zone it does not know, and with intervals, which are
/// structs then. Otherwise such a column makes the whole file unreadable.
pub fn read_more_dtypes() {
    for name in ["POLARS_IGNORE_TIMEZONE_PARSE_ERROR", "POLARS_IMPORT_INTERVAL_AS_STRUCT"] {
        // SAFETY: no other thread runs yet.
        unsafe { std::env::set_var(name, "1") };
    }
}

/// Bounds the threads of Polars too, which reads its pool's size from the environment once.
pub fn bound_threads(threads: usize) {
    // SAFETY: no other thread runs yet, and none is started before Polars reads this.
    unsafe { std::env::set_var("POLARS_MAX_THREADS", threads.to_string()) };
}
