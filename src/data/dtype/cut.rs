//! The cut between two neighbouring levels.

use std::ops::RangeInclusive;

use half::f16;

use super::keys::{f16_of_key, f32_of_key, f64_of_key, key_of_f16, key_of_f32, key_of_f64};
use super::{DType, PhysicalType};

/// The most floats that a float's cut may be off the middle.
const NEAR: u64 = 4;

impl DType {
    /// The key of the cut between two neighbouring keys; keys at and above it go right.
    ///
    /// Floats are cut about `lo/2 + hi/2` in their own width, or at `hi` where rounding gives
    /// `lo`; everything else at `lo + ceil((hi - lo)/2)` in its integer type.
    pub(crate) fn cut_key(&self, lo: u64, hi: u64) -> u64 {
        use PhysicalType::*;
        let parts = lo + 1..=hi;
        let cut = match self.physical() {
            F64 => {
                let middle = f64_of_key(lo) / 2.0 + f64_of_key(hi) / 2.0;
                decimal(middle, &parts).or_else(|| {
                    let zero = key_of_f64(0.0);
                    simplest(key_of_f64(middle), zero, &parts, 0, |key| digits(f64_of_key(key)))
                })
            }
            F32 => {
                let middle = f32_of_key(lo) / 2.0 + f32_of_key(hi) / 2.0;
                let few = if middle.is_normal() { 6 } else { 0 };
                let zero = key_of_f32(0.0);
                simplest(key_of_f32(middle), zero, &parts, few, |key| digits(f32_of_key(key)))
            }
            // Not by `f16::from_f64` of an `f64` middle: it drops the bits below an apparent tie.
            F16 => {
                let two = f16::from_f32_const(2.0);
                let middle = f16_of_key(lo) / two + f16_of_key(hi) / two;
                let (middle, zero) = (key_of_f16(middle), key_of_f16(f16::ZERO));
                simplest(middle, zero, &parts, 0, |key| digits(f16_of_key(key).to_f32()))
            }
            I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | Null | Bool | Text => {
                Some(lo + (hi - lo).div_ceil(2))
            }
        };
        // The middle of -inf and +inf is NaN: the cut is the upper one.
        cut.unwrap_or(hi)
    }

    /// [`cut_key`](Self::cut_key) for keys of 128 bits.
    pub(crate) fn cut_wide(lo: i128, hi: i128) -> i128 {
        let span = hi.wrapping_sub(lo) as u128;
        lo.wrapping_add(span.div_ceil(2) as i128)
    }
}

/// The float with the fewest digits near a middle that parts the levels: the nearest to the middle,
/// then the lower one. `None` where the middle does not part the levels. A middle of up to `few`
/// digits is taken at once: no other float near it has as few.
///
/// Zero is one float but has two keys: the one below `zero` is of no value, and no step.
fn simplest(
    middle: Option<u64>,
    zero: Option<u64>,
    parts: &RangeInclusive<u64>,
    few: usize,
    digits: impl Fn(u64) -> usize,
) -> Option<u64> {
    let middle = middle.filter(|middle| parts.contains(middle))?;
    if digits(middle) <= few {
        return Some(middle);
    }
    let steps = |key: u64| {
        let crosses = zero.is_some_and(|zero| (key < zero) != (middle < zero));
        key.abs_diff(middle) - u64::from(crosses)
    };
    let near = within(middle, NEAR + 1, parts).filter(|&key| steps(key) <= NEAR);
    near.min_by_key(|&key| (digits(key), steps(key), key))
}

fn within(middle: u64, keys: u64, parts: &RangeInclusive<u64>) -> RangeInclusive<u64> {
    (*parts.start()).max(middle - keys)..=(*parts.end()).min(middle + keys)
}

/// [`simplest`] without texts, as a curve has a cut at each level. `None` where that is not exact.
///
/// The quotient of a whole number below 2^53 and a power of ten up to 10^22 is the float that the
/// decimal reads as. Decimals with this number of places lie farther apart than floats do, so only
/// the two next to the middle are near it. Decimals with one place more all have one digit more.
fn decimal(middle: f64, parts: &RangeInclusive<u64>) -> Option<u64> {
    let key = key_of_f64(middle).filter(|key| parts.contains(key))?;
    if !(1e-7..1e15).contains(&middle.abs()) {
        return None;
    }
    let near = within(key, NEAR, parts);
    let places = 14 - middle.abs().log10().floor() as i32;
    for more in 0..2 {
        let power = 10f64.powi(places + more);
        let whole = (middle * power).round();
        if whole.abs() >= (1u64 << 53) as f64 - 2.0 {
            return None;
        }
        let beside = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|step| key_of_f64((whole + step) / power));
        let beside = beside.into_iter().flatten().filter(|key| near.contains(key));
        let length = |key: u64| if more == 0 { digits(f64_of_key(key)) } else { 0 };
        let found = beside.min_by_key(|&other| (length(other), other.abs_diff(key), other));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Significant digits of the shortest text that reads back to the same float.
fn digits(x: impl zmij::Float) -> usize {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(x).as_bytes();
    let mantissa = text.split(|&b| b == b'e').next().unwrap_or(text);
    let digits = || mantissa.iter().filter(|b| b.is_ascii_digit());
    let zeros = |digits: &mut dyn Iterator<Item = &u8>| digits.take_while(|&&b| b == b'0').count();
    match (digits().count(), zeros(&mut digits())) {
        // Neither 0.0 has a digit; the key of the negative one stands for no value.
        (all, leading) if all == leading => usize::from(text[0] == b'-') * usize::MAX,
        (all, leading) => all - leading - zeros(&mut digits().rev()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Value;
    use super::*;
    use crate::data::dtype::key_of_i64;

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
        assert_eq!(cut(3.3, 3.4), 3.35);
        assert_eq!(cut(-3.4, -3.3), -3.35);
        assert_eq!(cut(-1e-323, 2e-323), 0.0);
        assert_eq!(cut(-1.7e308, 1.7e308), 0.0);
        // The middle is four floats below 0, which is one float and not two.
        assert_eq!(cut(-8.0 * f64::from_bits(1), 0.0), 0.0);
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
        /// Decimals of few digits are cut at the decimal between them. (About 0 the rounding of the halves
        /// may be more than four floats.)
        #[test]
        fn decimals_are_cut_at_decimals(a in 0i32..100_000, step in 1i32..100, places in 0..6i32) {
            let decimal = |n: i32, places: i32| format!("{n}e-{places}").parse::<f64>().expect("a number");
            let middle = decimal(10 * a + 5 * step, places + 1);
            prop_assert_eq!(cut(decimal(a, places), decimal(a + step, places)), middle);
        }

        /// The short way is the long way.
        #[test]
        fn decimals_are_the_simplest_floats(
            middle in prop_oneof![any::<f64>(), -1e3..1e3f64, (-9i32..16, 0.9..1.1f64).prop_map(|(e, x)| x * 10f64.powi(e))],
            (below, above) in (1..9u64, 0..9u64),
        ) {
            prop_assume!(middle.is_finite());
            let key = key_of_f64(middle).expect("not NaN");
            let parts = key - below + 1..=key + above;
            let long = simplest(Some(key), key_of_f64(0.0), &parts, 0, |key| digits(f64_of_key(key)));
            prop_assert_eq!(decimal(middle, &parts).or(long), long);
        }

        /// The first pair's middle is just beside that of two neighbours; the second has a half
        /// that is rounded before it is added.
        #[test]
        fn cuts_are_simple_floats_near_the_nearest_half(
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
            let middle = key_of_f16(f16::from_f64(nearest_f16(a + b))).expect("not NaN");
            let cut = DType::F16.cut_key(lo, hi);
            if middle == lo {
                prop_assert_eq!(cut, hi);
                return Ok(());
            }
            prop_assert!(lo < cut && cut <= hi && cut.abs_diff(middle) <= 4);
            let text = |key: u64| format!("{:e}", f16_of_key(key).to_f32());
            let length = |key: u64| text(key).split('e').next().map(|m| m.replace(['-', '.'], "").trim_matches('0').len());
            for key in (lo + 1).max(middle - 4)..=hi.min(middle + 4) {
                let is_value = key_of_f16(f16_of_key(key)) == Some(key);
                prop_assert!(!is_value || length(cut) <= length(key), "{} {}", text(cut), text(key));
            }
        }
    }
}
