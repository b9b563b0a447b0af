//! The shape of a block of rows.

/// Rows per block: few enough that some twenty lanes of them stay in the first-level cache beside
/// the tests.
pub(crate) const BLOCK: usize = 64;

/// Rows that take a test together in the loop over a level.
pub(crate) const GROUP: usize = 4;

/// The numbers of a feature in a block.
pub(crate) type Lane<'a> = &'a [f64; BLOCK];
