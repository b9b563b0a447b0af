//! Tables that are read again and again, a few columns or a few rows at a time.

use polars::prelude::DataFrame;

use crate::error::Result;

/// A table whose columns are read when they are asked for: files, a query, another program. The
/// same rows come each time, in the same order.
pub trait FrameReader: Send {
    /// All columns, without rows.
    fn empty(&self) -> DataFrame;

    /// The number of rows.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn n_rows(&mut self) -> Result<u64>;

    /// The columns of these names: all rows, or the `first` few.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<DataFrame>;

    /// The columns of these names. `take` gets them in batches of about `rows_at_once` rows, in order.
    ///
    /// # Errors
    /// Rows that cannot be read; whatever `take` says, which ends the reading.
    fn read_batches(
        &mut self,
        names: &[&str],
        rows_at_once: u32,
        take: &mut (dyn FnMut(DataFrame) -> Result<()> + Send),
    ) -> Result<()>;
}
