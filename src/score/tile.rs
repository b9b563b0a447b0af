//! A stretch of rows: their numbers brought together, block by block sent down the tree.

use std::ops::{Deref, Range};

use crate::data::column_data::Source;
use crate::score::kernel::flat_tree::UNUSUAL;
use crate::score::kernel::prefetch::{Ahead, touch};
use crate::score::kernel::slow_path::{Step, follow};
use crate::score::kernel::walk::{BLOCK, Lane};
use crate::score::routes::RouteStats;
use crate::score::{Numbers, Scorer};
use crate::tree::Tree;

/// Rows whose numbers are brought together at a time: few enough to stay in cache.
pub(super) const STRETCH: usize = 64 * BLOCK;

impl Scorer {
    /// Routes some rows.
    pub(super) fn stretch<'t, S: Source>(
        &self,
        tree: &Tree,
        steps: &impl Deref<Target = Vec<Option<Step<'t>>>>,
        numbers: &[Numbers<S>],
        rows: Range<usize>,
        nodes: &mut [u32],
    ) -> RouteStats {
        let mut rooms = vec![Vec::new(); numbers.len()];
        let of_rows = numbers.iter().zip(&mut rooms).map(|(of, room)| of.rows(&rows, room));
        let numbers: Vec<&[f64]> = of_rows.collect();
        let (blocks, rest): (Vec<_>, Vec<_>) =
            numbers.iter().map(|numbers| numbers.as_chunks::<BLOCK>()).unzip();
        // The last rows, too few for a block, are filled up with missing values.
        let padded = |rest: &&[f64]| {
            let mut block = [f64::NAN; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            block
        };
        let last: Vec<[f64; BLOCK]> = rest.iter().map(padded).collect();

        let mut met = RouteStats::default();
        let (mut ends, mut open) = ([0u32; BLOCK], Vec::new());
        let mut lanes: Vec<Lane> = last.iter().collect();
        let firsts =
            || blocks.iter().zip(&last).map(|(blocks, last)| blocks.first().unwrap_or(last));
        firsts().for_each(|block| touch(block));
        let ahead = Ahead::of(firsts());
        for (i, nodes) in nodes.chunks_mut(BLOCK).enumerate() {
            for ((lane, blocks), last) in lanes.iter_mut().zip(&blocks).zip(&last) {
                *lane = blocks.get(i).unwrap_or(last);
            }
            let ahead = ahead.of_block(i);
            let has_unusual = match nodes.try_into() {
                Ok(nodes) => self.flat.walk(&lanes, ahead, nodes),
                Err(_) => {
                    let has_unusual = self.flat.walk(&lanes, ahead, &mut ends);
                    nodes.copy_from_slice(&ends[..nodes.len()]);
                    has_unusual
                }
            };
            if !has_unusual {
                continue;
            }
            let unusual = nodes.iter_mut().enumerate().filter(|(_, node)| **node == UNUSUAL);
            for (row, node) in unusual {
                let number = |feature: u32| lanes[feature as usize][row];
                let absent = follow(tree, steps, number, &mut open, met.mixtures.parts_of_next());
                *node = met.mixtures.end_row(i * BLOCK + row);
                met.absent_levels += u64::from(absent);
            }
        }
        met
    }
}
