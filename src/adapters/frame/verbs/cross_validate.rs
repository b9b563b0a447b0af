//! Pruning by cross-validation.

use polars::prelude::DataFrame;

use super::other_rows::other_rows_note;
use crate::adapters::common::notes::{cross_validated_note, fit_notes};
use crate::adapters::common::request::all_usable;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::frame;
use crate::encode::table::Table;
use crate::error::Result;
use crate::fitted::{Tree, cross_validate};
use crate::grow::SharedTable;
use crate::prune::{CvSpec, CvStep};
use crate::spec::{Pruning, Task, TreeSpec};

/// A tree pruned by cross-validation, and what that saw.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PruningCv {
    /// The tree of all rows, pruned to the chosen alpha; its spec says so.
    pub tree: Tree,
    /// A line for each subtree of the sequence, from the whole tree to the root: `alpha f64,
    /// leaves u32, mean_error f64, standard_error f64, chosen bool`.
    pub cv: DataFrame,
    /// What to know about it, a sentence each: of a fit, what [`Fit::notes`](crate::Fit::notes)
    /// says; of a fitted tree, that the rows are not those it was fitted on; and that one leaf is
    /// left.
    pub notes: Vec<String>,
}

/// Fits a tree and prunes it to the alpha that cross-validation chooses (Breiman et al. 1984,
/// section 3.4.2). The spec's own pruning is put aside.
///
/// Rows are dealt into folds in order of class (or of number), equals in row order: stratified,
/// and the same each time. A tree is grown without each fold; it is pruned to the geometric mean
/// of every two neighbouring alphas of the whole tree's sequence (to the root for the last), and
/// its errors on the fold are counted: wrong classes (or log loss or Gini, as
/// [`CvSpec::prune_by`](crate::CvSpec::prune_by) says), or squared distances, by the rows' weight
/// times their class's.
/// `standard_error` is that of their mean over the rows. Of equal errors the smallest tree is
/// chosen. It takes the time of `folds + 1` growths; the frame is encoded once.
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree), for all rows and for those outside each fold; folds fewer
/// than 2 or more than the rows of positive weight.
pub fn cross_validate_pruning(
    df: &DataFrame,
    target: &str,
    spec: &TreeSpec,
    cv: &CvSpec,
) -> Result<PruningCv> {
    let spec = spec.clone().pruning(Pruning::None);
    in_pool(spec.threads, || {
        let table = table(df, target, &spec)?;
        let notes = fit_notes(&table, &spec);
        with_table(cross_validate(&SharedTable::new(table), &spec, cv)?, cv, notes)
    })
}

impl Tree {
    /// This tree pruned to the alpha that cross-validation over a frame chooses, as
    /// [`cross_validate_pruning`] does, which fits the tree too: given the rows the tree was
    /// fitted on, and before other pruning, the two are the same. The folds' trees are grown by
    /// this tree's spec on its features. It takes the time of as many growths as folds.
    ///
    /// # Errors
    /// As [`cross_validate_pruning`], and a frame whose columns are not of the tree's dtypes.
    pub fn prune_cross_validated(&self, df: &DataFrame, cv: &CvSpec) -> Result<PruningCv> {
        let features = self.schema().features.iter().map(|f| f.name.as_str());
        let task = if self.is_regression() { Task::Regress } else { Task::Classify };
        let spec = self.spec().clone().pruning(Pruning::None).features(features).task(task);
        let spec = spec.exclude(Vec::<String>::new());
        let target = self.schema().target.as_str();
        self.sources(&spec.request(target), df)?;
        in_pool(spec.threads, || {
            let table = table(df, target, &spec)?;
            let note = other_rows_note(self, &table);
            let pruned = self.cross_validated(&SharedTable::new(table), &spec, cv)?;
            with_table(pruned, cv, note.into_iter().collect())
        })
    }
}

fn table(df: &DataFrame, target: &str, spec: &TreeSpec) -> Result<Table> {
    let request = spec.request(target);
    let features = all_usable(request.features(df)?, target)?;
    request.table(df, &features)
}

fn with_table(
    (tree, steps): (Tree, Vec<CvStep>),
    cv: &CvSpec,
    mut notes: Vec<String>,
) -> Result<PruningCv> {
    notes.extend(cross_validated_note(&tree, &steps, cv.prune_by));
    Ok(PruningCv { tree, cv: frame(steps.as_slice().into())?, notes })
}
