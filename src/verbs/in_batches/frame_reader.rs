//! Tables that are read again and again, a few columns or a few rows at a time.

use crate::error::Result;
use crate::verbs::frame::Frame;

/// A table whose columns are read when they are asked for: files, a query, another program. The
/// same rows come each time, in the same order.
pub trait FrameReader: Send {
    /// What holds the rows: a DataFrame, a record batch, or several of them, one at least.
    type Frame: Frame;

    /// All columns, without rows.
    fn empty(&self) -> Self::Frame;

    /// The number of rows.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn n_rows(&mut self) -> Result<u64>;

    /// The columns of these names: all rows, or the `first` few.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<Self::Frame>;

    /// The columns of these names. `take` gets them in batches of about `rows_at_once` rows, in order.
    ///
    /// # Errors
    /// Rows that cannot be read; whatever `take` says, which ends the reading.
    fn read_batches(
        &mut self,
        names: &[&str],
        rows_at_once: u32,
        take: &mut (dyn FnMut(Self::Frame) -> Result<()> + Send),
    ) -> Result<()>;
}
