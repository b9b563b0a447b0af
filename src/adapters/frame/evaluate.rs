//! How good a tree's answers are on a frame that knows them.

use polars::prelude::DataFrame;

use super::in_pool;
use super::tables::Columns;
use crate::error::Result;
use crate::fitted::Tree;

impl Tree {
    /// How good the tree's answers are on a frame with the target in it, in one row.
    ///
    /// Of classes `rows u64, accuracy f64, log_loss f64, absent_levels u64`: `log_loss` is the
    /// mean of `-ln p` of the actual class, p clipped to [2^-52, 1]. A row of a class the tree
    /// was never trained on counts as wrong. Of numbers `rows u64, rmse f64, mae f64, r2 f64,
    /// absent_levels u64`; where the actual numbers are all the same `r2` is 0. `absent_levels`
    /// are the rows that met a level their node never saw.
    ///
    /// # Errors
    /// As [`Tree::score`], a missing target, and a frame without rows.
    pub fn evaluate(&self, df: &DataFrame) -> Result<DataFrame> {
        Columns::default().append(in_pool(None, || self.evaluation(df))?).frame()
    }

    /// How often each class was taken for each: `actual str, predicted str, n u64`, every pair
    /// of the tree's classes in class order; rows of classes it was never trained on come last,
    /// with `actual` null.
    ///
    /// # Errors
    /// As [`Tree::evaluate`], but a frame without rows gives zeros; a numeric target.
    pub fn confusion(&self, df: &DataFrame) -> Result<DataFrame> {
        Columns::default().append(in_pool(None, || self.confusion_table(df))?).frame()
    }
}
