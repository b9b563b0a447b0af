//! Rows routed batch by batch: what lies between a value and a node is there for a batch at a
//! time, and what is there for all rows is where they end.

use std::ops::Range;

use rayon::prelude::*;

use super::alone::BATCH;
use super::room::zeros;
use super::routes::{Met, Routes};
use crate::error::Result;
use crate::tasks::Tasks;

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
    let batch = |(batch, nodes): (usize, &mut [u32])| {
        let first = batch * BATCH;
        (first, route(first..first + nodes.len(), nodes))
    };
    let met: Vec<(usize, Result<Met>)> = match n_rows <= BATCH {
        true => vec![batch((0, &mut nodes))],
        false => nodes.par_chunks_mut(BATCH).one_by_one().enumerate().map(batch).collect(),
    };
    let met: Met = met.into_iter().map(|(first, met)| Ok((first, met?))).collect::<Result<_>>()?;
    Ok(Routes::new(nodes, met))
}
