//! Polars' dtypes and the engine's.

use polars::prelude::{Categories, DataType, FrozenCategories, TimeUnit as PlTimeUnit, TimeZone};

use crate::data::dtype::{DType, TimeUnit};

/// The engine's dtype for a Polars one; `None` for lists, structs, binary and the like.
pub(crate) fn dtype_of(dtype: &DataType) -> Option<DType> {
    let unit = |unit: &PlTimeUnit| match unit {
        PlTimeUnit::Nanoseconds => TimeUnit::Nanoseconds,
        PlTimeUnit::Microseconds => TimeUnit::Microseconds,
        PlTimeUnit::Milliseconds => TimeUnit::Milliseconds,
    };
    Some(match dtype {
        DataType::Null => DType::Null,
        DataType::Boolean => DType::Boolean,
        DataType::Int8 => DType::I8,
        DataType::Int16 => DType::I16,
        DataType::Int32 => DType::I32,
        DataType::Int64 => DType::I64,
        DataType::Int128 => DType::I128,
        DataType::UInt8 => DType::U8,
        DataType::UInt16 => DType::U16,
        DataType::UInt32 => DType::U32,
        DataType::UInt64 => DType::U64,
        DataType::UInt128 => DType::U128,
        DataType::Float16 => DType::F16,
        DataType::Float32 => DType::F32,
        DataType::Float64 => DType::F64,
        DataType::Decimal(precision, scale) => {
            DType::Decimal { precision: *precision, scale: *scale }
        }
        DataType::Date => DType::Date,
        DataType::Datetime(u, zone) => {
            DType::Datetime { unit: unit(u), zone: zone.as_ref().map(|z| z.to_string()) }
        }
        DataType::Duration(u) => DType::Duration { unit: unit(u) },
        DataType::Time => DType::Time,
        DataType::String => DType::String,
        DataType::Categorical(..) => DType::Categorical,
        DataType::Enum(categories, _) => DType::Enum {
            categories: categories.categories().values_iter().map(str::to_string).collect(),
        },
        _ => return None,
    })
}

/// The Polars dtype for one of the engine's; a categorical is of the global categories.
pub(crate) fn polars_dtype(dtype: &DType) -> DataType {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Nanoseconds => PlTimeUnit::Nanoseconds,
        TimeUnit::Microseconds => PlTimeUnit::Microseconds,
        TimeUnit::Milliseconds => PlTimeUnit::Milliseconds,
    };
    match dtype {
        DType::Null => DataType::Null,
        DType::Boolean => DataType::Boolean,
        DType::I8 => DataType::Int8,
        DType::I16 => DataType::Int16,
        DType::I32 => DataType::Int32,
        DType::I64 => DataType::Int64,
        DType::I128 => DataType::Int128,
        DType::U8 => DataType::UInt8,
        DType::U16 => DataType::UInt16,
        DType::U32 => DataType::UInt32,
        DType::U64 => DataType::UInt64,
        DType::U128 => DataType::UInt128,
        DType::F16 => DataType::Float16,
        DType::F32 => DataType::Float32,
        DType::F64 => DataType::Float64,
        DType::Decimal { precision, scale } => DataType::Decimal(*precision, *scale),
        DType::Date => DataType::Date,
        DType::Datetime { unit: u, zone } => {
            // A zone that Polars does not know is left out; the instants stay the same.
            let zone = zone.as_deref().and_then(|z| TimeZone::opt_try_new(Some(z)).ok().flatten());
            DataType::Datetime(unit(u), zone)
        }
        DType::Duration { unit: u } => DataType::Duration(unit(u)),
        DType::Time => DataType::Time,
        DType::String => DataType::String,
        DType::Categorical => DataType::from_categories(Categories::global()),
        DType::Enum { categories } => {
            // The categories of a tree are distinct, so this does not fail.
            match FrozenCategories::new(categories.iter().map(String::as_str)) {
                Ok(categories) => DataType::from_frozen_categories(categories),
                Err(_) => DataType::String,
            }
        }
    }
}
