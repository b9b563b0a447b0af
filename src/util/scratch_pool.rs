//! Memory to work with, lent to one thread after the other.

use std::sync::{Mutex, PoisonError};

/// What threads work with, reused: memory that is given back and asked for again is mapped page
/// by page each time.
#[derive(Debug, Default)]
pub(crate) struct ScratchPool<T>(Mutex<Vec<T>>);

impl<T: Default> ScratchPool<T> {
    /// Lends what is free, or something new, while `work` is done.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut lent = free.unwrap_or_default();
        let result = work(&mut lent);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(lent);
        result
    }
}
