//! Predictions as a column of the target's dtype.

use polars::prelude::{
    ChunkedArray, Column, DataType, Float64Chunked, IntoColumn, PolarsNumericType, PolarsResult,
    Series,
};
use rayon::prelude::*;

use super::column::polars_dtype;
use super::polars_error;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::{INLINE_ROWS, Scorable};
use crate::util::parallel::Tasks;

impl Tree {
    /// The answers to rows, in the prediction's dtype, and how many met an absent level.
    pub(crate) fn predictions(&self, name: &str, rows: impl Scorable) -> Result<(Column, u64)> {
        if self.is_regression() {
            let (means, absent_levels) = rows.score(&self.prepared().mean_outputs())?;
            let means = Float64Chunked::from_vec(name.into(), means).into_column();
            let means = means.cast(&self.prediction_dtype()).map_err(polars_error)?;
            return Ok((means, absent_levels));
        }
        let labels = self.class_labels(name)?;
        let labels = labels.as_materialized_series();
        // Numbers are written at once; other labels by Polars, of some rows at a time.
        match labels.dtype() {
            DataType::Int8 => self.numbers(labels.i8(), rows),
            DataType::Int16 => self.numbers(labels.i16(), rows),
            DataType::Int32 => self.numbers(labels.i32(), rows),
            DataType::Int64 => self.numbers(labels.i64(), rows),
            DataType::UInt8 => self.numbers(labels.u8(), rows),
            DataType::UInt16 => self.numbers(labels.u16(), rows),
            DataType::UInt32 => self.numbers(labels.u32(), rows),
            DataType::UInt64 => self.numbers(labels.u64(), rows),
            _ => {
                let classes = self.prepared().class_outputs(|class| class as u32);
                let (classes, absent_levels) = rows.score(&classes)?;
                Ok((taken(labels, &classes)?, absent_levels))
            }
        }
    }

    /// The predictions where the labels are numbers.
    fn numbers<T: PolarsNumericType>(
        &self,
        labels: PolarsResult<&ChunkedArray<T>>,
        rows: impl Scorable,
    ) -> Result<(Column, u64)>
    where
        ChunkedArray<T>: IntoColumn,
    {
        let labels = labels.map_err(polars_error)?;
        let of_class: Vec<T::Native> = labels.into_no_null_iter().collect();
        let (of_rows, absent_levels) =
            rows.score(&self.prepared().class_outputs(|class| of_class[class]))?;
        let column = ChunkedArray::<T>::from_vec(labels.name().clone(), of_rows).into_column();
        Ok((column, absent_levels))
    }

    /// The classes as a column of the target's dtype.
    fn class_labels(&self, name: &str) -> Result<Column> {
        let schema = self.schema();
        let texts: Vec<String> =
            schema.classes.iter().map(|label| schema.target_dtype.write(label)).collect();
        match &schema.target_dtype {
            // Text casts to numbers, but not to booleans.
            DType::Boolean => {
                let truths: Vec<bool> = texts.iter().map(|text| text == "true").collect();
                Ok(Column::new(name.into(), truths))
            }
            dtype => Column::new(name.into(), texts)
                .strict_cast(&polars_dtype(dtype))
                .map_err(polars_error),
        }
    }

    /// The dtype of the prediction: the target's, but for means of integers and decimals,
    /// which are f64.
    pub(crate) fn prediction_dtype(&self) -> DataType {
        match &self.schema().target_dtype {
            dtype if self.is_regression() && !dtype.is_float() => DataType::Float64,
            dtype => polars_dtype(dtype),
        }
    }
}

/// The labels of so many classes, parts of the rows side by side.
fn taken(labels: &Series, classes: &[u32]) -> Result<Column> {
    let take = |classes| labels.take_slice(classes);
    let parts: Vec<PolarsResult<Series>> = match classes.len() <= INLINE_ROWS {
        true => vec![take(classes)],
        false => classes.par_chunks(INLINE_ROWS).one_item_per_task().map(take).collect(),
    };
    let mut parts = parts.into_iter();
    let mut whole = parts.next().unwrap_or_else(|| take(&[])).map_err(polars_error)?;
    for part in parts {
        part.and_then(|part| whole.append_owned(part).map(drop)).map_err(polars_error)?;
    }
    Ok(whole.into_column())
}
