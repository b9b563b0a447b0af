//! Fitting a tree on a frame.

use std::time::{Duration, Instant};

use polars::prelude::DataFrame;

use crate::adapters::common::request::all_usable;
use crate::adapters::frame::in_pool;
use crate::error::Result;
use crate::fitted::{Tree, grow};
use crate::spec::TreeSpec;

/// A fitted tree and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fit {
    /// The tree.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance`].
    pub importance: DataFrame,
    /// How long it took.
    pub timing: Timing,
}

/// How long the parts of a fit took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// To encode the columns.
    pub encode: Duration,
    /// To grow the tree.
    pub grow: Duration,
}

/// Fits a tree that predicts `target` from the other columns.
///
/// Encoding takes `O(m n)` for m columns of n numbers, growth `O(m n)` a level; both run in
/// Polars' pool.
///
/// # Errors
/// A column that is not there or cannot serve, a target with nulls or of one class, bad
/// weights, or a spec that contradicts itself; each names the column and what to do.
pub fn fit_tree(df: &DataFrame, target: &str, spec: &TreeSpec) -> Result<Fit> {
    let request = spec.request(target);
    let features = all_usable(request.features(df)?, target)?;
    let (tree, timing) = in_pool(spec.threads, || {
        let start = Instant::now();
        let table = request.table(df, &features)?;
        let encode = start.elapsed();
        let tree = grow(table, spec)?;
        Ok((tree, Timing { encode, grow: start.elapsed() - encode }))
    })?;
    let importance = tree.importance()?;
    Ok(Fit { tree, importance, timing })
}
