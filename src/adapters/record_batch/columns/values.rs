//! Values of the engine as arrays.

use std::sync::Arc;

use arrow_array::types::*;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int32Array, PrimitiveArray, StringArray,
    StringViewArray, make_array,
};
use arrow_buffer::i256;

use arrow_schema::*;
use half::f16;

use super::dtypes::type_of_times;
use crate::adapters::record_batch::arrow_error;
use crate::data::dtype::{DType, PhysicalType, Value};
use crate::error::Result;

fn primitive<T: ArrowPrimitiveType>(values: impl Iterator<Item = T::Native>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::from_iter_values(values))
}

/// Floats in the width of a dtype; 64 bits where it is no float.
pub(crate) fn floats(dtype: &DType, values: impl Iterator<Item = f64>) -> ArrayRef {
    use PhysicalType::*;
    match dtype.physical() {
        F16 => primitive::<Float16Type>(values.map(f16::from_f64)),
        F32 => primitive::<Float32Type>(values.map(|x| x as f32)),
        F64 | Null | Bool | I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | Text => {
            primitive::<Float64Type>(values)
        }
    }
}

/// Values of a dtype as an array: of texts as views, of a categorical or an Enum as a dictionary.
pub(crate) fn values_as(dtype: &DType, values: &[Value]) -> Result<ArrayRef> {
    use PhysicalType::*;
    let int = |v: &Value| if let Value::Int(x) = v { *x } else { 0 };
    let unsigned = |v: &Value| if let Value::Unsigned(x) = v { *x } else { 0 };
    let ints = || values.iter().map(int);
    let texts = || values.iter().map(|value| dtype.write(value));
    let array: ArrayRef = match dtype.physical() {
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
            let values = values.iter().map(|value| i256::from_parts(unsigned(value), 0));
            decimal::<Decimal256Type>(values, 39, 0)?
        }
        F16 | F32 | F64 => {
            let float = |v: &Value| if let Value::Float(x) = v { *x } else { f64::NAN };
            floats(dtype, values.iter().map(float))
        }
        Text if matches!(dtype, DType::Categorical | DType::Enum { .. }) => {
            let keys = Int32Array::from_iter_values(0..values.len() as i32);
            let texts = Arc::new(StringArray::from_iter_values(texts()));
            Arc::new(DictionaryArray::try_new(keys, texts).map_err(arrow_error)?)
        }
        Text | Null => Arc::new(StringViewArray::from_iter_values(texts())),
    };
    match type_of_times(dtype) {
        Some(times) => with_type(&array, times),
        None => Ok(array),
    }
}

/// An array as one of another type that holds the same bits: of times and the integers behind them.
pub(crate) fn with_type(array: &ArrayRef, other: DataType) -> Result<ArrayRef> {
    let data = array.to_data().into_builder().data_type(other).build();
    data.map(make_array).map_err(arrow_error)
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
