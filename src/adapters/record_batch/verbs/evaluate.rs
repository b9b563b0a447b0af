//! A model's predictions compared with the target of record batches.

use arrow::array::RecordBatch;

use crate::adapters::common::model_ref::ModelRef;
use crate::adapters::common::tables::ResultTable;
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, tables};
use crate::error::Result;
use crate::evaluation::Evaluation;
use crate::fitted::{Forest, Model, Tree};
use crate::spec::EvalSpec;

macro_rules! batch_evaluation {
    ($($model:ident),*) => {$(
        /// Judging on record batches.
        impl $model {
            /// How good the model's predictions are on the batches of one table with the target in it. A
            /// row of a class the model was never trained on counts as wrong. Weights play no part.
            ///
            /// # Errors
            /// As [`score_batch`](Self::score_batch), a missing target, and batches without rows.
            pub fn evaluation_batches(&self, batches: &[RecordBatch]) -> Result<Evaluation> {
                self.evaluation_batches_with(batches, &EvalSpec::default())
            }

            /// [`evaluation_batches`](Self::evaluation_batches) with an event of one's own, costs, or intervals.
            ///
            /// # Errors
            /// As [`evaluation_batches`](Self::evaluation_batches); an event that is no class, and numbers out
            /// of range.
            pub fn evaluation_batches_with(
                &self,
                batches: &[RecordBatch],
                spec: &EvalSpec,
            ) -> Result<Evaluation> {
                let batches = Batches::new(batches)?;
                in_pool(spec.threads, || ModelRef::from(self).evaluate_frame(&batches, spec))
            }

            /// [`evaluation_batches`](Self::evaluation_batches) as a table of one row: `Tree::evaluate` of the
            /// DataFrame face. Of classes `rows u64, accuracy f64, majority_accuracy f64, log_loss f64, brier
            /// f64, roc_auc f64?, average_precision f64?, absent_levels u64`; of numbers `rows u64, rmse f64, mae
            /// f64, r2 f64, absent_levels u64`.
            ///
            /// # Errors
            /// As [`evaluation_batches`](Self::evaluation_batches).
            pub fn evaluate_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
                tables::batch(Vec::new(), ResultTable::from(&self.evaluation_batches(batches)?))
            }

            /// How far the figures would go on other rows: `Tree::intervals` of the DataFrame face, `figure
            /// str, value f64?, low f64?, high f64?`; of 1,000 draws without a bootstrap in the spec.
            ///
            /// # Errors
            /// As [`evaluation_batches_with`](Self::evaluation_batches_with).
            pub fn intervals_batches(
                &self,
                batches: &[RecordBatch],
                spec: &EvalSpec,
            ) -> Result<RecordBatch> {
                let evaluation = self.evaluation_batches_with(batches, &spec.with_bootstrap())?;
                tables::batch(Vec::new(), evaluation.intervals_table())
            }

            /// How good the predictions of each class are: `Tree::by_class` of the DataFrame face, `class
            /// str, n u64, predicted u64, precision f64?, recall f64?, f1 f64?, roc_auc f64?,
            /// average_precision f64?`.
            ///
            /// # Errors
            /// As [`evaluation_batches`](Self::evaluation_batches); a numeric target.
            pub fn by_class_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
                match self.evaluation_batches(batches)? {
                    Evaluation::Classes { by_class, .. } => {
                        tables::batch(Vec::new(), ModelRef::from(self).by_class_table(&by_class))
                    }
                    Evaluation::Numbers { .. } => Err(ModelRef::from(self).schema().not_of_classes()),
                }
            }

            /// How far probabilities can be trusted: `Tree::calibration` of the DataFrame face, `event str, at_least f64,
            /// at_most f64, n u64, mean_probability f64, actual_share f64, lift f64?`.
            ///
            /// # Errors
            /// As [`evaluation_batches_with`](Self::evaluation_batches_with); a numeric target, no event.
            pub fn calibration_batches(
                &self,
                batches: &[RecordBatch],
                spec: &EvalSpec,
            ) -> Result<RecordBatch> {
                let evaluation = self.evaluation_batches_with(batches, spec)?;
                tables::batch(Vec::new(), evaluation.calibration_table()?)
            }

            /// What each threshold on the probability of the event would do: `Tree::thresholds` of the
            /// DataFrame face, `event str, threshold f64, predicted u64, true_positives u64, false_positives u64,
            /// false_negatives u64, true_negatives u64, precision f64?, recall f64?, false_positive_rate f64?,
            /// f1 f64?, lift f64?, cost f64, is_best bool`.
            ///
            /// # Errors
            /// As [`calibration_batches`](Self::calibration_batches).
            pub fn thresholds_batches(
                &self,
                batches: &[RecordBatch],
                spec: &EvalSpec,
            ) -> Result<RecordBatch> {
                let evaluation = self.evaluation_batches_with(batches, spec)?;
                tables::batch(Vec::new(), evaluation.thresholds_table()?)
            }

            /// How often each class was taken for each: [`Tree::confusion`] of the DataFrame face,
            /// `actual str, predicted str, n u64`.
            ///
            /// # Errors
            /// As [`evaluation_batches`](Self::evaluation_batches), but batches without rows give zeros;
            /// a numeric target.
            pub fn confusion_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
                tables::batch(Vec::new(), ModelRef::from(self).confusion_table(&Batches::new(batches)?)?)
            }
        }
    )*};
}

batch_evaluation!(Tree, Forest, Model);
