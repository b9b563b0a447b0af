//! The arrays that scoring makes.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, PrimitiveArray, UInt32Array, downcast_integer_array};
use arrow::compute::take;
use arrow::datatypes::ArrowPrimitiveType;

use super::arrow_error;
use super::columns::chunked_columns::ChunkedColumns;
use super::columns::named_array::NamedArray;
use super::columns::values::values_as;
use super::tables::array_of;
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::Scorable;
use crate::verbs::score::ScoredColumns;
use crate::verbs::table::ResultColumn;

impl ScoredColumns for ChunkedColumns {
    type Made = NamedArray;

    fn column(name: &str, values: ResultColumn) -> Result<NamedArray> {
        array_of(name, values)
    }

    fn labels(name: &str, tree: &Tree, ends: impl Scorable) -> Result<(NamedArray, u64)> {
        let schema = tree.schema();
        let labels = values_as(&schema.target_dtype, &schema.classes)?;
        let (array, absent_levels) = labels_of(labels.as_ref(), tree, ends)?;
        Ok((NamedArray::of_dtype(name, &schema.target_dtype, array), absent_levels))
    }
}

fn labels_of(labels: &dyn Array, tree: &Tree, ends: impl Scorable) -> Result<(ArrayRef, u64)> {
    // Numbers are written directly; other labels are gathered by Arrow.
    downcast_integer_array!(
        labels => numbers(labels, tree, ends),
        _ => {
            let classes = tree.prepared().class_outputs(|class| class as u32);
            let (classes, absent_levels) = ends.score(&classes)?;
            let labels = take(labels, &UInt32Array::from(classes), None);
            Ok((labels.map_err(arrow_error)?, absent_levels))
        }
    )
}

fn numbers<T: ArrowPrimitiveType>(
    labels: &PrimitiveArray<T>,
    tree: &Tree,
    ends: impl Scorable,
) -> Result<(ArrayRef, u64)> {
    let of_class = labels.values();
    let (of_rows, absent_levels) =
        ends.score(&tree.prepared().class_outputs(|class| of_class[class]))?;
    Ok((Arc::new(PrimitiveArray::<T>::new(of_rows.into(), None)), absent_levels))
}
