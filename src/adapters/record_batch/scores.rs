//! The arrays that scoring makes.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray, StringViewArray, UInt32Array,
    downcast_integer_array,
};
use arrow_schema::DataType;
use arrow_select::take::take;

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
    // Numbers and views of texts are written directly; other labels are gathered by Arrow.
    downcast_integer_array!(
        labels => numbers(labels, tree, ends),
        DataType::Utf8View => texts(labels.as_string_view(), tree, ends),
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
    let (numbers, absent_levels) = each(labels.values(), tree, ends)?;
    Ok((Arc::new(PrimitiveArray::<T>::new(numbers.into(), None)), absent_levels))
}

fn texts(labels: &StringViewArray, tree: &Tree, ends: impl Scorable) -> Result<(ArrayRef, u64)> {
    let (views, absent_levels) = each(labels.views(), tree, ends)?;
    let buffers = labels.data_buffers().to_vec();
    #[expect(unsafe_code)]
    // SAFETY: each view is one of the labels', into the same buffers. A check would read each text.
    let texts = unsafe { StringViewArray::new_unchecked(views.into(), buffers, None) };
    Ok((Arc::new(texts), absent_levels))
}

/// What each row's class has.
fn each<T: Copy + Send + Sync>(
    of_class: &[T],
    tree: &Tree,
    ends: impl Scorable,
) -> Result<(Vec<T>, u64)> {
    ends.score(&tree.prepared().class_outputs(|class| of_class[class]))
}
