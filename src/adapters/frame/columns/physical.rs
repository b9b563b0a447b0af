//! The one match on the physical type of a Polars column.

use half::f16;
use polars::prelude::{Float16Type, PolarsNumericType};

/// Polars' own type for a half wraps the common one.
pub(crate) fn half_of(x: <Float16Type as PolarsNumericType>::Native) -> f16 {
    x.0
}

/// Evaluates `$numeric` where the physical type of `$dtype` is numeric, and `$other` where it is
/// not. `$array` is the typed array of `$series`, a `PolarsResult`; `$native` turns its values into
/// values of the engine's native type.
macro_rules! match_numeric {
    ($dtype:expr, $series:expr, |$array:ident, $native:ident| $numeric:expr, else $other:expr) => {
        $crate::adapters::frame::columns::physical::match_numeric!(
            @arms $dtype, $series, $array, $native, $numeric, $other,
            I8 i8 |x: i8| x, I16 i16 |x: i16| x, I32 i32 |x: i32| x, I64 i64 |x: i64| x,
            I128 i128 |x: i128| x, U8 u8 |x: u8| x, U16 u16 |x: u16| x, U32 u32 |x: u32| x,
            U64 u64 |x: u64| x, U128 u128 |x: u128| x,
            F16 f16 $crate::adapters::frame::columns::physical::half_of,
            F32 f32 |x: f32| x, F64 f64 |x: f64| x
        )
    };
    (@arms $dtype:expr, $series:expr, $array:ident, $native:ident, $numeric:expr, $other:expr,
     $($type:ident $as_type:ident $to_native:expr),*) => {
        match $dtype.physical() {
            $($crate::data::dtype::PhysicalType::$type => {
                let ($array, $native) = ($series.$as_type(), $to_native);
                $numeric
            })*
            $crate::data::dtype::PhysicalType::Null
            | $crate::data::dtype::PhysicalType::Bool
            | $crate::data::dtype::PhysicalType::Text => $other,
        }
    };
}

pub(crate) use match_numeric;
