//! Memory of a thread that works on a node.

use super::histogram::few_rows::SortedEntries;
use super::partition::rank_bitmap::RankBitmap;
use crate::split::Scratch;
use crate::stat::CountRows;
use crate::util::scratch_pool::ScratchPool;

/// Reused between columns and nodes.
#[derive(Debug, Default)]
pub(crate) struct ThreadScratch<N> {
    pub(crate) column: Scratch<N>,
    /// The right side of a partition.
    pub(crate) spill: Vec<u32>,
    pub(crate) bitmap: RankBitmap,
    pub(crate) sorted: SortedEntries,
    /// Left sides of partitions.
    pub(crate) lefts: Vec<N>,
    /// What a shared branch knows of each row.
    pub(crate) of_rows: Vec<u32>,
}

pub(crate) type Pool<S> = ScratchPool<ThreadScratch<<S as CountRows>::Num>>;
