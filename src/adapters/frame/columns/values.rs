//! Values of the engine as Polars columns.

use polars::prelude::{Column, Int128Chunked, IntoSeries, NamedFrom, Series, UInt128Chunked};

use super::dtypes::polars_dtype;
use crate::data::dtype::{DType, PhysicalType, Value};
use crate::error::{Error, Result};

/// Values of a dtype as a column; an error for a text that is no category of an Enum.
pub(crate) fn values_as<'v>(
    name: &str,
    dtype: &DType,
    values: impl Iterator<Item = &'v Value>,
) -> Result<Column> {
    use PhysicalType::*;
    let float = |v: &Value| if let Value::Float(x) = v { *x } else { f64::NAN };
    let int = |v: &Value| if let Value::Int(x) = v { *x } else { 0 };
    let unsigned = |v: &Value| if let Value::Unsigned(x) = v { *x } else { 0 };
    let text = |v: &'v Value| if let Value::Text(x) = v { x.as_str() } else { "" };
    let polars = polars_dtype(dtype);
    let series = match dtype.physical() {
        Bool => Series::new(name.into(), values.map(|v| text(v) == "true").collect::<Vec<_>>()),
        Text => Series::new(name.into(), values.map(text).collect::<Vec<_>>()),
        U128 => UInt128Chunked::from_vec(name.into(), values.map(unsigned).collect()).into_series(),
        F16 | F32 | F64 => Series::new(name.into(), values.map(float).collect::<Vec<_>>()),
        I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | Null => {
            let ints = Int128Chunked::from_vec(name.into(), values.map(int).collect());
            if let DType::Decimal { precision, scale } = dtype {
                return Ok(ints.into_decimal_unchecked(*precision, *scale).into_series().into());
            }
            // Dates and times are cast from the integers behind them.
            ints.into_series().cast(&polars.to_physical())?
        }
    };
    series.strict_cast(&polars).map(Column::from).map_err(Error::from)
}
