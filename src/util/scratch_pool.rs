//! Scratch memory that threads reuse.

use std::sync::{Mutex, PoisonError};

/// A pool of scratch values. Reusing them avoids the page faults of freshly mapped memory. They are
/// boxed, as they are large and go in and out for every node.
#[derive(Debug, Default)]
pub(crate) struct ScratchPool<T>(Mutex<Vec<Box<T>>>);

impl<T: Default> ScratchPool<T> {
    /// Calls `work` with a free value, or a new one if none is free.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = free.unwrap_or_default();
        let result = work(&mut scratch);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }
}
