//! Rows routed batch by batch: what lies between a value and a node is there for a batch at a
//! time, and what is there for all rows is where they end, or what they are answered.

use std::mem::MaybeUninit;
use std::ops::Range;

use rayon::prelude::*;

use crate::error::Result;
use crate::score::huge_pages::{room, zeros};
use crate::score::inline::{RUN, alone};
use crate::score::outputs::Answers;
use crate::score::routes::{Part, RouteStats, Routes};
use crate::util::parallel::Tasks;
use crate::util::scratch_pool::ScratchPool;

/// Rows to be answered by where they end.
pub(crate) trait Rows {
    /// What each row is answered, and how many rows met an absent level.
    ///
    /// # Errors
    /// Where a row cannot be routed.
    fn answered<T: Copy + Send + Sync>(
        self,
        answers: &Answers<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T>,
    ) -> Result<(Vec<T>, u64)>;
}

/// Rows that have been routed.
impl Rows for &Routes {
    fn answered<T: Copy + Send + Sync>(
        self,
        answers: &Answers<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T>,
    ) -> Result<(Vec<T>, u64)> {
        Ok((self.answered(answers), self.absent_levels))
    }
}

/// So many rows that are yet to be routed, batches side by side; `route` is given the rows of a
/// batch, and says of each the node. Errors are those of the first batch that has one.
pub(crate) struct Batches<F> {
    pub(crate) n_rows: usize,
    pub(crate) route: F,
}

impl<F: Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> Batches<F> {
    /// Where the rows end.
    pub(crate) fn routes(self) -> Result<Routes> {
        let mut nodes = zeros(self.n_rows);
        let met = side_by_side(&mut nodes, &self.route)?;
        Ok(Routes::new(nodes, met))
    }
}

/// The nodes are there for a batch at a time too, within the cache.
impl<F: Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync> Rows for Batches<F> {
    fn answered<T: Copy + Send + Sync>(
        self,
        answers: &Answers<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T>,
    ) -> Result<(Vec<T>, u64)> {
        let of_node = &answers.of_node;
        let lent: ScratchPool<Vec<u32>> = ScratchPool::default();
        let batch = |rows: Range<usize>, answered: &mut [MaybeUninit<T>]| {
            lent.with(|nodes| {
                nodes.resize(rows.len().max(nodes.len()), 0);
                let nodes = &mut nodes[..rows.len()];
                let met = (self.route)(rows, nodes)?;
                for (answered, &node) in answered.iter_mut().zip(&*nodes) {
                    answered.write(of_node(node));
                }
                Ok(met)
            })
        };
        let mut answered = room(self.n_rows);
        let met = side_by_side(&mut answered.spare_capacity_mut()[..self.n_rows], &batch)?;
        // SAFETY: each batch has written all of its rows, or there was an error.
        #[expect(unsafe_code)]
        unsafe {
            answered.set_len(self.n_rows);
        }
        answers.mix(&mut answered, &met.mixtures);
        Ok((answered, met.absent_levels))
    }
}

/// What the batches met, each given its rows and their part of `all`.
fn side_by_side<T: Send>(
    all: &mut [T],
    of_batch: &(impl Fn(Range<usize>, &mut [T]) -> Result<RouteStats> + Sync),
) -> Result<RouteStats> {
    let batch = |(batch, part): (usize, &mut [T])| {
        let first = batch * RUN;
        (first, of_batch(first..first + part.len(), part))
    };
    let met: Vec<(usize, Result<RouteStats>)> = match all.len() <= RUN || alone(all.len()) {
        true => vec![batch((0, all))],
        false => all.par_chunks_mut(RUN).one_item_per_task().enumerate().map(batch).collect(),
    };
    met.into_iter().map(|(first, met)| Ok((first, met?))).collect()
}
