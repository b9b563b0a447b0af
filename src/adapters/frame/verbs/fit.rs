//! Fitting a tree on a frame.

use std::time::{Duration, Instant};

use polars::prelude::DataFrame;

use crate::adapters::common::notes::{fit_notes, grown_notes};
use crate::adapters::common::request::all_usable;
use crate::adapters::frame::in_pool;
use crate::error::Result;
use crate::fitted::{Tree, grow};
use crate::spec::{Task, TreeSpec};

/// A fitted tree and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fit {
    /// The tree.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance`].
    pub importance: DataFrame,
    /// What to know about it, a sentence each: a target of many integers that was taken for classes
    /// (or of few whole floats for numbers), features that are like ids or give the target away, and
    /// that pruning left one leaf.
    pub notes: Vec<String>,
    /// How long it took.
    pub timing: Timing,
}

/// How long the parts of a fit took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// To encode the columns.
    pub encode: Duration,
    /// To grow the tree, or the trees.
    pub grow: Duration,
    /// To answer the rows out of bag; of a forest only.
    pub out_of_bag: Duration,
}

/// How a target would be taken, where its dtype allows both ways and the task leaves it to that:
/// what [`Fit::notes`] says of it, for a ranking. `None` where there is nothing to say.
pub fn target_note(df: &DataFrame, target: &str, task: Task) -> Option<String> {
    let spec = TreeSpec::cart().task(task);
    in_pool(None, || spec.request(target).table_of_target(df)).ok()?.target.note(task)
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
    let (tree, notes, timing) = in_pool(spec.threads, || {
        let start = Instant::now();
        let table = request.table(df, &features)?;
        let encode = start.elapsed();
        let mut notes = fit_notes(&table, spec);
        let tree = grow(table, spec)?;
        notes.extend(grown_notes(&tree, &notes));
        Ok((tree, notes, Timing { encode, grow: start.elapsed() - encode, ..Timing::default() }))
    })?;
    let importance = tree.importance()?;
    Ok(Fit { tree, importance, notes, timing })
}
