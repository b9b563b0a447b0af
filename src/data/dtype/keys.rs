//! Order-preserving integer keys of values.
//!
//! Sorting, ranking, halving an interval and comparing with a cut are integer operations on keys,
//! so integers, decimals and times never pass through a float.

use half::f16;

use super::{DType, PhysicalType, Value};

const SIGN: u64 = 1 << 63;

/// Functions between floats and their keys. A positive float gets its sign bit set, a negative
/// one all bits flipped; `$no_negative_zero` maps `-0.0` to `0.0` first.
macro_rules! float_keys {
    ($float:ident, $bits:ty, $key_of:ident, $of_key:ident, |$x:ident| $no_negative_zero:expr) => {
        #[doc = concat!("The key of an `", stringify!($float), "`, or `None` for NaN, which is missing.")]
        ///
        /// `-0.0` has the key of `0.0`.
        #[inline]
        pub fn $key_of($x: $float) -> Option<u64> {
            const SIGN: $bits = 1 << (<$bits>::BITS - 1);
            if $x.is_nan() {
                return None;
            }
            let bits = ($no_negative_zero).to_bits();
            Some((if bits & SIGN == 0 { bits | SIGN } else { !bits }) as u64)
        }

        pub(super) fn $of_key(key: u64) -> $float {
            const SIGN: $bits = 1 << (<$bits>::BITS - 1);
            let key = key as $bits;
            $float::from_bits(if key & SIGN != 0 { key & !SIGN } else { !key })
        }
    };
}

float_keys!(f64, u64, key_of_f64, f64_of_key, |x| x + 0.0);
float_keys!(f32, u32, key_of_f32, f32_of_key, |x| x + 0.0);
float_keys!(f16, u16, key_of_f16, f16_of_key, |x| if x == f16::ZERO { f16::ZERO } else { x });

/// The key of a signed integer of up to 64 bits, a date or a time.
#[inline]
pub fn key_of_i64(x: i64) -> u64 {
    (x as u64) ^ SIGN
}

/// The 128-bit key of a `u128`.
#[inline]
pub fn wide_key_of_u128(x: u128) -> i128 {
    (x ^ (1 << 127)) as i128
}

impl DType {
    pub(crate) fn value_of_key(&self, key: u64) -> Value {
        use PhysicalType::*;
        match self.physical() {
            F64 => Value::Float(f64_of_key(key)),
            F32 => Value::Float(f64::from(f32_of_key(key))),
            F16 => Value::Float(f16_of_key(key).to_f64()),
            U64 => Value::Int(i128::from(key)),
            // The last five have no 64-bit keys.
            I8 | I16 | I32 | I64 | U8 | U16 | U32 | Null | Bool | I128 | U128 | Text => {
                Value::Int(i128::from((key ^ SIGN) as i64))
            }
        }
    }

    /// The key of a value; out of this dtype's range it is the nearest key, which compares with
    /// every cut as the value would.
    pub(crate) fn key_of_value(&self, value: &Value) -> Option<u64> {
        use PhysicalType::*;
        let x = match value {
            Value::Float(x) => {
                return match self.physical() {
                    F64 => key_of_f64(*x),
                    F32 => key_of_f32(*x as f32),
                    F16 => key_of_f16(f16::from_f64(*x)),
                    I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | Null | Bool
                    | Text => None,
                };
            }
            Value::Int(x) => *x,
            Value::Unsigned(x) => i128::try_from(*x).unwrap_or(i128::MAX),
            Value::Text(_) => return None,
        };
        Some(if *self == DType::U64 {
            x.clamp(0, u64::MAX.into()) as u64
        } else {
            key_of_i64(x.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
        })
    }

    /// The least value of this dtype above another; `None` where there is none.
    pub(crate) fn next_value(&self, value: &Value) -> Option<Value> {
        match (self, value) {
            (DType::Enum { categories }, Value::Text(text)) => {
                let at = categories.iter().position(|category| category == text)?;
                Some(Value::Text(categories.get(at + 1)?.clone()))
            }
            (_, Value::Text(text)) => Some(Value::Text(format!("{text}\0"))),
            _ if self.is_wide() => {
                let next = self.wide_of_value(value)?.checked_add(1)?;
                Some(self.value_of_wide(next))
            }
            _ => {
                let next = self.value_of_key(self.key_of_value(value)?.checked_add(1)?);
                // The key above infinity is that of NaN, which is missing; -0.0 is 0.0.
                Some(self.value_of_key(self.key_of_value(&next)?))
            }
        }
    }

    /// The value of a 128-bit key of this dtype.
    pub(crate) fn value_of_wide(&self, key: i128) -> Value {
        let is_unsigned = *self == DType::U128;
        if is_unsigned { Value::Unsigned((key as u128) ^ (1 << 127)) } else { Value::Int(key) }
    }

    /// [`key_of_value`](Self::key_of_value) for 128 bits.
    pub(crate) fn wide_of_value(&self, value: &Value) -> Option<i128> {
        let is_unsigned = *self == DType::U128;
        match value {
            Value::Unsigned(x) if is_unsigned => Some(wide_key_of_u128(*x)),
            Value::Int(x) if is_unsigned => Some(wide_key_of_u128((*x).max(0) as u128)),
            Value::Unsigned(x) => Some(i128::try_from(*x).unwrap_or(i128::MAX)),
            Value::Int(x) => Some(*x),
            Value::Float(_) | Value::Text(_) => None,
        }
    }
}

/// The key of a value: keys of one dtype order as its values do. `None` for NaN, which is missing,
/// and for a value of another sort than the dtype's.
///
/// Keys of up to 64 bits are widened; keys of 128 bits are taken as they are.
pub fn key_of_value(dtype: &DType, value: &Value) -> Option<i128> {
    match dtype.is_wide() {
        true => dtype.wide_of_value(value),
        false => dtype.key_of_value(value).map(i128::from),
    }
}

/// The value of a key: the inverse of [`key_of_value`].
pub fn value_of_key(dtype: &DType, key: i128) -> Value {
    match dtype.is_wide() {
        true => dtype.value_of_wide(key),
        false => dtype.value_of_key(key as u64),
    }
}

/// The lowest key above another that a value has.
pub fn key_after(dtype: &DType, key: i128) -> Option<i128> {
    let next = key.checked_add(1)?;
    // The key below that of 0.0 is of -0.0, which has the key of 0.0.
    key_of_value(dtype, &value_of_key(dtype, next)).filter(|&of_value| of_value > key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_order_and_return_as_values_do(a: f64, b: f64, c: f32, d: i64, e: u128) {
            if let (Some(ka), Some(kb)) = (key_of_f64(a), key_of_f64(b)) {
                prop_assert_eq!(a.partial_cmp(&b), Some(ka.cmp(&kb)));
                prop_assert_eq!(DType::F64.value_of_key(ka), Value::Float(a));
            }
            if let Some(kc) = key_of_f32(c) {
                prop_assert_eq!(DType::F32.value_of_key(kc), Value::Float(f64::from(c)));
            }
            prop_assert_eq!(DType::I64.value_of_key(key_of_i64(d)), Value::Int(i128::from(d)));
            prop_assert_eq!(DType::U128.value_of_wide(wide_key_of_u128(e)), Value::Unsigned(e));
        }
    }
}
