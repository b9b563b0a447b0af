//! What follows from a value, made when it is first asked for.

use std::fmt;
use std::sync::OnceLock;

/// Made once, and no part of the value it follows from: it differs from no other, and a clone,
/// which may be changed, starts without it.
pub(crate) struct LazyCache<T>(OnceLock<T>);

impl<T> LazyCache<T> {
    /// What was made, or is made now; threads that ask meanwhile wait, so `make` is to be work of
    /// the calling thread alone: a task it waited for could be theirs.
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }
}

impl<T> Default for LazyCache<T> {
    fn default() -> Self {
        LazyCache(OnceLock::new())
    }
}

impl<T> Clone for LazyCache<T> {
    fn clone(&self) -> Self {
        LazyCache::default()
    }
}

impl<T> fmt::Debug for LazyCache<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

impl<T> PartialEq for LazyCache<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_made_once_and_not_cloned() {
        let derived = LazyCache::default();
        assert_eq!(*derived.get_or_make(|| 1), 1);
        assert_eq!(*derived.get_or_make(|| 2), 1);
        assert_eq!(*derived.clone().get_or_make(|| 3), 3);
        assert!(derived == LazyCache::default());
    }
}
