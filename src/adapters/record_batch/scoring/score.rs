//! Scoring a record batch: the input and a prediction per row.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow::datatypes::{Field, FieldRef, Schema};

use crate::adapters::common::score_spec::{ScoreReport, ScoreSpec, check_free};
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{arrow_error, in_pool};
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::Routes;

impl Tree {
    /// The batch with a column `prediction` of the target's dtype: [`Tree::score`] of the
    /// DataFrame face. Means of integers and decimals are `Float64`, categoricals are
    /// dictionaries of text, and integers of 128 bits are decimals of 39 digits.
    ///
    /// Integer widths compare as integers, `Float32` fits an `f64` model, dictionaries and all
    /// layouts of text are interchangeable, a `Null` column is all missing; columns the tree
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
    /// As [`score_batch`](Self::score_batch), and a kept column that is not there.
    pub fn score_batch_with(&self, batch: &RecordBatch, spec: &ScoreSpec) -> Result<RecordBatch> {
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
        spec.check(self.into())?;
        let (mut fields, mut arrays) = kept(batch, spec)?;
        let (added, report) = in_pool(spec.threads, || {
            let routes = self.route_frame(&Batches::new(std::slice::from_ref(batch))?)?;
            let rows = batch.num_rows() as u64;
            let report = ScoreReport { rows, absent_levels: routes.absent_levels };
            Ok((self.added_arrays(routes, spec)?, report))
        })?;
        let is_kept = |name: &str| fields.iter().any(|field| field.name() == name);
        check_free(added.iter().map(|(name, _)| name.as_str()), is_kept)?;
        for (name, array) in added {
            fields.push(Arc::new(Field::new(name, array.data_type().clone(), true)));
            arrays.push(array);
        }
        let schema = Schema::new_with_metadata(fields, batch.schema_ref().metadata().clone());
        // A batch may have rows and no column.
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let scored = RecordBatch::try_new_with_options(Arc::new(schema), arrays, &rows);
        Ok((scored.map_err(arrow_error)?, report))
    }

    /// The added columns.
    fn added_arrays(&self, routes: Routes, spec: &ScoreSpec) -> Result<Vec<(String, ArrayRef)>> {
        let mut added = vec![(spec.name("prediction"), self.prediction_array(&routes)?)];
        if spec.probability {
            for class in 0..self.schema().classes.len() {
                let values = Float64Array::from(self.probabilities(&routes, class));
                let name = spec.name(&format!("probability_{}", self.schema().class_text(class)));
                added.push((name, Arc::new(values)));
            }
        }
        if spec.leaf {
            added.push((spec.name("leaf_id"), Arc::new(UInt32Array::from(routes.nodes))));
        }
        Ok(added)
    }
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
