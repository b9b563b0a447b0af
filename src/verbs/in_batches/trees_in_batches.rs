//! Trees from rows that are read in batches, several times; judged and pruned by rows that are read once.

use super::frame_batches::{FrameBatches, ROWS_AT_ONCE, counting_pool};
use super::frame_reader::FrameReader;
use crate::error::{Error, Result};
use crate::evaluation::Evaluation;
use crate::external::{BatchStore, ExternalReport, Pass, grow_from_store};
use crate::fitted::Tree;
use crate::spec::{Budget, EvalSpec, PruneBy, TreeSpec};
use crate::verbs::evaluate::LabelledRows;
use crate::verbs::frame::{Frame, NamedColumns, Needed};
use crate::verbs::notes::tree_notes;
use crate::verbs::table::FaceTable;

/// A tree fitted on rows that were read in batches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamedFit<T = FaceTable> {
    /// The tree: byte for byte that of the same rows in memory.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance`].
    pub importance: T,
    /// What to know about it, as [`Fit::notes`](crate::Fit::notes) says.
    /// Features that are like ids are not looked for.
    pub notes: Vec<String>,
    /// Passes over the rows, values fetched, and memory.
    pub report: ExternalReport,
}

/// Fits a tree on a table that is read in batches, several times: the tree that
/// [`fit_tree`](crate::fit_tree) gives of the same rows. `progress` hears of each pass before it
/// begins.
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree), and what the reader says; what cannot be done so: fractional
/// missing values where there are some, subtree raising, or a tree that may outgrow the budget; rows
/// that change between two passes.
pub fn fit_tree_in_batches<F: Frame>(
    rows: &mut dyn FrameReader<Frame = F>,
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
    progress: &mut (dyn FnMut(Pass) + Send),
) -> Result<StreamedFit<F::Table>> {
    let batches = FrameBatches::new(rows, &spec.request(target))?;
    // Beside counts and gathered rows, batches are in memory, and the node of each row.
    let mut store = BatchStore::new(batches, budget.memory / 8);
    let mut of_growth = budget.clone();
    of_growth.memory = budget.memory / 2;
    let pool = counting_pool::<F>(spec.threads)?;
    let (tree, report) =
        pool.install(|| grow_from_store(&mut store, spec, &of_growth, progress))?;
    let importance = tree.importance_table().into_table()?;
    let notes = tree_notes(&tree, spec.task);
    Ok(StreamedFit { tree, importance, notes, report })
}

impl Tree {
    /// [`evaluation_with`](crate::ModelVerbs::evaluation_with) on a table that is read in batches: the same figures. Of each
    /// row its target and the node it ends in stay in memory, about 12 bytes.
    ///
    /// # Errors
    /// As [`evaluation_with`](crate::ModelVerbs::evaluation_with), and what the reader says.
    pub fn evaluation_in_batches<F: Frame>(
        &self,
        rows: &mut dyn FrameReader<Frame = F>,
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        self.checked_event(spec)?;
        let rows = self.label_in_batches(rows, None, |_| Ok(()))?;
        F::in_pool(spec.threads, || self.evaluate_rows(&rows, spec))
    }

    /// [`prune_reduced_error`](Self::prune_reduced_error) by a table that is read in batches: the
    /// same tree. Of each row its target and the node it ends in stay in memory, about 12 bytes, and
    /// its weight, 8 bytes, where the tree's rows had weights.
    ///
    /// # Errors
    /// As [`prune_reduced_error`](Self::prune_reduced_error), and what the reader says.
    pub fn prune_reduced_error_in_batches<F: Frame>(
        &self,
        rows: &mut dyn FrameReader<Frame = F>,
        by: PruneBy,
    ) -> Result<Tree> {
        let mut weights = self.held_out_weights(&rows.empty().outline()?)?;
        let weight = self.spec().weight.as_deref();
        let rows = self.label_in_batches(rows, weight, |batch| {
            if let Some(weights) = &mut weights {
                weights.extend(self.held_out_weights(batch)?.unwrap_or_default());
            }
            Ok(())
        })?;
        self.prune_by_rows(&rows, weights.as_deref(), by)
    }

    /// The rows with their targets. `also` sees each batch, with the column `more` if there is one.
    fn label_in_batches<F: Frame>(
        &self,
        rows: &mut dyn FrameReader<Frame = F>,
        more: Option<&str>,
        mut also: impl FnMut(&F::Columns) -> Result<()> + Send,
    ) -> Result<LabelledRows> {
        // Columns that are not there, or of another dtype, are found before any row is read.
        let empty = rows.empty().outline()?;
        let mut labelled = self.label_rows(&empty)?;
        let schema = self.schema();
        let used = self.used_features().into_iter();
        let names = used.map(|f| schema.features[f as usize].name.as_str());
        let names = names.chain([schema.target.as_str()]).chain(more);
        let names: Vec<&str> =
            names.filter(|name| empty.column_or_reason(name).is_some()).collect();
        let mut first = 0;
        rows.read_batches(&names, ROWS_AT_ONCE, &mut |batch| {
            let in_file = |e: Error| e.of_part(first);
            let batch = batch.columns(&Needed::All)?;
            also(&batch).map_err(in_file)?;
            labelled.append(F::in_pool(None, || self.label_rows(&batch)).map_err(in_file)?);
            first += batch.n_rows();
            Ok(())
        })?;
        Ok(labelled)
    }
}
