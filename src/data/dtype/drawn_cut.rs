//! Cuts that are drawn between two values, uniformly.

use half::f16;

use super::keys::{f16_of_key, f32_of_key, f64_of_key, key_of_f16, key_of_f32, key_of_f64};
use super::{DType, PhysicalType};

impl DType {
    /// The key of a cut that lies at a random place above `lo` and up to `hi`, keys of two values;
    /// keys at and above it go right. `number` is any of 64 bits, all as likely.
    ///
    /// A float's place is uniform between the two, rounded to its own width, where an infinity is
    /// taken for the largest finite float; everything else has one of the `hi - lo` places of its
    /// integer type.
    pub(crate) fn drawn_key(&self, lo: u64, hi: u64, number: u64) -> u64 {
        use PhysicalType::*;
        // The key of a float that is no end, as a rounded place may be.
        let parting = |key: Option<u64>, value_key: fn(u64) -> Option<u64>| {
            // The key above the least negative float is of no value: it stands for 0.0.
            key.and_then(|key| value_key(key.clamp(lo + 1, hi))).unwrap_or(hi)
        };
        match self.physical() {
            F64 => {
                let place = place(f64_of_key(lo), f64_of_key(hi), f64::MAX, number);
                parting(key_of_f64(place), |key| key_of_f64(f64_of_key(key)))
            }
            F32 => {
                let (lo, hi) = (f32_of_key(lo).into(), f32_of_key(hi).into());
                let place = place(lo, hi, f32::MAX.into(), number) as f32;
                parting(key_of_f32(place), |key| key_of_f32(f32_of_key(key)))
            }
            F16 => {
                let (lo, hi) = (f16_of_key(lo).to_f64(), f16_of_key(hi).to_f64());
                let place = f16::from_f64(place(lo, hi, f16::MAX.to_f64(), number));
                parting(key_of_f16(place), |key| key_of_f16(f16_of_key(key)))
            }
            I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | Null | Bool | Text => {
                lo + 1 + share_of((hi - lo).into(), number) as u64
            }
        }
    }

    /// [`drawn_key`](Self::drawn_key) for keys of 128 bits.
    pub(crate) fn drawn_wide(lo: i128, hi: i128, number: u64) -> i128 {
        let span = hi.wrapping_sub(lo) as u128;
        lo.wrapping_add(1).wrapping_add(share_of(span, number) as i128)
    }
}

/// A float between two floats. An infinite bound is taken for `largest`, so neither is beyond it.
fn place(lo: f64, hi: f64, largest: f64, number: u64) -> f64 {
    const UNIT: f64 = 1.0 / (1u64 << f64::MANTISSA_DIGITS) as f64;
    let share = (number >> (u64::BITS - f64::MANTISSA_DIGITS)) as f64 * UNIT;
    let (lo, hi) = (lo.max(-largest), hi.min(largest));
    match hi - lo {
        span if span.is_finite() => lo + share * span,
        // Halved, so that nothing overflows.
        _ => (lo / 2.0 + share * (hi / 2.0 - lo / 2.0)) * 2.0,
    }
}

/// `n * number / 2^64`, which is below `n`.
fn share_of(n: u128, number: u64) -> u128 {
    let (high, low) = (n >> u64::BITS, n & u128::from(u64::MAX));
    high * u128::from(number) + ((low * u128::from(number)) >> u64::BITS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::dtype::{Value, key_of_i64};

    fn drawn(lo: f64, hi: f64, number: u64) -> f64 {
        let key = |x| key_of_f64(x).expect("not NaN");
        match DType::F64.value_of_key(DType::F64.drawn_key(key(lo), key(hi), number)) {
            Value::Float(x) => x,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn cuts_at_the_edges_of_the_types() {
        const HALF: u64 = 1 << 63;
        assert_eq!(drawn(1.0, 3.0, HALF), 2.0);
        assert_eq!(drawn(f64::MIN, f64::MAX, HALF), 0.0);
        assert_eq!(drawn(f64::NEG_INFINITY, f64::INFINITY, HALF), 0.0);
        assert_eq!(drawn(f64::NEG_INFINITY, f64::INFINITY, 0), f64::MIN);
        assert_eq!(drawn(f64::MAX, f64::INFINITY, HALF), f64::INFINITY);
        assert_eq!(drawn(f64::NEG_INFINITY, f64::MIN, HALF), f64::MIN);
        // A place that is rounded to the lower end is the float above it; -0.0 is no value.
        assert_eq!(drawn(1.0, 2.0, 0), 1.0f64.next_up());
        assert!(drawn(-f64::from_bits(1), 1.0, 0).is_sign_positive());
        assert_eq!(drawn(1.0, 1.0f64.next_up(), u64::MAX), 1.0f64.next_up());
        let whole = |lo: i64, hi: i64, number| {
            DType::I64.value_of_key(DType::I64.drawn_key(key_of_i64(lo), key_of_i64(hi), number))
        };
        assert_eq!(whole(0, 1, u64::MAX), Value::Int(1));
        assert_eq!(whole(0, 4, HALF), Value::Int(3));
        assert_eq!(whole(i64::MIN, i64::MAX, u64::MAX), Value::Int(i64::MAX.into()));
        let highest = DType::drawn_wide(i128::MIN, i128::MAX, u64::MAX);
        assert_eq!(highest >> 64, i128::MAX >> 64);
        assert_eq!(DType::drawn_wide(i128::MIN, i128::MAX, 0), i128::MIN + 1);
        assert_eq!(DType::drawn_wide(-3, 1, HALF), 0);
    }

    proptest! {
        /// Whatever is drawn parts the two values, and is a value of the type.
        #[test]
        fn cuts_part_the_values(a: f64, b: f64, c: u16, d: u16, number: u64) {
            let parts = |dtype: DType, a: Option<u64>, b: Option<u64>| {
                let (Some(a), Some(b)) = (a, b) else { return true };
                let (lo, hi) = (a.min(b), a.max(b));
                if lo == hi {
                    return true;
                }
                let key = dtype.drawn_key(lo, hi, number);
                lo < key && key <= hi && dtype.key_of_value(&dtype.value_of_key(key)) == Some(key)
            };
            prop_assert!(parts(DType::F64, key_of_f64(a), key_of_f64(b)));
            prop_assert!(parts(DType::F32, key_of_f32(a as f32), key_of_f32(b as f32)));
            let [c, d] = [c, d].map(f16::from_bits);
            prop_assert!(parts(DType::F16, key_of_f16(c), key_of_f16(d)));
        }
    }
}
