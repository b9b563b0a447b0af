//! Predictions as a column of the target's dtype.

use polars::prelude::{
    ChunkedArray, Column, DataType, Float64Chunked, IntoColumn, PolarsNumericType, PolarsResult,
    Series,
};
use rayon::prelude::*;

use super::column::polars_dtype;
use super::polars_error;
use crate::dtype::DType;
use crate::error::Result;
use crate::score::{BATCH, Routes};
use crate::tasks::Tasks;
use crate::tree::Tree;

impl Tree {
    /// The answers to rows that ended so, in the prediction's dtype.
    pub(crate) fn predictions(&self, name: &str, routes: &Routes) -> Result<Column> {
        if self.is_regression() {
            let means = Float64Chunked::from_vec(name.into(), routes.means(self)).into_column();
            return means.cast(&self.prediction_dtype()).map_err(polars_error);
        }
        let labels = self.class_labels(name)?;
        let labels = labels.as_materialized_series();
        // Numbers are written at once; other labels by Polars, of some rows at a time.
        let numbers = match labels.dtype() {
            DataType::Int8 => labels.i8().map(|of| self.numbers(of, routes)),
            DataType::Int16 => labels.i16().map(|of| self.numbers(of, routes)),
            DataType::Int32 => labels.i32().map(|of| self.numbers(of, routes)),
            DataType::Int64 => labels.i64().map(|of| self.numbers(of, routes)),
            DataType::UInt8 => labels.u8().map(|of| self.numbers(of, routes)),
            DataType::UInt16 => labels.u16().map(|of| self.numbers(of, routes)),
            DataType::UInt32 => labels.u32().map(|of| self.numbers(of, routes)),
            DataType::UInt64 => labels.u64().map(|of| self.numbers(of, routes)),
            _ => return taken(labels, &routes.classes(self)),
        };
        numbers.map_err(polars_error)
    }

    /// The label of each row, given the class's.
    fn numbers<T: PolarsNumericType>(&self, labels: &ChunkedArray<T>, routes: &Routes) -> Column
    where
        ChunkedArray<T>: IntoColumn,
    {
        let of_class: Vec<T::Native> = labels.into_no_null_iter().collect();
        let of_rows = routes.labels(self, |class| of_class[class]);
        ChunkedArray::<T>::from_vec(labels.name().clone(), of_rows).into_column()
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
    let parts: Vec<PolarsResult<Series>> = match classes.len() <= BATCH {
        true => vec![take(classes)],
        false => classes.par_chunks(BATCH).one_by_one().map(take).collect(),
    };
    let mut parts = parts.into_iter();
    let mut whole = parts.next().unwrap_or_else(|| take(&[])).map_err(polars_error)?;
    for part in parts {
        part.and_then(|part| whole.append_owned(part).map(drop)).map_err(polars_error)?;
    }
    Ok(whole.into_column())
}
