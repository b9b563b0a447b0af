//! An interval of keys.

/// A closed interval of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// The lowest key.
    pub first: i128,
    /// The highest key.
    pub last: i128,
}
