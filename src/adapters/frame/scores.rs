//! The columns that scoring makes of the rows of a DataFrame.

use polars::prelude::{
    ChunkedArray, Column, DataFrame, IntoColumn, PolarsNumericType, PolarsResult, Series,
};

use super::columns::physical::match_numeric;
use super::columns::values::values_as;
use super::tables::{column_of, gather};
use crate::data::dtype::DType;
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::Scorable;
use crate::verbs::score::ScoredColumns;
use crate::verbs::table::ResultColumn;

impl ScoredColumns for DataFrame {
    type Made = Column;

    fn column(name: &str, values: ResultColumn) -> Result<Column> {
        column_of(name, values)
    }

    fn labels(name: &str, tree: &Tree, ends: impl Scorable) -> Result<(Column, u64)> {
        let dtype = &tree.schema().target_dtype;
        let labels = values_as(name, dtype, tree.schema().classes.iter())?;
        let labels = labels.as_materialized_series();
        match dtype {
            // Polars keeps the scale beside the integers, so that they cannot be written alone.
            DType::Decimal { .. } => gathered(labels, tree, ends),
            dtype => match_numeric!(
                dtype,
                labels,
                |labels, _native| numbers(labels, tree, ends),
                else gathered(labels, tree, ends)
            ),
        }
    }
}

/// The predictions by their classes: Polars gathers the labels.
fn gathered(labels: &Series, tree: &Tree, ends: impl Scorable) -> Result<(Column, u64)> {
    let classes = tree.prepared().class_outputs(|class| class as u32);
    let (classes, absent_levels) = ends.score(&classes)?;
    Ok((gather(labels, &classes)?, absent_levels))
}

/// The predictions where the labels are plain numbers, which are written directly.
fn numbers<T: PolarsNumericType>(
    labels: PolarsResult<&ChunkedArray<T>>,
    tree: &Tree,
    ends: impl Scorable,
) -> Result<(Column, u64)>
where
    ChunkedArray<T>: IntoColumn,
{
    let labels = labels?;
    let of_class: Vec<T::Native> = labels.into_no_null_iter().collect();
    let (of_rows, absent_levels) =
        ends.score(&tree.prepared().class_outputs(|class| of_class[class]))?;
    let column = ChunkedArray::<T>::from_vec(labels.name().clone(), of_rows).into_column();
    Ok((column, absent_levels))
}
