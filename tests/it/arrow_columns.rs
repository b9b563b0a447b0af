//! Made-up columns as arrays.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::*;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, TimeUnit as Unit};
use gaintree::INTEGER_KEY;
use gaintree::engine::dtype::{DType, TimeUnit, Value};

use crate::frames::Column;

/// The field of a column that is laid out as an Arrow type: it says what the type does not.
pub fn field(name: &str, dtype: &DType, layout: &DataType) -> Field {
    let said = match dtype {
        DType::I128 | DType::U128 => Some((INTEGER_KEY, dtype.to_string())),
        DType::Enum { categories } => {
            let texts = categories.iter().map(|text| format!("{};{text}", text.len()));
            Some(("_PL_ENUM_VALUES2", texts.collect()))
        }
        _ => None,
    };
    let said: HashMap<_, _> = said.into_iter().map(|(key, it)| (key.to_string(), it)).collect();
    Field::new(name, layout.clone(), true).with_metadata(said)
}

/// A column as one array.
pub fn array(column: &Column) -> ArrayRef {
    let float = |v: &Value| if let Value::Float(x) = v { Some(*x) } else { None };
    let int = |v: &Value| if let Value::Int(x) = v { Some(*x) } else { None };
    let text = |v: &Value| if let Value::Text(x) = v { Some(x.clone()) } else { None };
    let cells = || column.cells.iter();
    macro_rules! ints {
        ($array:ty) => {
            Arc::new(cells().map(|v| Some(int(v.as_ref()?)? as _)).collect::<$array>())
        };
    }
    match &column.dtype {
        DType::Null => Arc::new(NullArray::new(column.cells.len())),
        DType::Boolean => {
            Arc::new(cells().map(|v| Some(text(v.as_ref()?)? == "true")).collect::<BooleanArray>())
        }
        DType::I8 => ints!(Int8Array),
        DType::I16 => ints!(Int16Array),
        DType::I32 => ints!(Int32Array),
        DType::I64 => ints!(Int64Array),
        DType::U8 => ints!(UInt8Array),
        DType::U16 => ints!(UInt16Array),
        DType::U32 => ints!(UInt32Array),
        DType::U64 => ints!(UInt64Array),
        // The bits of the integers, whose field says what they are.
        DType::I128 | DType::U128 => {
            let bits = |v: &Value| match v {
                Value::Unsigned(x) => Some(x.cast_signed()),
                v => int(v),
            };
            let array: Decimal128Array = cells().map(|v| bits(v.as_ref()?)).collect();
            Arc::new(array.with_precision_and_scale(38, 0).expect("a decimal"))
        }
        DType::F16 => {
            let halves = cells().map(|v| Some(half::f16::from_f64(float(v.as_ref()?)?)));
            Arc::new(halves.collect::<Float16Array>())
        }
        DType::F32 => {
            Arc::new(cells().map(|v| Some(float(v.as_ref()?)? as f32)).collect::<Float32Array>())
        }
        DType::F64 => Arc::new(cells().map(|v| float(v.as_ref()?)).collect::<Float64Array>()),
        DType::Decimal { precision, scale } => {
            let array: Decimal128Array = cells().map(|v| int(v.as_ref()?)).collect();
            let array = array.with_precision_and_scale(*precision as u8, *scale as i8);
            Arc::new(array.expect("a decimal"))
        }
        DType::Date => ints!(Date32Array),
        DType::Time => ints!(Time64NanosecondArray),
        DType::Datetime { unit, zone } => {
            let ints: ArrayRef = ints!(Int64Array);
            let zone = zone.as_deref().map(Into::into);
            cast(&ints, &DataType::Timestamp(arrow_unit(*unit), zone)).expect("casts")
        }
        DType::Duration { unit } => {
            let ints: ArrayRef = ints!(Int64Array);
            cast(&ints, &DataType::Duration(arrow_unit(*unit))).expect("casts")
        }
        _ => Arc::new(cells().map(|v| text(v.as_ref()?)).collect::<StringArray>()),
    }
}

fn arrow_unit(unit: TimeUnit) -> Unit {
    match unit {
        TimeUnit::Nanoseconds => Unit::Nanosecond,
        TimeUnit::Microseconds => Unit::Microsecond,
        TimeUnit::Milliseconds => Unit::Millisecond,
    }
}
