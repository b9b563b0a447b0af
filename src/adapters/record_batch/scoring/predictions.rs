//! Predictions as an array of the target's dtype.

use std::sync::Arc;

use arrow::array::{ArrayRef, PrimitiveArray, UInt32Array, downcast_integer_array};
use arrow::compute::take;
use arrow::datatypes::ArrowPrimitiveType;

use crate::adapters::record_batch::arrow_error;
use crate::adapters::record_batch::columns::values::{floats, values_as};
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::Routes;
use crate::tree::Schema;

impl Tree {
    /// The predictions for rows that are routed.
    pub(super) fn prediction_array(&self, routes: &Routes) -> Result<ArrayRef> {
        let schema = self.schema();
        if self.is_regression() {
            return Ok(means_array(self.means(routes), schema));
        }
        let labels = values_as(&schema.target_dtype, &schema.classes)?;
        let labels = labels.as_ref();
        // Numbers are written directly; other labels are gathered by Arrow.
        downcast_integer_array!(
            labels => Ok(self.number_array(labels, routes)),
            _ => labels_array(self.classes(routes), schema)
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

/// Predicted means.
pub(super) fn means_array(means: Vec<f64>, schema: &Schema) -> ArrayRef {
    floats(&schema.target_dtype, means.into_iter())
}

/// The label of each row's class.
pub(super) fn labels_array(classes: Vec<u32>, schema: &Schema) -> Result<ArrayRef> {
    let labels = values_as(&schema.target_dtype, &schema.classes)?;
    take(&labels, &UInt32Array::from(classes), None).map_err(arrow_error)
}
