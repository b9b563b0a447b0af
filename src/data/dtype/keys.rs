//! Order-preserving integer keys of values, and cuts between keys.
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

        fn $of_key(key: u64) -> $float {
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
    /// The value of a key of this dtype.
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

    /// The key of the cut between two neighbouring keys; keys at and above it go right.
    ///
    /// Floats are cut at `lo/2 + hi/2` in their own width, or at `hi` where rounding gives `lo`;
    /// everything else at `lo + ceil((hi - lo)/2)` in its integer type.
    pub(in crate::data) fn cut_key(&self, lo: u64, hi: u64) -> u64 {
        use PhysicalType::*;
        let middle = match self.physical() {
            F64 => key_of_f64(f64_of_key(lo) / 2.0 + f64_of_key(hi) / 2.0),
            F32 => key_of_f32(f32_of_key(lo) / 2.0 + f32_of_key(hi) / 2.0),
            // Not by `f16::from_f64` of an `f64` middle: it drops the bits below an apparent tie.
            F16 => {
                let two = f16::from_f32_const(2.0);
                key_of_f16(f16_of_key(lo) / two + f16_of_key(hi) / two)
            }
            I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | Null | Bool | Text => {
                Some(lo + (hi - lo).div_ceil(2))
            }
        };
        // The middle of -inf and +inf is NaN: the cut is the upper one.
        middle.filter(|&m| lo < m && m <= hi).unwrap_or(hi)
    }

    /// [`cut_key`](Self::cut_key) for keys of 128 bits.
    pub(in crate::data) fn cut_wide(lo: i128, hi: i128) -> i128 {
        let span = hi.wrapping_sub(lo) as u128;
        lo.wrapping_add(span.div_ceil(2) as i128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(a: f64, b: f64) -> f64 {
        let key = |x| key_of_f64(x).expect("not NaN");
        match DType::F64.value_of_key(DType::F64.cut_key(key(a), key(b))) {
            Value::Float(x) => x,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn cuts_at_the_edges_of_the_types() {
        assert_eq!(cut(1.0, 2.0), 1.5);
        assert_eq!(cut(-1.7e308, 1.7e308), 0.0);
        assert_eq!(cut(1.0, 1.0f64.next_up()), 1.0f64.next_up());
        assert_eq!(cut(f64::NEG_INFINITY, f64::INFINITY), f64::INFINITY);
        assert_eq!(cut(1.0, f64::INFINITY), f64::INFINITY);
        assert_eq!(cut(f64::NEG_INFINITY, 1.0), 1.0);
        assert_eq!(cut(0.0, f64::from_bits(1)), f64::from_bits(1));
        assert_eq!(DType::cut_wide(i128::MIN, i128::MAX), 0);
        assert_eq!(DType::U64.cut_key(u64::MAX - 2, u64::MAX), u64::MAX - 1);
        assert_eq!(DType::I64.cut_key(key_of_i64(i64::MIN), key_of_i64(i64::MAX)), key_of_i64(0));
    }

    /// The `f16` nearest to a number in its range, the even one of two: of ten binary digits after
    /// the first, down to 2^-24.
    fn nearest_f16(x: f64) -> f64 {
        let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let unit = 2f64.powi(exponent.max(-14) - 10);
        (x / unit).round_ties_even() * unit
    }

    proptest! {
        /// The first pair's middle is just beside that of two neighbours; the second has a half
        /// that is rounded before it is added.
        #[test]
        fn halves_are_cut_at_the_nearest_half(
            pair in prop_oneof![
                1 => Just([-23936.0, -8.0078125].map(f16::from_f32)),
                1 => Just([0.00011450052, -0.00011432171].map(f16::from_f32)),
                8 => any::<[u16; 2]>().prop_map(|bits| bits.map(f16::from_bits)),
            ],
        ) {
            prop_assume!(pair.iter().all(|x| x.is_finite()));
            let [a, b] = pair.map(|x| key_of_f16(x).expect("not NaN"));
            let (lo, hi) = (a.min(b), a.max(b));
            prop_assume!(lo < hi);
            let [a, b] = pair.map(|x| nearest_f16(x.to_f64() / 2.0));
            let middle = key_of_f16(f16::from_f64(nearest_f16(a + b)));
            prop_assert_eq!(DType::F16.cut_key(lo, hi), middle.filter(|&m| m > lo).unwrap_or(hi));
        }

        #[test]
        fn keys_order_and_return_as_values_do(a: f64, b: f64, c: f32, d: i64, e: u128) {
            if let (Some(ka), Some(kb)) = (key_of_f64(a), key_of_f64(b)) {
                prop_assert_eq!(a.partial_cmp(&b), Some(ka.cmp(&kb)));
                prop_assert_eq!(DType::F64.value_of_key(ka), Value::Float(a));
                if ka < kb {
                    let m = DType::F64.cut_key(ka, kb);
                    prop_assert!(ka < m && m <= kb);
                }
            }
            if let Some(kc) = key_of_f32(c) {
                prop_assert_eq!(DType::F32.value_of_key(kc), Value::Float(f64::from(c)));
            }
            prop_assert_eq!(DType::I64.value_of_key(key_of_i64(d)), Value::Int(i128::from(d)));
            prop_assert_eq!(DType::U128.value_of_wide(wide_key_of_u128(e)), Value::Unsigned(e));
        }
    }
}
