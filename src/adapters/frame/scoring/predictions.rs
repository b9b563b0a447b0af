//! Predictions as a column of the target's dtype.

use polars::prelude::{
    ChunkedArray, Column, DataType, Float64Chunked, IntoColumn, PolarsNumericType, PolarsResult,
    Series,
};

use crate::adapters::frame::columns::dtypes::polars_dtype;
use crate::adapters::frame::columns::physical::match_numeric;
use crate::adapters::frame::columns::values::values_as;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::{INLINE_ROWS, Scorable};
use crate::tree::Schema;
use crate::util::parallel;
use crate::verbs::ScoreSpec;

impl Tree {
    /// The predictions for rows, and how many rows met an absent level.
    pub(crate) fn predictions(&self, name: &str, rows: impl Scorable) -> Result<(Column, u64)> {
        if self.is_regression() {
            let (means, absent_levels) = rows.score(&self.prepared().mean_outputs())?;
            return Ok((means_column(name, means, self.schema())?, absent_levels));
        }
        let labels = labels(name, self.schema())?;
        let labels = labels.as_materialized_series();
        match &self.schema().target_dtype {
            // Polars keeps the scale beside the integers, so that they cannot be written alone.
            DType::Decimal { .. } => self.gathered_predictions(labels, rows),
            dtype => match_numeric!(
                dtype,
                labels,
                |labels, _native| self.numeric_predictions(labels, rows),
                else self.gathered_predictions(labels, rows)
            ),
        }
    }

    /// The predictions by their classes: Polars gathers the labels.
    fn gathered_predictions(&self, labels: &Series, rows: impl Scorable) -> Result<(Column, u64)> {
        let classes = self.prepared().class_outputs(|class| class as u32);
        let (classes, absent_levels) = rows.score(&classes)?;
        Ok((gather(labels, &classes)?, absent_levels))
    }

    /// The predictions where the labels are plain numbers, which are written directly.
    fn numeric_predictions<T: PolarsNumericType>(
        &self,
        labels: PolarsResult<&ChunkedArray<T>>,
        rows: impl Scorable,
    ) -> Result<(Column, u64)>
    where
        ChunkedArray<T>: IntoColumn,
    {
        let labels = labels?;
        let of_class: Vec<T::Native> = labels.into_no_null_iter().collect();
        let (of_rows, absent_levels) =
            rows.score(&self.prepared().class_outputs(|class| of_class[class]))?;
        let column = ChunkedArray::<T>::from_vec(labels.name().clone(), of_rows).into_column();
        Ok((column, absent_levels))
    }
}

/// The classes as a column of the target's dtype.
pub(super) fn labels(name: &str, schema: &Schema) -> Result<Column> {
    let dtype = &schema.target_dtype;
    values_as(name, dtype, &polars_dtype(dtype), schema.classes.iter())
}

/// Predicted means as a column of the dtype of predictions.
pub(super) fn means_column(name: &str, means: Vec<f64>, schema: &Schema) -> Result<Column> {
    let means = Float64Chunked::from_vec(name.into(), means).into_column();
    Ok(means.cast(&prediction_dtype(schema))?)
}

/// The added column of a class's probabilities.
pub(super) fn probability_column(
    spec: &ScoreSpec,
    schema: &Schema,
    class: usize,
    shares: Vec<f64>,
) -> Column {
    let name = spec.name(&format!("probability_{}", schema.class_text(class)));
    Float64Chunked::from_vec(name.into(), shares).into_column()
}

/// The dtype of a prediction: the target's, but f64 for means of integers and decimals.
pub(super) fn prediction_dtype(schema: &Schema) -> DataType {
    match &schema.target_dtype {
        dtype if schema.classes.is_empty() && !dtype.is_float() => DataType::Float64,
        dtype => polars_dtype(dtype),
    }
}

/// The label of each row's class, many rows in parallel.
pub(crate) fn gather(labels: &Series, classes: &[u32]) -> Result<Column> {
    let take = |classes| labels.take_slice(classes);
    let mut parts = parallel::map(classes.chunks(INLINE_ROWS), take).into_iter();
    let mut whole = parts.next().unwrap_or_else(|| take(&[]))?;
    for part in parts {
        part.and_then(|part| whole.append_owned(part).map(drop))?;
    }
    Ok(whole.into_column())
}
