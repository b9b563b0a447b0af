//! Scoring a record batch: the input plus a prediction a row.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, PrimitiveArray,
    RecordBatch, RecordBatchOptions, StringArray, UInt32Array, downcast_integer_array,
};
use arrow::compute::take;
use arrow::datatypes::*;
use half::f16;

use super::arrow_error;
use super::batches::Batches;
use super::tables;
use crate::adapters::common::score_spec::{ScoreReport, ScoreSpec, check_free};
use crate::data::dtype::{DType, Value};
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

    /// [`score_batch_with`](Self::score_batch_with), and what it met.
    ///
    /// # Errors
    /// As [`score_batch_with`](Self::score_batch_with).
    pub fn score_batch_with_report(
        &self,
        batch: &RecordBatch,
        spec: &ScoreSpec,
    ) -> Result<(RecordBatch, ScoreReport)> {
        spec.check(self)?;
        let (mut fields, mut arrays) = kept(batch, spec)?;
        let (added, report) = super::in_pool(spec.threads, || {
            let routes = self.route_frame(&Batches::new(std::slice::from_ref(batch))?)?;
            let rows = batch.num_rows() as u64;
            let report = ScoreReport { rows, absent_levels: routes.absent_levels };
            Ok((self.answer_arrays(routes, spec)?, report))
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

    /// How good the tree's answers are on the batches of one table with the target in it:
    /// [`Tree::evaluate`] of the DataFrame face, in one row. Of classes `rows u64, accuracy f64,
    /// log_loss f64, absent_levels u64`; of numbers `rows u64, rmse f64, mae f64, r2 f64,
    /// absent_levels u64`.
    ///
    /// # Errors
    /// As [`score_batch`](Self::score_batch), a missing target, and batches without rows.
    pub fn evaluate_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
        tables::batch(Vec::new(), self.evaluation(&Batches::new(batches)?)?)
    }

    /// How often each class was taken for each: [`Tree::confusion`] of the DataFrame face,
    /// `actual str, predicted str, n u64`.
    ///
    /// # Errors
    /// As [`evaluate_batches`](Self::evaluate_batches), but batches without rows give zeros; a
    /// numeric target.
    pub fn confusion_batches(&self, batches: &[RecordBatch]) -> Result<RecordBatch> {
        tables::batch(Vec::new(), self.confusion_table(&Batches::new(batches)?)?)
    }

    /// The added columns.
    fn answer_arrays(&self, routes: Routes, spec: &ScoreSpec) -> Result<Vec<(String, ArrayRef)>> {
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

    fn prediction_array(&self, routes: &Routes) -> Result<ArrayRef> {
        let schema = self.schema();
        if self.is_regression() {
            let means = self.means(routes);
            return Ok(match schema.target_dtype {
                DType::F16 => primitive::<Float16Type>(means.into_iter().map(f16::from_f64)),
                DType::F32 => primitive::<Float32Type>(means.into_iter().map(|x| x as f32)),
                _ => Arc::new(Float64Array::from(means)),
            });
        }
        let labels = labels(&schema.target_dtype, &schema.classes)?;
        if matches!(schema.target_dtype, DType::Categorical | DType::Enum { .. }) {
            // Classes are 65,535 at most.
            let classes = self.classes(routes).into_iter();
            let keys = Int32Array::from_iter_values(classes.map(|class| class as i32));
            let array = DictionaryArray::try_new(keys, labels).map_err(arrow_error)?;
            return Ok(Arc::new(array));
        }
        let labels = labels.as_ref();
        // Numbers are written at once.
        downcast_integer_array!(
            labels => Ok(self.number_array(labels, routes)),
            _ => {
                let classes = UInt32Array::from(self.classes(routes));
                take(labels, &classes, None).map_err(arrow_error)
            }
        )
    }

    /// The predictions where the labels are numbers.
    fn number_array<T: ArrowPrimitiveType>(
        &self,
        labels: &PrimitiveArray<T>,
        routes: &Routes,
    ) -> ArrayRef {
        let of_class = labels.values();
        let of_rows = routes.outputs(&self.prepared().class_outputs(|class| of_class[class]));
        Arc::new(PrimitiveArray::<T>::new(of_rows.into(), None))
    }
}

fn primitive<T: ArrowPrimitiveType>(values: impl Iterator<Item = T::Native>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::from_iter_values(values))
}

/// The classes as an array.
fn labels(dtype: &DType, classes: &[Value]) -> Result<ArrayRef> {
    let int = |v: &Value| if let Value::Int(x) = v { *x } else { 0 };
    let ints = || classes.iter().map(int);
    let floats = || classes.iter().map(|v| if let Value::Float(x) = v { *x } else { f64::NAN });
    let decimals = |precision: usize, scale: usize| {
        let array = PrimitiveArray::<Decimal128Type>::from_iter_values(ints());
        let array = array.with_precision_and_scale(precision as u8, scale as i8);
        array.map(|array| Arc::new(array) as ArrayRef).map_err(arrow_error)
    };
    let wide = |values: Vec<i256>| {
        let array = PrimitiveArray::<Decimal256Type>::from_iter_values(values);
        let array = array.with_precision_and_scale(39, 0);
        array.map(|array| Arc::new(array) as ArrayRef).map_err(arrow_error)
    };
    Ok(match dtype {
        DType::Boolean => {
            let truths = classes.iter().map(|class| dtype.write(class) == "true");
            Arc::new(BooleanArray::from_iter(truths.map(Some)))
        }
        DType::I8 => primitive::<Int8Type>(ints().map(|x| x as i8)),
        DType::I16 => primitive::<Int16Type>(ints().map(|x| x as i16)),
        DType::I32 => primitive::<Int32Type>(ints().map(|x| x as i32)),
        DType::I64 => primitive::<Int64Type>(ints().map(|x| x as i64)),
        DType::U8 => primitive::<UInt8Type>(ints().map(|x| x as u8)),
        DType::U16 => primitive::<UInt16Type>(ints().map(|x| x as u16)),
        DType::U32 => primitive::<UInt32Type>(ints().map(|x| x as u32)),
        DType::U64 => primitive::<UInt64Type>(ints().map(|x| x as u64)),
        DType::I128 => wide(ints().map(i256::from_i128).collect())?,
        DType::U128 => {
            let unsigned = |v: &Value| if let Value::Unsigned(x) = v { *x } else { 0 };
            wide(classes.iter().map(|v| i256::from_parts(unsigned(v), 0)).collect())?
        }
        DType::F16 => primitive::<Float16Type>(floats().map(f16::from_f64)),
        DType::F32 => primitive::<Float32Type>(floats().map(|x| x as f32)),
        DType::F64 => primitive::<Float64Type>(floats()),
        DType::Decimal { precision, scale } => decimals(*precision, *scale)?,
        _ => Arc::new(StringArray::from_iter_values(classes.iter().map(|c| dtype.write(c)))),
    })
}

/// The columns of the input that stay.
fn kept(batch: &RecordBatch, spec: &ScoreSpec) -> Result<(Vec<FieldRef>, Vec<ArrayRef>)> {
    let schema = batch.schema_ref();
    let names = || schema.fields().iter().map(|field| field.name().as_str()).collect();
    let find = |name: &str| schema.index_of(name).ok();
    let places = spec.kept(0..batch.num_columns(), find, names)?;
    let fields = places.iter().map(|&at| schema.fields()[at].clone()).collect();
    Ok((fields, places.iter().map(|&at| batch.column(at).clone()).collect()))
}
