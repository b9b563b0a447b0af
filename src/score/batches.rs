//! Rows routed batch by batch: lanes and nodes exist for one batch at a time, so that they stay in
//! cache; only the outputs are kept for all rows.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::score::batch_writes::{in_batches, written};
use crate::score::huge_pages::zeros;
use crate::score::outputs::{Outputs, Scorable};
use crate::score::routes::{Part, RouteStats, Routes};
use crate::util::scratch_pool::ScratchPool;

/// Rows that are yet to be routed, in parallel batches. `route` routes the rows of one batch and
/// writes their nodes. The error of the first batch that has one is returned.
pub(crate) struct BatchedRows<F> {
    pub(crate) n_rows: usize,
    pub(crate) route: F,
}

impl<F: Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> BatchedRows<F> {
    pub(crate) fn routes(self) -> Result<Routes> {
        let mut nodes = zeros(self.n_rows);
        let stats = in_batches(&mut nodes, &self.route)?;
        Ok(Routes::new(nodes, stats))
    }
}

impl<F: Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> Scorable for BatchedRows<F> {
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync>,
    ) -> Result<(Vec<T>, u64)> {
        let pool: ScratchPool<Vec<u32>> = ScratchPool::default();
        let (mut values, stats) = written::<T, Error>(self.n_rows, &|rows, values| {
            pool.with(|nodes| {
                nodes.resize(rows.len().max(nodes.len()), 0);
                let nodes = &mut nodes[..rows.len()];
                let stats = (self.route)(rows, nodes)?;
                outputs.write(nodes, values);
                Ok(stats)
            })
        })?;
        outputs.mix(&mut values, &stats.mixtures);
        Ok((values, stats.absent_levels))
    }
}
