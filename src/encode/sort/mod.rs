//! Sorting integer keys by radix.
//!
//! A key and its row (or the row's payload, where a caller needs nothing else of the row) are packed
//! into one 64-bit word. The key is stored as its distance from the column's least key:
//!
//! ```text
//! bit 63                      payload_bits            0
//!     |  key: low bits of distance  |  row or payload |
//! ```
//!
//! If both do not fit, either low bits of the distance are dropped and equal words are compared by
//! key afterwards, or high bits are left out, which all words of a bucket share.
//!
//! 1. Sample the keys to find crowded prefixes: floats crowd around a few exponents.
//! 2. [`msd_partition`]: partition the words by their high bits into buckets that fit the L2
//!    cache, in one pass over the column. Crowded prefixes get more buckets.
//! 3. [`radix_pass`]: one counting pass over the next bits of each bucket.
//! 4. Insertion sort of the bucket, whose words are now at most a few places off.
//!
//! [`argsort`](mod@argsort) returns rows, [`sorted_keys`] returns keys with payloads, and
//! [`hashed_keys`] avoids the sort if there are few distinct keys.

pub(super) mod argsort;
pub(crate) mod hashed_keys;
pub(crate) mod msd_partition;
pub(crate) mod payload_keys;
mod radix_pass;
pub(crate) mod sorted_keys;
