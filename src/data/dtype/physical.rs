//! The types that store the values of dtypes.

use super::DType;

/// The type that stores the values of a dtype, in Polars as in Arrow. (Arrow has 32-bit times
/// too; as a [`DType`] they are 64-bit times.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhysicalType {
    Null,
    Bool,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F16,
    F32,
    F64,
    /// Text, possibly by way of a dictionary.
    Text,
}

impl DType {
    pub(crate) fn physical(&self) -> PhysicalType {
        match self {
            DType::Null => PhysicalType::Null,
            DType::Boolean => PhysicalType::Bool,
            DType::I8 => PhysicalType::I8,
            DType::I16 => PhysicalType::I16,
            DType::I32 | DType::Date => PhysicalType::I32,
            DType::I64 | DType::Datetime { .. } | DType::Duration { .. } | DType::Time => {
                PhysicalType::I64
            }
            DType::I128 | DType::Decimal { .. } => PhysicalType::I128,
            DType::U8 => PhysicalType::U8,
            DType::U16 => PhysicalType::U16,
            DType::U32 => PhysicalType::U32,
            DType::U64 => PhysicalType::U64,
            DType::U128 => PhysicalType::U128,
            DType::F16 => PhysicalType::F16,
            DType::F32 => PhysicalType::F32,
            DType::F64 => PhysicalType::F64,
            DType::String | DType::Categorical | DType::Enum { .. } => PhysicalType::Text,
        }
    }

    /// Whether keys of this dtype have 128 bits.
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self.physical(), PhysicalType::I128 | PhysicalType::U128)
    }

    /// Text of any sort: these are interchangeable where their texts are equal.
    pub(crate) fn is_text(&self) -> bool {
        self.physical() == PhysicalType::Text
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self.physical(), PhysicalType::F16 | PhysicalType::F32 | PhysicalType::F64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::dtype::{TimeUnit, Value};

    #[test]
    fn dtypes_by_their_storage() {
        let unit = TimeUnit::Microseconds;
        for (dtype, physical) in [
            (DType::Null, PhysicalType::Null),
            (DType::Boolean, PhysicalType::Bool),
            (DType::U16, PhysicalType::U16),
            (DType::F16, PhysicalType::F16),
            (DType::Date, PhysicalType::I32),
            (DType::Datetime { unit, zone: Some("UTC".to_string()) }, PhysicalType::I64),
            (DType::Duration { unit }, PhysicalType::I64),
            (DType::Time, PhysicalType::I64),
            (DType::Decimal { precision: 9, scale: 2 }, PhysicalType::I128),
            (DType::Categorical, PhysicalType::Text),
            (DType::Enum { categories: Vec::new() }, PhysicalType::Text),
        ] {
            assert_eq!(dtype.physical(), physical, "{dtype}");
        }
    }

    #[test]
    fn keys_are_those_of_the_physical_type() {
        let key = |dtype: DType| dtype.key_of_value(&Value::Int(19_723));
        assert_eq!(key(DType::Date), key(DType::I32));
        assert_eq!(key(DType::Time), key(DType::I64));
        assert!(DType::Decimal { precision: 38, scale: 0 }.is_wide() && !DType::U64.is_wide());
        assert!(DType::F16.is_float() && !DType::Date.is_float());
    }
}
