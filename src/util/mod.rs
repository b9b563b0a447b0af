//! Helpers that are independent of trees.

pub(crate) mod atomic_file;
pub(crate) mod few_digits;
pub(crate) mod file_kind;
pub(crate) mod lazy_cache;
pub(crate) mod means;
pub(crate) mod monitoring;
pub(crate) mod parallel;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod pool;
pub(crate) mod random;
pub(crate) mod scratch_pool;
