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

    /// How good the predictions of each class are: [`Tree::by_class`] of the DataFrame face, `class
    /// str, n u64, predicted u64, precision f64?, recall f64?, f1 f64?`.
    ///
    /// # Errors
    /// As [`evaluation_batches`](Self::evaluation_batches); a numeric target.
    pub fn by_class_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
        match self.evaluation_batches(batches)? {
            Evaluation::Classes { by_class, .. } => {
                tables::batch(Vec::new(), self.by_class_table(&by_class))
            }
            Evaluation::Numbers { .. } => Err(self.not_of_classes()),
        }
    }

    /// How far probabilities can be trusted, of two classes: [`Tree::calibration`] of the DataFrame
    /// face, `at_least f64, n u64, mean_probability f64, actual_share f64`.
    ///
    /// # Errors
    /// As [`by_class_batches`](Self::by_class_batches).
    pub fn calibration_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
        match self.evaluation_batches(batches)? {
            Evaluation::Classes { calibration, .. } => {
                tables::batch(Vec::new(), ResultTable::from(calibration.as_slice()))
            }
            Evaluation::Numbers { .. } => Err(self.not_of_classes()),
        }
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
