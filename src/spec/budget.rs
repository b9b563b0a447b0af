//! What a growth from rows that are not in memory may use.

use super::spec;

impl Budget {
    /// A budget of this many bytes.
    pub fn of_memory(bytes: u64) -> Budget {
        Budget { memory: bytes, ..Budget::default() }
    }
}

spec! {
    /// What a growth from rows that are not in memory may use. It changes time, never the tree.
    /// By default 2 GiB, and 4,096 bins.
    ///
    /// ```
    /// use gaintree::Budget;
    /// let budget = Budget::of_memory(2 << 30);
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Budget {
        /// Bytes that counts and gathered rows may take together.
        pub memory: u64 = 2 << 30 => by_hand,
        /// Bins of a column of many values.
        pub bins: u32 = 4096,
        /// Nodes of at most this many rows are gathered and grown in memory; `None` is as many as
        /// the memory allows.
        pub gathered_rows: Option<u64>,
        /// At most this many values of bins are fetched at a time; `None` is as many as the memory
        /// allows.
        pub fetched_values: Option<u64>,
    }
}
