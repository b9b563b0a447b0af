//! Pruning: the cost-complexity sequence as a table, and by a held-out frame.

use super::frame::Frame;
use super::model_ref::ModelRef;
use super::notes::pruned_to_one_leaf;
use super::table::{FaceTable, ResultTable};
use crate::error::Result;
use crate::fitted::Tree;
use crate::prune::printed_alphas;
use crate::spec::PruneBy;

/// What to know of a tree that held-out rows pruned, `by` what: that one leaf is left of `grown`.
/// `None` where there is nothing to say.
pub fn pruning_note(grown: &Tree, pruned: &Tree, by: PruneBy) -> Option<String> {
    if grown.n_leaves() > 1 { pruned_to_one_leaf(pruned, by) } else { None }
}

impl Tree {
    /// The cost-complexity sequence, from the whole tree to the root: `alpha f64, leaves u32,
    /// depth u32, total_impurity f64`, alphas strictly rising from 0; see
    /// [`cost_complexity_steps`](crate::engine::TreeData::cost_complexity_steps). Give an alpha, as it
    /// is or as it prints, to [`prune_cost_complexity`](Tree::prune_cost_complexity) for its tree: it
    /// is rounded up to six decimals, or to more where that would be the next subtree's.
    ///
    /// # Errors
    /// Whatever the library of the table says on building it.
    pub fn cost_complexity_path(&self) -> Result<FaceTable> {
        let steps = self.cost_complexity_steps();
        let alphas: Vec<f64> = steps.iter().map(|s| s.alpha).collect();
        ResultTable::default()
            .add("alpha", printed_alphas(&alphas))
            .add("leaves", steps.iter().map(|s| s.leaves))
            .add("depth", steps.iter().map(|s| s.depth))
            .add("total_impurity", steps.iter().map(|s| s.total_impurity))
            .into_table()
    }

    /// [`prune_reduced_error_of`](Self::prune_reduced_error_of) (Quinlan 1987) by the rows of a
    /// held-out frame, `by` what counts as an error. One without rows leaves the root alone. Where
    /// the tree was fitted on weighted rows, these weigh by the column of that name.
    ///
    /// # Errors
    /// As [`evaluate`](crate::ModelVerbs::evaluate), but a frame without rows is none; weights as in fitting.
    pub fn prune_reduced_error<F: Frame + ?Sized>(&self, frame: &F, by: PruneBy) -> Result<Tree> {
        let columns = frame.columns(&ModelRef::from(self).weighted_columns().into())?;
        let weights = self.held_out_weights(&columns)?;
        let rows = F::in_pool(None, || self.label_rows(&columns))?;
        self.prune_by_rows(&rows, weights.as_deref(), by)
    }
}
