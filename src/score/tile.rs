//! One tile of rows: their lanes are brought together, then sent down the tree block by block.

use std::ops::{Deref, Range};

use crate::data::column_data::Source;
use crate::score::kernel::block::{BLOCK, Lane};
use crate::score::kernel::flat_test::SLOW_PATH;
use crate::score::kernel::flat_tree::FlatTree;
use crate::score::kernel::prefetch::{PrefetchPlan, warm};
use crate::score::kernel::scaled_node::ScaledNode;
use crate::score::kernel::slow_path::follow;
use crate::score::lanes::LaneSource;
use crate::score::routes::RouteStats;
use crate::tree::TreeData;

/// The numbers of some rows, in blocks.
pub(super) struct TileNumbers<'a> {
    blocks: Vec<&'a [[f64; BLOCK]]>,
    /// The last rows, too few for a block, padded with missing values.
    last: Vec<[f64; BLOCK]>,
}

impl<'a> TileNumbers<'a> {
    /// Some rows of the lanes; `buffers`, one a lane, may be used to hold them.
    pub(super) fn new<S: Source>(
        sources: &'a [LaneSource<S>],
        rows: &Range<usize>,
        buffers: &'a mut Vec<Vec<f64>>,
    ) -> TileNumbers<'a> {
        buffers.resize_with(sources.len(), Vec::new);
        let numbers = sources.iter().zip(buffers).map(|(of, buffer)| of.rows(rows, buffer));
        let (blocks, rest): (Vec<_>, Vec<_>) = numbers.map(<[f64]>::as_chunks::<BLOCK>).unzip();
        let padded = |rest: &&[f64]| {
            let mut block = [f64::NAN; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            block
        };
        let last = rest.iter().map(padded).collect();
        TileNumbers { blocks, last }
    }

    /// The numbers of a lane, row by row; after the last row come missing values.
    pub(super) fn lane(&self, lane: usize) -> impl Iterator<Item = &f64> {
        self.blocks[lane].as_flattened().iter().chain(&self.last[lane])
    }
}

impl FlatTree {
    /// Routes the rows of one tile. `slow` are the tree's inner nodes for the slow path.
    pub(super) fn route_tile<'t>(
        &self,
        tree: &TreeData,
        slow: &impl Deref<Target = Vec<Option<ScaledNode<'t>>>>,
        tile: &TileNumbers,
        nodes: &mut [u32],
    ) -> RouteStats {
        let TileNumbers { blocks, last } = tile;
        let mut stats = RouteStats::default();
        let (mut ended_in, mut open) = ([0u32; BLOCK], Vec::new());
        let mut lanes: Vec<Lane> = last.iter().collect();
        let firsts =
            || blocks.iter().zip(last).map(|(blocks, last)| blocks.first().unwrap_or(last));
        firsts().for_each(|block| warm(block));
        let prefetch = PrefetchPlan::new(firsts());
        for (i, nodes) in nodes.chunks_mut(BLOCK).enumerate() {
            for ((lane, blocks), last) in lanes.iter_mut().zip(blocks).zip(last) {
                *lane = blocks.get(i).unwrap_or(last);
            }
            let prefetch = prefetch.of_block(i);
            let takes_slow_path = match nodes.try_into() {
                Ok(nodes) => self.walk(&lanes, prefetch, nodes),
                Err(_) => {
                    let takes_slow_path = self.walk(&lanes, prefetch, &mut ended_in);
                    nodes.copy_from_slice(&ended_in[..nodes.len()]);
                    takes_slow_path
                }
            };
            if !takes_slow_path {
                continue;
            }
            let slow_rows = nodes.iter_mut().enumerate().filter(|(_, node)| **node == SLOW_PATH);
            for (row, node) in slow_rows {
                let number = |lane: u32| lanes[lane as usize][row];
                let absent = follow(tree, slow, number, &mut open, stats.mixtures.next_parts());
                *node = stats.mixtures.end_row(i * BLOCK + row);
                stats.absent_levels += u64::from(absent);
            }
        }
        stats
    }
}
