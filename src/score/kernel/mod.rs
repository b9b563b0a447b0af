//! Rows sent down a flat tree.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
pub(crate) mod flat_tree;
pub(crate) mod prefetch;
pub(crate) mod slow_path;
pub(crate) mod top_levels;
pub(crate) mod walk;
