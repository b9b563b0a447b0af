//! Intervals of keys.

/// A closed interval of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// The lowest key.
    pub first: i128,
    /// The highest key.
    pub last: i128,
}

impl KeyRange {
    /// Ascending ranges, neighbours joined to one.
    pub(super) fn joined(ranges: impl Iterator<Item = KeyRange>) -> Vec<KeyRange> {
        let mut joined: Vec<KeyRange> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if last.last.checked_add(1) == Some(range.first) => {
                    last.last = range.last;
                }
                _ => joined.push(range),
            }
        }
        joined
    }

    /// Whether one of some ranges, which ascend, has a key.
    #[inline]
    pub(crate) fn any_has(ranges: &[KeyRange], key: i128) -> bool {
        let at = ranges.partition_point(|range| range.last < key);
        ranges.get(at).is_some_and(|range| range.first <= key)
    }
}
