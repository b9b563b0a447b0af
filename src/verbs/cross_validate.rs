//! Pruning by cross-validation.

use super::frame::Frame;
use super::notes::{cross_validated_note, fit_notes};
use super::other_rows::other_rows_note;
use super::table::{FaceTable, FromResults, ResultTable};
use crate::error::Result;
use crate::fitted::{Tree, cross_validate};
use crate::grow::SharedTable;
use crate::prune::{CvSpec, CvStep};
use crate::spec::{Pruning, Task, TreeSpec};

/// A tree pruned by cross-validation, and what that saw.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PruningCv<T = FaceTable> {
    /// The tree of all rows, pruned to the chosen alpha; its spec says so.
    pub tree: Tree,
    /// A line for each subtree of the sequence, from the whole tree to the root: `alpha f64,
    /// leaves u32, mean_error f64, standard_error f64, chosen bool`.
    pub cv: T,
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
pub fn cross_validate_pruning<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &TreeSpec,
    cv: &CvSpec,
) -> Result<PruningCv<F::Table>> {
    let spec = spec.clone().pruning(Pruning::None);
    let request = spec.request(target);
    let columns = frame.columns(&request.needed())?;
    F::in_pool(spec.threads, || {
        let table = request.training_table(&columns)?;
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
    pub fn prune_cross_validated<F: Frame + ?Sized>(
        &self,
        frame: &F,
        cv: &CvSpec,
    ) -> Result<PruningCv<F::Table>> {
        let features = self.schema().features.iter().map(|f| f.name.as_str());
        let task = if self.is_regression() { Task::Regress } else { Task::Classify };
        let spec = self.spec().clone().pruning(Pruning::None).features(features).task(task);
        let spec = spec.exclude(Vec::<String>::new());
        let request = spec.request(&self.schema().target);
        let columns = frame.columns(&request.needed())?;
        self.sources(&request, &columns)?;
        F::in_pool(spec.threads, || {
            let table = request.training_table(&columns)?;
            let note = other_rows_note(self, &table);
            let pruned = self.cross_validated(&SharedTable::new(table), &spec, cv)?;
            with_table(pruned, cv, note.into_iter().collect())
        })
    }
}

fn with_table<T: FromResults>(
    (tree, steps): (Tree, Vec<CvStep>),
    cv: &CvSpec,
    mut notes: Vec<String>,
) -> Result<PruningCv<T>> {
    notes.extend(cross_validated_note(&tree, &steps, cv.prune_by));
    let cv = ResultTable::default()
        .add("alpha", steps.iter().map(|step| step.alpha))
        .add("leaves", steps.iter().map(|step| step.leaves))
        .add("mean_error", steps.iter().map(|step| step.mean_error))
        .add("standard_error", steps.iter().map(|step| step.standard_error))
        .add("chosen", steps.iter().map(|step| step.chosen))
        .into_table()?;
    Ok(PruningCv { tree, cv, notes })
}
