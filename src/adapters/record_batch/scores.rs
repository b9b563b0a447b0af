//! Rows of record batches to score, and the arrays that scoring makes.

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
use crate::fitted::{Forest, Tree};
use crate::score::{Routes, Scorable, Voting};
use crate::verbs::score::{ForestScores, RowsToScore};
use crate::verbs::table::ResultColumn;

impl RowsToScore for ChunkedColumns {
    type Column = NamedArray;

    fn routes(&self, tree: &Tree) -> Result<Routes> {
        tree.route_frame(self)
    }

    /// All rows at once: a part of a column would read all of its dictionary.
    fn ends(&self, tree: &Tree) -> Result<impl Scorable> {
        self.routes(tree)
    }

    fn answers(&self, forest: &Forest, voting: Voting, wants_shares: bool) -> Result<ForestScores> {
        let mut all = ForestScores::of_no_rows(forest.schema(), wants_shares);
        all.append(forest.answer_frame(self, voting)?, forest.schema().classes.len());
        Ok(all)
    }

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
