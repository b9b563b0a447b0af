//! What a ranking of rows that are read several times gives.

use polars::prelude::DataFrame;

/// A ranking of rows that were read several times.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamedRanking {
    /// The table of [`rank_gain`](crate::rank_gain), the same as of the rows in memory.
    pub ranking: DataFrame,
    /// How the target was taken, if it could be taken in another way; see
    /// [`target_note`](crate::target_note). A numeric target
    /// has none where features are counted.
    pub note: Option<String>,
    /// Rows of positive weight.
    pub rows: u64,
    /// Times that columns were read.
    pub readings: u32,
    /// The most bytes that columns, or counts of them, took at a time, by count.
    pub peak_bytes: u64,
}
