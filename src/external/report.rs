//! How a growth went, and how far it is.

/// How a growth from rows that are not in memory went.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ExternalReport {
    /// Rows of positive weight.
    pub rows: u64,
    /// Times that the store read its rows: summaries, counts and gathers.
    pub passes: u32,
    /// Of these, gathers.
    pub gathers: u32,
    /// Counts that were needed for the deepest node that was not gathered.
    pub levels: u32,
    /// Bins that were counted, of all nodes and columns.
    pub bins_counted: u64,
    /// Of these, bins whose values were looked at.
    pub bins_alive: u64,
    /// Values that were fetched with their counts.
    pub values_fetched: u64,
    /// Rows that were gathered.
    pub rows_gathered: u64,
    /// The most bytes that counts and gathered rows took at a time, by count.
    pub peak_bytes: u64,
}

impl ExternalReport {
    /// The figures by name, without the rows.
    pub fn figures(&self) -> [(&'static str, u64); 8] {
        [
            ("passes", self.passes.into()),
            ("gathers", self.gathers.into()),
            ("levels", self.levels.into()),
            ("bins_counted", self.bins_counted),
            ("bins_alive", self.bins_alive),
            ("values_fetched", self.values_fetched),
            ("rows_gathered", self.rows_gathered),
            ("peak_bytes", self.peak_bytes),
        ]
    }
}

/// A pass of a growth over the rows, told before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pass {
    /// Its number, from 1 on.
    pub number: u32,
    /// What it is for.
    pub task: PassTask,
    /// The nodes that are asked about.
    pub nodes: usize,
    /// The nodes of the tree so far.
    pub nodes_so_far: usize,
    /// As of [`ExternalReport::levels`], so far.
    pub levels: u32,
    /// Values that were fetched with their counts, so far.
    pub values_fetched: u64,
}

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassTask {
    /// Finding out what there is.
    Summary,
    /// Adding up weights.
    Weights,
    /// Counting bins and values.
    Counts,
    /// Fetching the rows of small nodes.
    Gather,
}

impl PassTask {
    /// Its name in Python and in lines of progress.
    pub fn name(self) -> &'static str {
        match self {
            PassTask::Summary => "summary",
            PassTask::Weights => "weights",
            PassTask::Counts => "counts",
            PassTask::Gather => "gather",
        }
    }
}
