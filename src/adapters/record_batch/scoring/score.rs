//! Scoring a record batch: the input and a prediction per row.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow::datatypes::{Field, FieldRef, Schema as ArrowSchema};

use super::predictions::{labels_array, means_array};
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{arrow_error, in_pool};
use crate::error::Result;
use crate::fitted::{Forest, Model, Tree};
use crate::score::{ForestAnswers, Routes};
use crate::tree::Schema;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::{ScoreReport, ScoreSpec, check_free};

macro_rules! batch_scoring {
    ($($model:ident),*) => {$(
        /// Scoring of record batches.
        impl $model {
            /// The batch with a column `prediction` of the target's dtype: `score` of the DataFrame
            /// face. Means of integers and decimals are `Float64`, categoricals are dictionaries of
            /// text, and integers of 128 bits are decimals of 39 digits.
            ///
            /// Integer widths compare as integers, `Float32` fits an `f64` model, dictionaries and all
            /// layouts of text are interchangeable, a `Null` column is all missing; columns the model
            /// does not use are not looked at. Batches may be scored one by one, each with dictionaries
            /// of its own.
            ///
            /// # Errors
            /// A used column that is absent or of another dtype, or a column of the batch named
            /// `prediction`.
            pub fn score_batch(&self, batch: &RecordBatch) -> Result<RecordBatch> {
                self.score_batch_with(batch, &ScoreSpec::default())
            }

            /// [`score_batch`](Self::score_batch) with more, or other, columns.
            ///
            /// # Errors
            /// As [`score_batch`](Self::score_batch), a kept column that is not there, and what the
            /// model does not have: probabilities of a number, votes of one tree, leaf ids of a forest.
            pub fn score_batch_with(
                &self,
                batch: &RecordBatch,
                spec: &ScoreSpec,
            ) -> Result<RecordBatch> {
                Ok(self.score_batch_with_report(batch, spec)?.0)
            }

            /// [`score_batch_with`](Self::score_batch_with), and a report on it.
            ///
            /// # Errors
            /// As [`score_batch_with`](Self::score_batch_with).
            pub fn score_batch_with_report(
                &self,
                batch: &RecordBatch,
                spec: &ScoreSpec,
            ) -> Result<(RecordBatch, ScoreReport)> {
                ModelRef::from(self).score_batch(batch, spec)
            }
        }
    )*};
}

batch_scoring!(Tree, Forest, Model);

impl ModelRef<'_> {
    /// The kept columns of the batch and the added ones, and a report.
    fn score_batch(
        self,
        batch: &RecordBatch,
        spec: &ScoreSpec,
    ) -> Result<(RecordBatch, ScoreReport)> {
        spec.check(self)?;
        let (mut fields, mut arrays) = kept(batch, spec)?;
        let (added, absent_levels) = in_pool(spec.threads, || {
            let batch = Batches::new(std::slice::from_ref(batch))?;
            match self {
                ModelRef::Tree(tree) => {
                    let routes = tree.route_frame(&batch)?;
                    let absent_levels = routes.absent_levels;
                    Ok((tree.added_arrays(routes, spec)?, absent_levels))
                }
                ModelRef::Forest(forest) => {
                    let answers = forest.answer_frame(&batch, spec.voting())?;
                    let absent_levels = answers.absent_levels;
                    Ok((forest.added_arrays(answers, spec)?, absent_levels))
                }
            }
        })?;
        let kept = fields.iter().map(|field| field.name().as_str());
        check_free(added.iter().map(|(name, _)| name.as_str()), kept)?;
        for (name, array) in added {
            fields.push(Arc::new(Field::new(name, array.data_type().clone(), true)));
            arrays.push(array);
        }
        let schema = ArrowSchema::new_with_metadata(fields, batch.schema_ref().metadata().clone());
        // A batch may have rows and no column.
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let scored = RecordBatch::try_new_with_options(Arc::new(schema), arrays, &rows);
        let report = ScoreReport { rows: batch.num_rows() as u64, absent_levels };
        Ok((scored.map_err(arrow_error)?, report))
    }
}

/// Columns with their names.
type NamedArrays = Vec<(String, ArrayRef)>;

impl Tree {
    /// The added columns.
    fn added_arrays(&self, routes: Routes, spec: &ScoreSpec) -> Result<NamedArrays> {
        let mut added = vec![(spec.name("prediction"), self.prediction_array(&routes)?)];
        if spec.probability {
            for class in 0..self.schema().classes.len() {
                let shares = self.probabilities(&routes, class);
                added.push(probability_array(spec, self.schema(), class, shares));
            }
        }
        if spec.leaf {
            added.push((spec.name("leaf_id"), Arc::new(UInt32Array::from(routes.nodes))));
        }
        Ok(added)
    }
}

impl Forest {
    /// The added columns.
    fn added_arrays(&self, mut answers: ForestAnswers, spec: &ScoreSpec) -> Result<NamedArrays> {
        let (schema, name) = (self.schema(), spec.name("prediction"));
        if self.is_regression() {
            return Ok(vec![(name, means_array(answers.values, schema))]);
        }
        let classes = std::mem::take(&mut answers.classes);
        let mut added = vec![(name, labels_array(classes, schema)?)];
        if spec.probability {
            let n_classes = schema.classes.len();
            for class in 0..n_classes {
                let shares = answers.probabilities(class, n_classes).collect();
                added.push(probability_array(spec, schema, class, shares));
            }
        }
        Ok(added)
    }
}

/// The added column of a class's probabilities.
fn probability_array(
    spec: &ScoreSpec,
    schema: &Schema,
    class: usize,
    shares: Vec<f64>,
) -> (String, ArrayRef) {
    let name = spec.name(&format!("probability_{}", schema.class_text(class)));
    (name, Arc::new(Float64Array::from(shares)))
}

/// The kept columns of the input.
fn kept(batch: &RecordBatch, spec: &ScoreSpec) -> Result<(Vec<FieldRef>, Vec<ArrayRef>)> {
    let schema = batch.schema_ref();
    let names = || schema.fields().iter().map(|field| field.name().as_str()).collect();
    let find = |name: &str| schema.index_of(name).ok();
    let indices = spec.kept(0..batch.num_columns(), find, names)?;
    let fields = indices.iter().map(|&at| schema.fields()[at].clone()).collect();
    Ok((fields, indices.iter().map(|&at| batch.column(at).clone()).collect()))
}
