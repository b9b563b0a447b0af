//! A panic is a bug, ours or Polars' on a file it did not expect; a user still gets one line.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard};

/// The first panic since the last one that was caught. A panic in a worker thread comes back
/// from there without its message, so the hook keeps it.
static FIRST: Mutex<Option<Crash>> = Mutex::new(None);

/// What panicked.
#[derive(Debug, Default)]
pub struct Crash {
    pub what: String,
    /// File and line, for whoever mends it.
    pub place: String,
}

fn first() -> MutexGuard<'static, Option<Crash>> {
    FIRST.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Runs `work`; a panic in it is an error.
pub fn caught<R>(work: impl FnOnce() -> R) -> Result<R, Crash> {
    first().take();
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let what = payload.downcast_ref::<&str>().map(ToString::to_string);
        let what = what.or_else(|| payload.downcast_ref::<String>().cloned());
        let place = info.location().map(ToString::to_string);
        let crash = Crash { what: what.unwrap_or_default(), place: place.unwrap_or_default() };
        first().get_or_insert(crash);
    }));
    // What `work` leaves half done is dropped with it.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| first().take().unwrap_or_default())
}
