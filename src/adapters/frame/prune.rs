//! Pruning by frames: the sequence as a table, held-out rows.

use polars::prelude::DataFrame;

use super::in_pool;
use super::tables::Columns;
use crate::error::Result;
use crate::fitted::Tree;
use crate::prune::HeldOut;

impl Tree {
    /// The cost-complexity sequence, from the whole tree to the root: `alpha f64, leaves u32,
    /// depth u32, total_impurity f64`, alphas strictly rising from 0; see
    /// [`cost_complexity_steps`](crate::engine::TreeData::cost_complexity_steps). Give an alpha to
    /// [`prune_cost_complexity`](Tree::prune_cost_complexity) for its tree.
    ///
    /// # Errors
    /// Whatever Polars says on building the frame.
    pub fn cost_complexity_path(&self) -> Result<DataFrame> {
        let steps = self.cost_complexity_steps();
        Columns::default()
            .add("alpha", steps.iter().map(|s| s.alpha).collect::<Vec<_>>())
            .add("leaves", steps.iter().map(|s| s.leaves).collect::<Vec<_>>())
            .add("depth", steps.iter().map(|s| s.depth).collect::<Vec<_>>())
            .add("total_impurity", steps.iter().map(|s| s.total_impurity).collect::<Vec<_>>())
            .frame()
    }

    /// The tree with every subtree made a leaf, from the bottom up, that makes no fewer errors
    /// on the rows of a held-out frame than a leaf in its place (reduced-error pruning, Quinlan
    /// 1987): wrong classes, or squared distances. Weights play no part.
    ///
    /// A row that stops at an inner node counts there. Nodes that no held-out row reaches become
    /// leaves: nothing below them makes an error, so a frame without rows leaves the root alone.
    ///
    /// # Errors
    /// As [`Tree::evaluate`], but a frame without rows is none.
    pub fn prune_reduced_error(&self, df: &DataFrame) -> Result<Tree> {
        if self.is_regression() {
            let rows = in_pool(None, || self.judge(df, |source| self.actual_numbers(source)))?;
            self.prune_reduced_error_of(&rows.routes, HeldOut::Numbers(&rows.actual))
        } else {
            let rows = in_pool(None, || self.judge(df, |source| self.actual_classes(source)))?;
            self.prune_reduced_error_of(&rows.routes, HeldOut::Classes(&rows.actual))
        }
    }
}
