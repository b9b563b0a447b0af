//! Predictions as an array of the target's dtype.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, DictionaryArray, Int32Array, PrimitiveArray, StringArray, UInt32Array,
    downcast_integer_array,
};
use arrow::compute::take;
use arrow::datatypes::*;
use half::f16;

use crate::adapters::record_batch::arrow_error;
use crate::data::dtype::{DType, PhysicalType, Value};
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
        if is_dictionary(schema) {
            return labels_array(self.classes(routes), schema);
        }
        let labels = labels(&schema.target_dtype, &schema.classes)?;
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
    let labels = labels(&schema.target_dtype, &schema.classes)?;
    if !is_dictionary(schema) {
        return take(&labels, &UInt32Array::from(classes), None).map_err(arrow_error);
    }
    // Classes are 65,535 at most.
    let keys = Int32Array::from_iter_values(classes.into_iter().map(|class| class as i32));
    let array = DictionaryArray::try_new(keys, labels).map_err(arrow_error)?;
    Ok(Arc::new(array))
}

/// Whether predictions are a dictionary of text.
fn is_dictionary(schema: &Schema) -> bool {
    matches!(schema.target_dtype, DType::Categorical | DType::Enum { .. })
}

fn primitive<T: ArrowPrimitiveType>(values: impl Iterator<Item = T::Native>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::from_iter_values(values))
}

/// Floats in the width of a dtype; 64 bits where it is no float.
fn floats(dtype: &DType, values: impl Iterator<Item = f64>) -> ArrayRef {
    use PhysicalType::*;
    match dtype.physical() {
        F16 => primitive::<Float16Type>(values.map(f16::from_f64)),
        F32 => primitive::<Float32Type>(values.map(|x| x as f32)),
        F64 | Null | Bool | I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | Text => {
            primitive::<Float64Type>(values)
        }
    }
}

/// The classes as an array.
fn labels(dtype: &DType, classes: &[Value]) -> Result<ArrayRef> {
    use PhysicalType::*;
    let int = |v: &Value| if let Value::Int(x) = v { *x } else { 0 };
    let unsigned = |v: &Value| if let Value::Unsigned(x) = v { *x } else { 0 };
    let ints = || classes.iter().map(int);
    let texts = || classes.iter().map(|class| dtype.write(class));
    Ok(match dtype.physical() {
        Bool => Arc::new(BooleanArray::from_iter(texts().map(|text| Some(text == "true")))),
        I8 => primitive::<Int8Type>(ints().map(|x| x as i8)),
        I16 => primitive::<Int16Type>(ints().map(|x| x as i16)),
        I32 => primitive::<Int32Type>(ints().map(|x| x as i32)),
        I64 => primitive::<Int64Type>(ints().map(|x| x as i64)),
        U8 => primitive::<UInt8Type>(ints().map(|x| x as u8)),
        U16 => primitive::<UInt16Type>(ints().map(|x| x as u16)),
        U32 => primitive::<UInt32Type>(ints().map(|x| x as u32)),
        U64 => primitive::<UInt64Type>(ints().map(|x| x as u64)),
        I128 => match dtype {
            DType::Decimal { precision, scale } => {
                decimal::<Decimal128Type>(ints(), *precision, *scale)?
            }
            _ => decimal::<Decimal256Type>(ints().map(i256::from_i128), 39, 0)?,
        },
        U128 => {
            let values = classes.iter().map(|class| i256::from_parts(unsigned(class), 0));
            decimal::<Decimal256Type>(values, 39, 0)?
        }
        F16 | F32 | F64 => {
            let float = |v: &Value| if let Value::Float(x) = v { *x } else { f64::NAN };
            floats(dtype, classes.iter().map(float))
        }
        Text | Null => Arc::new(StringArray::from_iter_values(texts())),
    })
}

fn decimal<T: DecimalType>(
    values: impl Iterator<Item = T::Native>,
    precision: usize,
    scale: usize,
) -> Result<ArrayRef> {
    let array = PrimitiveArray::<T>::from_iter_values(values);
    let array = array.with_precision_and_scale(precision as u8, scale as i8);
    array.map(|array| Arc::new(array) as ArrayRef).map_err(arrow_error)
}
