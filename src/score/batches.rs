//! Rows routed batch by batch: what lies between a value and a node is there for a batch at a
//! time, and what is there for all rows is where they end, or what is said of that.

use std::mem::MaybeUninit;
use std::ops::Range;

use rayon::prelude::*;

use super::alone::alone;
use super::room::{room, zeros};
use super::routes::{Met, Part, Routes};
use crate::error::Result;
use crate::lent::Lent;
use crate::tasks::Tasks;
use crate::tree::Tree;

/// Rows of each of several batches: their nodes are still in cache when something is said of them.
const ONE_OF_SEVERAL: usize = 1 << 16;

/// Where so many rows end, batches side by side; `route` is given the rows of a batch, and says of
/// each the node.
///
/// # Errors
/// That of the first batch that has one.
pub(crate) fn in_batches(
    n_rows: usize,
    route: impl Fn(Range<usize>, &mut [u32]) -> Result<Met> + Sync,
) -> Result<Routes> {
    let mut nodes = zeros(n_rows);
    let met = side_by_side(&mut nodes, &route)?;
    Ok(Routes::new(nodes, met))
}

/// Rows of which something is to be said, by where they end.
pub(crate) trait Rows {
    /// What is said of each row, given what is said of a node and of a mixture; and how many rows
    /// met an absent level.
    ///
    /// # Errors
    /// Where a row cannot be routed.
    fn said<T: Copy + Send + Sync>(
        self,
        tree: &Tree,
        of_node: impl Fn(u32) -> T,
        of_mixture: impl Fn(&[Part]) -> T,
    ) -> Result<(Vec<T>, u64)>;
}

/// Rows that have been routed.
impl Rows for &Routes {
    fn said<T: Copy + Send + Sync>(
        self,
        tree: &Tree,
        of_node: impl Fn(u32) -> T,
        of_mixture: impl Fn(&[Part]) -> T,
    ) -> Result<(Vec<T>, u64)> {
        Ok((self.said(tree, of_node, of_mixture), self.absent_levels))
    }
}

/// So many rows that are yet to be routed, as by [`in_batches`]. Their nodes are there for a batch
/// at a time too, within the cache.
pub(crate) struct Batches<F> {
    pub(crate) n_rows: usize,
    pub(crate) route: F,
}

impl<F: Fn(Range<usize>, &mut [u32]) -> Result<Met> + Sync> Rows for Batches<F> {
    fn said<T: Copy + Send + Sync>(
        self,
        tree: &Tree,
        of_node: impl Fn(u32) -> T,
        of_mixture: impl Fn(&[Part]) -> T,
    ) -> Result<(Vec<T>, u64)> {
        let of_node = tree.of_each_node(of_node);
        let lent: Lent<Vec<u32>> = Lent::default();
        let batch = |rows: Range<usize>, said: &mut [MaybeUninit<T>]| {
            lent.with(|nodes| {
                nodes.resize(rows.len().max(nodes.len()), 0);
                let nodes = &mut nodes[..rows.len()];
                let met = (self.route)(rows, nodes)?;
                for (said, &node) in said.iter_mut().zip(&*nodes) {
                    said.write(of_node[node as usize]);
                }
                Ok(met)
            })
        };
        let mut said = room(self.n_rows);
        let met = side_by_side(&mut said.spare_capacity_mut()[..self.n_rows], &batch)?;
        // SAFETY: each batch has written all of its rows, or there was an error.
        #[expect(unsafe_code)]
        unsafe {
            said.set_len(self.n_rows);
        }
        for (row, parts) in met.mixtures.iter() {
            said[row as usize] = of_mixture(parts);
        }
        Ok((said, met.absent_levels))
    }
}

/// What the batches met, each given its rows and their part of `all`.
fn side_by_side<T: Send>(
    all: &mut [T],
    of_batch: &(impl Fn(Range<usize>, &mut [T]) -> Result<Met> + Sync),
) -> Result<Met> {
    let batch = |(batch, part): (usize, &mut [T])| {
        let first = batch * ONE_OF_SEVERAL;
        (first, of_batch(first..first + part.len(), part))
    };
    let met: Vec<(usize, Result<Met>)> = match all.len() <= ONE_OF_SEVERAL || alone(all.len()) {
        true => vec![batch((0, all))],
        false => all.par_chunks_mut(ONE_OF_SEVERAL).one_by_one().enumerate().map(batch).collect(),
    };
    met.into_iter().map(|(first, met)| Ok((first, met?))).collect()
}
