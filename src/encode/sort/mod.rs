//! Sorting integer keys by radix.

pub(crate) mod argsort;
pub(crate) mod hashed_keys;
pub(crate) mod msd_partition;
pub(crate) mod radix_pass;
pub(crate) mod sorted_keys;
pub(crate) mod tagged_keys;
