//! What a growth from rows that are not in memory may use.

/// What a growth from rows that are not in memory may use. It changes time, never the tree.
///
/// ```
/// use gaintree::Budget;
/// let budget = Budget::of_memory(2 << 30);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// Bytes that counts and gathered rows may take together.
    pub memory: u64,
    /// Bins of a column of many values.
    pub bins: u32,
    /// Nodes of at most this many rows are gathered and grown in memory; `None` is as many as the
    /// memory allows.
    pub gathered_rows: Option<u64>,
    /// At most this many values of bins are fetched at a time; `None` is as many as the memory
    /// allows.
    pub fetched_values: Option<u64>,
}

impl Budget {
    /// A budget of this many bytes.
    pub fn of_memory(bytes: u64) -> Budget {
        Budget { memory: bytes, ..Budget::default() }
    }

    setters! {
        bins: u32,
        gathered_rows: u64 => Some(gathered_rows),
        fetched_values: u64 => Some(fetched_values),
    }
}

impl Default for Budget {
    /// 2 GiB, and 4,096 bins.
    fn default() -> Budget {
        Budget { memory: 2 << 30, bins: 4096, gathered_rows: None, fetched_values: None }
    }
}
