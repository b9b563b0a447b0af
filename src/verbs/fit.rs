//! Fitting a tree on a frame.

use std::time::{Duration, Instant};

use super::frame::{Frame, Needed};
use super::notes::{fit_notes, grown_notes};
use super::table::FaceTable;
use crate::error::Result;
use crate::fitted::{Tree, grow};
use crate::spec::{Task, TreeSpec};

/// A fitted tree and what its features did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fit<T = FaceTable> {
    /// The tree.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance`].
    pub importance: T,
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
pub fn target_note<F: Frame + ?Sized>(frame: &F, target: &str, task: Task) -> Option<String> {
    let request = TreeSpec::cart().task(task).request(target);
    let columns = frame.columns(&Needed::Checked(vec![target])).ok()?;
    F::in_pool(None, || request.table_of_target(&columns)).ok()?.target.note(task)
}

/// Fits a tree that predicts `target` from the other columns.
///
/// Encoding takes `O(m n)` for m columns of n numbers, growth `O(m n)` a level. Both run in Polars'
/// pool, or for record batches in the rayon pool that this is called in. The tree of one table is the
/// same, byte for byte, whichever type holds it.
///
/// # Errors
/// A column that is not there or cannot serve, a target with nulls or of one class, bad
/// weights, or a spec that contradicts itself; each names the column and what to do.
pub fn fit_tree<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &TreeSpec,
) -> Result<Fit<F::Table>> {
    let request = spec.request(target);
    let columns = frame.columns(&request.needed())?;
    let (tree, notes, timing) = F::in_pool(spec.threads, || {
        let start = Instant::now();
        let table = request.training_table(&columns)?;
        let encode = start.elapsed();
        let mut notes = fit_notes(&table, spec);
        let tree = grow(table, spec)?;
        notes.extend(grown_notes(&tree, &notes));
        Ok((tree, notes, Timing { encode, grow: start.elapsed() - encode, ..Timing::default() }))
    })?;
    let importance = tree.importance_table().into_table()?;
    Ok(Fit { tree, importance, notes, timing })
}
