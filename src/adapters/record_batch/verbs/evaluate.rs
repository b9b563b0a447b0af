//! A tree's predictions compared with the target of record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::tables::ResultTable;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::tables;
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::evaluation::Evaluation;

impl Tree {
    /// How good the tree's predictions are on the batches of one table with the target in it. A
    /// row of a class the tree was never trained on counts as wrong. Weights play no part.
    ///
    /// # Errors
    /// As [`score_batch`](Self::score_batch), a missing target, and batches without rows.
    pub fn evaluation_batches(&self, batches: &[RecordBatch]) -> Result<Evaluation> {
        self.evaluate_frame(&Batches::new(batches)?)
    }

    /// [`evaluation_batches`](Self::evaluation_batches) as a table of one row. Of classes `rows
    /// u64, accuracy f64, majority_accuracy f64, log_loss f64, roc_auc f64?, absent_levels u64`; of
    /// numbers `rows u64, rmse f64, mae
    /// f64, r2 f64, absent_levels u64`.
    ///
    /// # Errors
    /// As [`evaluation_batches`](Self::evaluation_batches).
    pub fn evaluate_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
        tables::batch(Vec::new(), ResultTable::from(&self.evaluation_batches(batches)?))
    }

    /// How often each class was taken for each: [`Tree::confusion`] of the DataFrame face,
    /// `actual str, predicted str, n u64`.
    ///
    /// # Errors
    /// As [`evaluation_batches`](Self::evaluation_batches), but batches without rows give zeros;
    /// a numeric target.
    pub fn confusion_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
        tables::batch(Vec::new(), self.confusion_table(&Batches::new(batches)?)?)
    }
}
