//! An interval of keys.

/// A closed interval of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// The lowest key.
    pub first: i128,
    /// The highest key.
    pub last: i128,
}

impl KeyRange {
    /// Whether one of some ranges, which ascend, has a key.
    pub(crate) fn any_has(ranges: &[KeyRange], key: i128) -> bool {
        let at = ranges.partition_point(|range| range.last < key);
        ranges.get(at).is_some_and(|range| range.first <= key)
    }
}
