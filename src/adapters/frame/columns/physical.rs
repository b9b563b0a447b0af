//! The one match on the physical type of a Polars column.

/// Evaluates `$numeric` with `$array` as the typed array of `$series` (a `PolarsResult`) where the
/// physical type of `$dtype` is numeric, and `$other` where it is not.
macro_rules! match_numeric {
    ($dtype:expr, $series:expr, |$array:ident| $numeric:expr, else $other:expr) => {
        $crate::adapters::frame::columns::physical::match_numeric!(
            @arms $dtype, $series, $array, $numeric, $other,
            I8 i8, I16 i16, I32 i32, I64 i64, I128 i128, U8 u8, U16 u16, U32 u32, U64 u64,
            U128 u128, F16 f16, F32 f32, F64 f64
        )
    };
    (@arms $dtype:expr, $series:expr, $array:ident, $numeric:expr, $other:expr,
     $($type:ident $as_type:ident),*) => {
        match $dtype.physical() {
            $($crate::data::dtype::PhysicalType::$type => {
                let $array = $series.$as_type();
                $numeric
            })*
            $crate::data::dtype::PhysicalType::Null
            | $crate::data::dtype::PhysicalType::Bool
            | $crate::data::dtype::PhysicalType::Text => $other,
        }
    };
}

pub(crate) use match_numeric;
