//! Derived data that is computed when it is first needed.

use std::fmt;
use std::sync::OnceLock;

/// A lazily computed cache; equality ignores it and a clone starts empty.
pub(crate) struct LazyCache<T>(OnceLock<T>);

impl<T> LazyCache<T> {
    /// The cached value, computed on the first call. Other threads block meanwhile, so `init` must
    /// not wait for rayon tasks: a blocked thread could hold one.
    pub(crate) fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(init)
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
    fn is_computed_once_and_not_cloned() {
        let cache = LazyCache::default();
        assert_eq!(*cache.get_or_init(|| 1), 1);
        assert_eq!(*cache.get_or_init(|| 2), 1);
        assert_eq!(*cache.clone().get_or_init(|| 3), 3);
        assert!(cache == LazyCache::default());
    }
}
