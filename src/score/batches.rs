//! Rows routed batch by batch: lanes and nodes exist for one batch at a time, so that they stay in
//! cache; only the outputs are kept for all rows.

use std::mem::MaybeUninit;
use std::ops::Range;

use rayon::prelude::*;

use crate::error::Result;
use crate::score::huge_pages::{with_capacity, zeros};
use crate::score::inline::{TASK_ROWS, runs_inline};
use crate::score::outputs::Outputs;
use crate::score::routes::{Part, RouteStats, Routes};
use crate::util::parallel::Tasks;
use crate::util::scratch_pool::ScratchPool;

/// Rows that outputs can be made of, routed already or not.
pub(crate) trait Scorable {
    /// The output of each row, and how many rows met an absent level.
    ///
    /// # Errors
    /// If a row cannot be routed.
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T>,
    ) -> Result<(Vec<T>, u64)>;
}

/// Rows that have been routed.
impl Scorable for &Routes {
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T>,
    ) -> Result<(Vec<T>, u64)> {
        Ok((self.outputs(outputs), self.absent_levels))
    }
}

/// Rows that are yet to be routed, in parallel batches. `route` routes the rows of one batch and
/// writes their nodes. The error returned is that of the first batch that has one.
pub(crate) struct BatchedRows<F> {
    pub(crate) n_rows: usize,
    pub(crate) route: F,
}

impl<F: Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> BatchedRows<F> {
    /// Routes all rows.
    pub(crate) fn routes(self) -> Result<Routes> {
        let mut nodes = zeros(self.n_rows);
        let stats = in_batches(&mut nodes, &self.route)?;
        Ok(Routes::new(nodes, stats))
    }
}

impl<F: Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> Scorable for BatchedRows<F> {
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T>,
    ) -> Result<(Vec<T>, u64)> {
        let of_node = &outputs.of_node;
        let pool: ScratchPool<Vec<u32>> = ScratchPool::default();
        let batch = |rows: Range<usize>, values: &mut [MaybeUninit<T>]| {
            pool.with(|nodes| {
                nodes.resize(rows.len().max(nodes.len()), 0);
                let nodes = &mut nodes[..rows.len()];
                let stats = (self.route)(rows, nodes)?;
                for (value, &node) in values.iter_mut().zip(&*nodes) {
                    value.write(of_node(node));
                }
                Ok(stats)
            })
        };
        let mut values = with_capacity(self.n_rows);
        let stats = in_batches(&mut values.spare_capacity_mut()[..self.n_rows], &batch)?;
        // SAFETY: each batch has written all of its rows, or there was an error.
        #[expect(unsafe_code)]
        unsafe {
            values.set_len(self.n_rows);
        }
        outputs.mix(&mut values, &stats.mixtures);
        Ok((values, stats.absent_levels))
    }
}

/// Calls `of_batch` with the rows of each batch and their part of `all`.
fn in_batches<T: Send>(
    all: &mut [T],
    of_batch: &(impl Fn(Range<usize>, &mut [T]) -> Result<RouteStats> + Sync),
) -> Result<RouteStats> {
    let batch = |(batch, part): (usize, &mut [T])| {
        let first = batch * TASK_ROWS;
        (first, of_batch(first..first + part.len(), part))
    };
    let stats: Vec<(usize, Result<RouteStats>)> = match all.len() <= TASK_ROWS
        || runs_inline(all.len())
    {
        true => vec![batch((0, all))],
        false => all.par_chunks_mut(TASK_ROWS).one_item_per_task().enumerate().map(batch).collect(),
    };
    stats.into_iter().map(|(first, stats)| Ok((first, stats?))).collect()
}
