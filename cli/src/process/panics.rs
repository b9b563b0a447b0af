//! A panic is a bug in this program, or in Polars on a damaged file. The user still gets one line.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first panic since the last call of [`catch_panic`]. A panic in a worker thread is passed on
/// without its message, so the hook keeps it.
static FIRST: Mutex<Option<Panic>> = Mutex::new(None);

#[derive(Debug, Default)]
pub struct Panic {
    pub message: String,
    pub location: String,
}

fn first() -> MutexGuard<'static, Option<Panic>> {
    FIRST.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn catch_panic<R>(work: impl FnOnce() -> R) -> Result<R, Panic> {
    first().take();
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or_default().to_string();
        let location = info.location().map(ToString::to_string).unwrap_or_default();
        first().get_or_insert(Panic { message, location });
    }));
    // `work` owns what a panic leaves half done, and is dropped.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| first().take().unwrap_or_default())
}
