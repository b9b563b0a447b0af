//! A stretch of rows: their numbers brought together, block by block sent down the tree.

use std::ops::Range;

use super::flat::UNUSUAL;
use super::near::touch;
use super::routes::Mixtures;
use super::steps::{Step, follow};
use super::walk::{BLOCK, Lane};
use super::{Numbers, Router};
use crate::table::Source;
use crate::tree::Tree;

/// Rows whose numbers are brought together at a time: few enough to stay in cache.
pub(super) const STRETCH: usize = 32 * BLOCK;

impl Router {
    /// Routes some rows; the mixtures among them, and the rows that met an absent level.
    pub(super) fn stretch<S: Source>(
        &self,
        tree: &Tree,
        steps: &[Option<Step>],
        numbers: &[Numbers<S>],
        rows: Range<usize>,
        nodes: &mut [u32],
    ) -> (Mixtures, u64) {
        let mut rooms = vec![Vec::new(); numbers.len()];
        let of_rows = numbers.iter().zip(&mut rooms).map(|(of, room)| of.rows(&rows, room));
        let numbers: Vec<&[f64]> = of_rows.collect();
        // The last rows, too few for a block, are filled up with missing values.
        let rest = nodes.len() % BLOCK;
        let padded = |numbers: &&[f64]| {
            let mut block = [f64::NAN; BLOCK];
            block[..rest].copy_from_slice(&numbers[numbers.len() - rest..]);
            block
        };
        let last: Vec<[f64; BLOCK]> =
            if rest == 0 { Vec::new() } else { numbers.iter().map(padded).collect() };

        let (mut mixtures, mut absent_levels) = (Mixtures::default(), 0);
        let (mut ends, mut open) = ([0u32; BLOCK], Vec::new());
        let (mut block, mut next) = (Vec::new(), Vec::new());
        numbers.iter().for_each(|numbers| touch(&numbers[..BLOCK.min(numbers.len())]));
        for (at, nodes) in (0..).step_by(BLOCK).zip(nodes.chunks_mut(BLOCK)) {
            block.clear();
            next.clear();
            for (i, numbers) in numbers.iter().enumerate() {
                let (own, later) = match numbers[at..].split_first_chunk() {
                    Some(split) => split,
                    None => (&last[i], [].as_slice()),
                };
                block.extend([1.0, -1.0].map(|sign| Lane { numbers: own, sign }));
                next.push(&later[..BLOCK.min(later.len())]);
            }
            self.flat.walk(&block, &next, &mut ends);
            nodes.copy_from_slice(&ends[..nodes.len()]);
            if !nodes.contains(&UNUSUAL) {
                continue;
            }
            for (i, node) in nodes.iter_mut().enumerate().filter(|(_, node)| **node == UNUSUAL) {
                let number = |feature: u32| block[2 * feature as usize].numbers[i];
                let absent = follow(tree, steps, number, &mut open, mixtures.parts_of_next());
                *node = mixtures.end_row(rows.start + at + i);
                absent_levels += u64::from(absent);
            }
        }
        (mixtures, absent_levels)
    }
}
