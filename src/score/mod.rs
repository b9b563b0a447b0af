//! Routing: which node each row of a batch ends in, and what the tree answers there.
//!
//! Each column the tree uses becomes a lane of `f64` on the [`scale`] its rules compare on,
//! straight from memory where it lies there so. Blocks of rows go down the [`flat`] tree
//! together; the few that meet something unusual are followed one by one by their [`steps`].

mod actual;
#[cfg(feature = "polars")]
mod batches;
mod huge_pages;
mod inline;
mod kernel;
mod outputs;
mod routes;
mod scale;
mod tile;

#[cfg(feature = "polars")]
pub(crate) use batches::{Batches, Rows};
#[cfg(feature = "polars")]
pub(crate) use inline::BATCH;
pub use routes::{Mixtures, Part, Routes};

use std::ops::Range;
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::data::column_data::Source;
use crate::data::dtype::DType;
use crate::error::{Error, Result, no_such_column};
use crate::spec::Missing;
use crate::tree::{Feature, Tree};
use crate::util::lazy_cache::LazyCache;
use crate::util::parallel::Tasks;
use huge_pages::zeros;
use inline::alone;
use kernel::flat_tree::FlatTree;
use kernel::slow_path::steps;
pub(crate) use routes::RouteStats;
use scale::Scale;
use tile::STRETCH;

/// A tree made ready to route.
pub(crate) struct Scorer {
    used: Vec<u32>,
    /// Of the used features.
    scales: Vec<Scale>,
    flat: FlatTree,
    /// The class each node answers with: all 0 in regression.
    classes: Vec<u32>,
    /// The classes' [probabilities](Tree::probability) in each node, one class after the other.
    probabilities: LazyCache<Vec<f64>>,
}

/// The numbers of a used column of a batch.
enum Numbers<S> {
    /// Read as it is.
    Source(S),
    /// Brought to its scale beforehand.
    Ready(Vec<f64>),
}

impl Tree {
    /// Finds the node each row ends in, rows in parallel in the current pool (a batch of few
    /// rows in the calling thread, where that is of no pool). `O(depth)` a row,
    /// but `O(nodes)` for a row that a tree of [`Missing::Fractional`] sends down every branch.
    ///
    /// `columns` finds a column by name, or answers `None`; `known` are the names there are,
    /// for the message. What a tree needs for this, linear in its size, is made with the first
    /// rows and kept for those that come later: many small batches take hardly longer than a
    /// large one.
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
        let mut nodes = zeros(n_rows);
        let met = self.router().route(self, &mut nodes, Some(0), column, known)?;
        Ok(Routes::new(nodes, met))
    }

    /// This tree made ready: once, for however many batches.
    pub(crate) fn router(&self) -> &Scorer {
        self.router.get_or_init(|| Scorer::new(self))
    }
}

impl Feature {
    /// Whether the model can compare with values of a dtype.
    pub(crate) fn check(&self, dtype: &DType) -> Result<()> {
        if self.dtype.accepts(dtype) {
            return Ok(());
        }
        Err(Error::data(format!(
            "column `{}` is {dtype} here, but the model was fitted on {}: cast it to {}",
            self.name, self.dtype, self.dtype
        )))
    }
}

impl Scorer {
    /// Linear in the tree.
    fn new(tree: &Tree) -> Scorer {
        let used = tree.used_features();
        let scales = Scale::of_used(tree, &used);
        let flat = FlatTree::of(tree, &steps(tree, &used, &scales));
        let classes = (0..tree.nodes.len() as u32).map(|node| tree.majority(node) as u32).collect();
        Scorer { used, scales, flat, classes, probabilities: LazyCache::default() }
    }

    /// The used features, of the tree it was made of.
    pub(crate) fn features<'t>(&self, tree: &'t Tree) -> impl Iterator<Item = &'t Feature> {
        self.used.iter().map(|&place| &tree.schema.features[place as usize])
    }

    /// The used columns, of dtypes the features accept.
    ///
    /// # Errors
    /// One that is absent, or of another dtype.
    pub(crate) fn sources<'t, S>(
        &self,
        tree: &'t Tree,
        column: impl Fn(&str) -> Result<Option<S>>,
        dtype: impl Fn(&S) -> &DType,
        known: &[&str],
    ) -> Result<Vec<(&'t Feature, S)>> {
        let source = |feature: &'t Feature| {
            let source = column(&feature.name)?
                .ok_or_else(|| no_such_column("feature of the model", &feature.name, known))?;
            feature.check(dtype(&source))?;
            Ok((feature, source))
        };
        self.features(tree).map(source).collect()
    }

    /// [`Tree::route`], for the tree it was made of, of as many rows as `nodes`. `first` is the
    /// number of the first row, for messages, where that is known.
    pub(crate) fn route<S: Source + Send>(
        &self,
        tree: &Tree,
        nodes: &mut [u32],
        first: Option<usize>,
        column: impl Fn(&str) -> Result<Option<S>>,
        known: &[&str],
    ) -> Result<RouteStats> {
        let n_rows = nodes.len();
        let sources = self.sources(tree, column, S::dtype, known)?;
        let alone = alone(n_rows);
        let read = |((feature, source), scale): ((&Feature, S), &Scale)| -> Result<Numbers<S>> {
            if tree.spec.missing != Missing::Error {
                return Numbers::of(feature, source, scale, n_rows);
            }
            let dtype = source.dtype().clone();
            let numbers = Numbers::of(feature, source, scale, n_rows)?;
            if let Some(row) = numbers.first_missing(n_rows) {
                return Err(forbidden(feature, &dtype, first.map(|first| first + row)));
            }
            Ok(numbers)
        };
        let numbers: Vec<Numbers<S>> = match alone {
            true => sources.into_iter().zip(&self.scales).map(read).collect::<Result<_>>()?,
            false => sources
                .into_par_iter()
                .one_item_per_task()
                .zip(&self.scales)
                .map(read)
                .collect::<Result<_>>()?,
        };
        if numbers.is_empty() {
            nodes.fill(0);
            return Ok(RouteStats::default());
        }

        // Few batches have a row that needs them.
        let steps = LazyLock::new(|| steps(tree, &self.used, &self.scales));
        let stretch = |(stretch, nodes): (usize, &mut [u32])| {
            let start = stretch * STRETCH;
            (start, self.stretch(tree, &steps, &numbers, start..start + nodes.len(), nodes))
        };
        let met: Vec<(usize, RouteStats)> = match alone {
            true => nodes.chunks_mut(STRETCH).enumerate().map(stretch).collect(),
            false => {
                nodes.par_chunks_mut(STRETCH).one_item_per_task().enumerate().map(stretch).collect()
            }
        };
        Ok(met.into_iter().collect())
    }
}

fn forbidden(feature: &Feature, dtype: &DType, row: Option<usize>) -> Error {
    let place = row.map_or("in some rows".to_string(), |row| format!("in row {row}"));
    Error::data(format!(
        "column `{}` ({dtype}) is missing {place}, and the model was fitted with missing = error: \
         fill it, or fit with another way with missing values",
        feature.name
    ))
}

impl<S: Source> Numbers<S> {
    fn of(feature: &Feature, source: S, scale: &Scale, n_rows: usize) -> Result<Numbers<S>> {
        let direct =
            matches!(scale, Scale::Numbers) && source.numbers(0..0, &mut Vec::new()).is_some();
        let dtype = source.dtype().clone();
        let check = |rows: usize| match rows == n_rows {
            true => Ok(()),
            false => Err(Error::data(format!(
                "column `{}` ({dtype}) has {rows} rows, but the table {n_rows}: they must be of \
                 one table",
                feature.name
            ))),
        };
        if direct {
            check(source.n_rows())?;
            return Ok(Numbers::Source(source));
        }
        let cells = source.cells();
        check(cells.len())?;
        Ok(Numbers::Ready(scale.numbers(feature, &dtype, cells)?))
    }

    fn first_missing(&self, n_rows: usize) -> Option<usize> {
        let mut room = Vec::new();
        (0..n_rows).step_by(STRETCH).find_map(|start| {
            let rows = start..(start + STRETCH).min(n_rows);
            let at = self.rows(&rows, &mut room).iter().position(|x| x.is_nan());
            at.map(|at| start + at)
        })
    }

    /// The numbers of some rows.
    fn rows<'a>(&'a self, rows: &Range<usize>, room: &'a mut Vec<f64>) -> &'a [f64] {
        match self {
            Numbers::Source(source) => source.numbers(rows.clone(), room).unwrap_or_default(),
            Numbers::Ready(numbers) => &numbers[rows.clone()],
        }
    }
}
