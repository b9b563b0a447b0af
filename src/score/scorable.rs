//! Rows that outputs can be made of.

use crate::error::Result;
use crate::score::outputs::Outputs;
use crate::score::routes::{Part, Routes};

/// Rows that outputs can be made of, routed already or not.
pub(crate) trait Scorable: Sized {
    /// The output of each row, and how many rows met an absent level.
    ///
    /// # Errors
    /// If a row cannot be routed.
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync>,
    ) -> Result<(Vec<T>, u64)>;
}

impl Scorable for &Routes {
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync>,
    ) -> Result<(Vec<T>, u64)> {
        Ok((self.outputs(outputs), self.absent_levels))
    }
}

impl Scorable for Routes {
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync>,
    ) -> Result<(Vec<T>, u64)> {
        (&self).score(outputs)
    }
}
