//! Routing: which node each row of a batch ends in, and what the tree answers there.
//!
//! Each column the tree uses becomes a lane of `f64` on the [`scale`] its rules compare on,
//! straight from memory where it lies there so. Blocks of rows go down the [`flat`] tree
//! together; the few that meet something unusual are followed one by one by their [`steps`].

mod actual;
mod flat;
mod routes;
mod scale;
mod steps;

pub use routes::{Mixtures, Part, Routes};

use std::hint::black_box;
use std::ops::Range;

use rayon::prelude::*;

use crate::dtype::DType;
use crate::error::{Error, Result, no_such_column};
use crate::spec::Missing;
use crate::table::Source;
use crate::tree::{Feature, Tree};
use flat::{BLOCK, Flat, UNUSUAL};
use scale::Scale;
use steps::{Step, follow, steps};

/// Rows whose numbers are brought together at a time: few enough to stay in cache.
const STRETCH: usize = 8 * BLOCK;

/// Rows that are routed in the calling thread where it is none of a pool's.
const BATCH: usize = 1 << 18;

/// A tree made ready to route: once, for however many batches.
#[derive(Debug)]
pub(crate) struct Router {
    used: Vec<u32>,
    /// Of the used features.
    scales: Vec<Scale>,
    flat: Flat,
    /// Whether what is routed is a part of something larger, and its row numbers say nothing.
    in_batches: bool,
}

/// A used column of a batch.
enum Lane<S> {
    /// Read as it is.
    Source(S),
    /// Brought to its scale beforehand.
    Numbers(Vec<f64>),
}

impl Tree {
    /// Finds the node each row ends in, rows in parallel in the current pool (a batch of few
    /// rows in the calling thread, where that is of no pool). `O(depth)` a row,
    /// but `O(nodes)` for a row that a tree of [`Missing::Fractional`] sends down every branch.
    ///
    /// `columns` finds a column by name, or answers `None`; `known` are the names there are,
    /// for the message.
    ///
    /// # Errors
    /// A used column that is absent or of a dtype the model cannot compare with, or one with
    /// missing values where the tree was fitted with [`Missing::Error`].
    pub fn route<S: Source + Send>(
        &self,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Routes> {
        Router::new(self).route(self, n_rows, column, known)
    }

    pub(crate) fn check(&self, feature: &Feature, source: &impl Source) -> Result<()> {
        if feature.dtype.accepts(source.dtype()) {
            return Ok(());
        }
        Err(Error::data(format!(
            "column `{}` is {} here, but the model was fitted on {}: cast it to {}",
            feature.name,
            source.dtype(),
            feature.dtype,
            feature.dtype
        )))
    }
}

impl Router {
    /// Linear in the tree.
    pub(crate) fn new(tree: &Tree) -> Router {
        let used = tree.used_features();
        let scales: Vec<Scale> = used.iter().map(|&feature| Scale::of(tree, feature)).collect();
        let flat = Flat::of(tree, &steps(tree, &used, &scales));
        Router { used, scales, flat, in_batches: false }
    }

    /// For batches of rows whose places among all rows are not known.
    #[cfg(feature = "polars")]
    pub(crate) fn of_batches(tree: &Tree) -> Router {
        Router { in_batches: true, ..Router::new(tree) }
    }

    /// [`Tree::route`], for the tree it was made of.
    pub(crate) fn route<S: Source + Send>(
        &self,
        tree: &Tree,
        n_rows: usize,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<Routes> {
        let mut sources = Vec::with_capacity(self.used.len());
        for &place in &self.used {
            let feature = &tree.schema.features[place as usize];
            let source = column(&feature.name)?
                .ok_or_else(|| no_such_column("feature of the model", &feature.name, known))?;
            tree.check(feature, &source)?;
            sources.push((feature, source));
        }
        // Outside of any pool each task of a larger plan has a thread already, and a batch.
        let alone = rayon::current_thread_index().is_none() && n_rows <= BATCH;
        let lane = |((feature, source), scale): ((&Feature, S), &Scale)| -> Result<Lane<S>> {
            if tree.spec.missing != Missing::Error {
                return Lane::of(feature, source, scale, n_rows);
            }
            let dtype = source.dtype().clone();
            let lane = Lane::of(feature, source, scale, n_rows)?;
            if let Some(row) = lane.first_missing(n_rows) {
                return Err(self.forbidden(feature, &dtype, row));
            }
            Ok(lane)
        };
        let lanes: Vec<Lane<S>> = match alone {
            true => sources.into_iter().zip(&self.scales).map(lane).collect::<Result<_>>()?,
            false => sources.into_par_iter().zip(&self.scales).map(lane).collect::<Result<_>>()?,
        };
        if lanes.is_empty() {
            return Ok(Routes::from(vec![0; n_rows]));
        }

        let steps = steps(tree, &self.used, &self.scales);
        let mut nodes = vec![0u32; n_rows];
        let stretch = |(stretch, nodes): (usize, &mut [u32])| {
            self.stretch(tree, &steps, &lanes, stretch * STRETCH, nodes)
        };
        let stretches: Vec<(Mixtures, u64)> = match alone {
            true => nodes.chunks_mut(STRETCH).enumerate().map(stretch).collect(),
            false => nodes.par_chunks_mut(STRETCH).enumerate().map(stretch).collect(),
        };
        let absent_levels = stretches.iter().map(|(_, absent_levels)| absent_levels).sum();
        let mixtures = stretches.into_iter().map(|(mixtures, _)| mixtures).collect();
        Ok(Routes { nodes, mixtures, absent_levels })
    }

    fn forbidden(&self, feature: &Feature, dtype: &DType, row: usize) -> Error {
        let place = if self.in_batches { "in some rows".into() } else { format!("in row {row}") };
        Error::data(format!(
            "column `{}` ({dtype}) is missing {place}, and the model was fitted with missing = \
             error: fill it, or fit with another way with missing values",
            feature.name
        ))
    }

    /// Routes some rows; the mixtures among them, and the rows that met an absent level.
    fn stretch<S: Source>(
        &self,
        tree: &Tree,
        steps: &[Option<Step>],
        lanes: &[Lane<S>],
        start: usize,
        nodes: &mut [u32],
    ) -> (Mixtures, u64) {
        let rows = start..start + nodes.len();
        let mut rooms = vec![Vec::new(); lanes.len()];
        let numbers = lanes.iter().zip(&mut rooms).map(|(lane, room)| lane.numbers(&rows, room));
        let numbers: Vec<&[f64]> = numbers.collect();
        // The last rows, too few for a block, are filled up with missing values.
        let (whole, rest) = (nodes.len() / BLOCK * BLOCK, nodes.len() % BLOCK);
        let padded = |lane: &&[f64]| {
            let mut block = [f64::NAN; BLOCK];
            block[..rest].copy_from_slice(&lane[whole..]);
            block
        };
        let last: Vec<[f64; BLOCK]> =
            if rest == 0 { Vec::new() } else { numbers.iter().map(padded).collect() };

        let (mut mixtures, mut absent_levels) = (Mixtures::default(), 0);
        let (mut ends, mut open) = ([0u32; BLOCK], Vec::new());
        for (block, nodes) in nodes.chunks_mut(BLOCK).enumerate() {
            let at = block * BLOCK;
            let block: Vec<&[f64; BLOCK]> = match at < whole {
                true => numbers.iter().filter_map(|lane| lane[at..].first_chunk()).collect(),
                false => last.iter().collect(),
            };
            touch(&block);
            self.flat.walk(&block, &mut ends);
            nodes.copy_from_slice(&ends[..nodes.len()]);
            if !nodes.contains(&UNUSUAL) {
                continue;
            }
            for (i, node) in nodes.iter_mut().enumerate().filter(|(_, node)| **node == UNUSUAL) {
                let number = |lane: u32| block[lane as usize][i];
                let absent = follow(tree, steps, number, &mut open, mixtures.parts_of_next());
                *node = mixtures.end_row(start + at + i);
                absent_levels += u64::from(absent);
            }
        }
        (mixtures, absent_levels)
    }
}

/// Reads each lane of a block in turn, a cache line at a time. The walk hops between lanes, and
/// would wait for memory at each; the processor foresees an even pace.
fn touch(block: &[&[f64; BLOCK]]) {
    const LINE: usize = 64 / size_of::<f64>();
    for lane in block {
        black_box(lane.iter().step_by(LINE).fold(0, |bits, x| bits | x.to_bits()));
    }
}

impl<S: Source> Lane<S> {
    fn of(feature: &Feature, source: S, scale: &Scale, n_rows: usize) -> Result<Lane<S>> {
        let direct =
            matches!(scale, Scale::Numbers) && source.numbers(0..0, &mut Vec::new()).is_some();
        let dtype = source.dtype().clone();
        if direct {
            return Ok(Lane::Source(source));
        }
        let cells = source.cells();
        if cells.len() != n_rows {
            return Err(Error::data(format!(
                "column `{}` ({dtype}) has {} rows, but the table {n_rows}: they must be of one \
                 table",
                feature.name,
                cells.len()
            )));
        }
        Ok(Lane::Numbers(scale.numbers(feature, &dtype, cells)?))
    }

    fn first_missing(&self, n_rows: usize) -> Option<usize> {
        let mut room = Vec::new();
        (0..n_rows).step_by(STRETCH).find_map(|start| {
            let rows = start..(start + STRETCH).min(n_rows);
            let at = self.numbers(&rows, &mut room).iter().position(|x| x.is_nan());
            at.map(|at| start + at)
        })
    }

    /// The numbers of some rows.
    fn numbers<'a>(&'a self, rows: &Range<usize>, room: &'a mut Vec<f64>) -> &'a [f64] {
        match self {
            Lane::Source(source) => source.numbers(rows.clone(), room).unwrap_or_default(),
            Lane::Numbers(numbers) => &numbers[rows.clone()],
        }
    }
}
