//! Numbers of a target as whole distances from one centre.
//!
//! A number y becomes the integer `round(y / unit) - centre`. The unit is a power of two and the
//! centre lies in the middle between the extremes; both are fixed for the whole target. Sums of
//! such integers are exact in any order, so sums, means and gains do not depend on the order in
//! which rows are counted, nor on who counts them. A large offset costs no digits: it is all in
//! the centre.
//!
//! The farthest distance has 61 or 62 bits, so that numbers whose spacing is at least 2^-61 of
//! the range are kept exactly, and others to half a unit.

use super::weights::{exponent, scale};

/// Bits of the farthest distance. Times 62 bits of weight units, a sum fits an `i128`.
const DISTANCE_BITS: i32 = 62;

/// The least positive `f64` is 2 to the minus this: a unit cannot be smaller.
const MAX_SHIFT: i32 = 1074;

/// How numbers become whole distances from a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberScale {
    /// The unit is 2 to the minus this.
    shift: i32,
    /// In units.
    centre: i128,
}

impl NumberScale {
    /// The scale of these numbers, all finite and at most 1e150 in magnitude.
    pub fn new(numbers: &[f64]) -> NumberScale {
        let (min, max) = numbers
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &y| (lo.min(y), hi.max(y)));
        // Halved before they are taken together, so that nothing overflows.
        let (middle, farthest) = (min / 2.0 + max / 2.0, max / 2.0 - min / 2.0);
        let magnitude = if farthest > 0.0 { farthest } else { middle.abs() };
        let shift = match magnitude > 0.0 && magnitude.is_finite() {
            true => (DISTANCE_BITS - 1 - exponent(magnitude)).min(MAX_SHIFT),
            false => return NumberScale { shift: 0, centre: 0 },
        };
        NumberScale { shift, centre: scale(middle, shift).round() as i128 }
    }

    /// The scale of integers between these, even where an `f64` would round them. They are exact
    /// where their range has at most 62 bits. `None` where it has more than 127.
    pub(crate) fn of_integers(min: i128, max: i128) -> Option<NumberScale> {
        let bits = |x: i128| (u128::BITS - x.unsigned_abs().leading_zeros()) as i32;
        let range = max.checked_sub(min)?;
        let finest = i128::BITS as i32 - 2 - bits(min).max(bits(max));
        let scale =
            NumberScale { shift: (DISTANCE_BITS - bits(range)).min(finest.max(0)), centre: 0 };
        Some(NumberScale { centre: scale.in_units(min + range / 2), ..scale })
    }

    /// The distance of an integer from the centre, in units, even where an `f64` would round it.
    pub(crate) fn distance_of_integer(&self, y: i128) -> i64 {
        (self.in_units(y) - self.centre) as i64
    }

    /// The nearest whole number of units.
    fn in_units(&self, y: i128) -> i128 {
        match (self.shift, self.shift.unsigned_abs()) {
            (0.., power) => y << power,
            (_, power) => (y >> power) + (y >> (power - 1) & 1),
        }
    }

    /// The unit is 2 to the minus this.
    pub fn shift(&self) -> i32 {
        self.shift
    }

    /// The centre, in units.
    pub fn centre(&self) -> i128 {
        self.centre
    }

    /// The distance of a number from the centre, in units.
    pub fn distance(&self, y: f64) -> i64 {
        (scale(y, self.shift).round() as i128 - self.centre) as i64
    }

    /// Whether the distance of a number stands for it exactly.
    pub(crate) fn is_exact(&self, y: f64) -> bool {
        let scaled = scale(y, self.shift);
        // A number far below the unit may underflow to 0.
        scaled.fract() == 0.0 && scale(scaled, -self.shift) == y
    }

    /// The number that lies `whole + fraction` units from the centre, where the fraction is from
    /// 0 to 1.
    pub(crate) fn number(&self, whole: i128, fraction: f64) -> f64 {
        let units = self.centre + whole;
        // Most have 64 bits, which the processor converts itself.
        if let Ok(units) = i64::try_from(units)
            && units.unsigned_abs() < 1 << DISTANCE_BITS
        {
            let high = units as f64;
            let low = (units - high as i64) as f64 + fraction;
            return scale(high + low, -self.shift);
        }
        let high = units as f64;
        let low = (units - high as i128) as f64 + fraction;
        scale(high + low, -self.shift)
    }

    pub(crate) fn unit(&self) -> f64 {
        scale(1.0, -self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::NumberScale;
    use proptest::prelude::*;

    fn check(numbers: &[f64]) {
        let scale = NumberScale::new(numbers);
        for &y in numbers {
            let back = scale.number(scale.distance(y).into(), 0.0);
            match scale.is_exact(y) {
                true => assert_eq!(back, y, "{numbers:?}"),
                false => assert!((back - y).abs() <= scale.unit(), "{back} {y} of {numbers:?}"),
            }
        }
    }

    #[test]
    fn numbers_come_back() {
        check(&[0.0]);
        check(&[-0.1, -0.1]);
        check(&[1e9, 1e9 + 1e-6, 1e9 - 3e-7]);
        check(&[1e150, -1e150, 1.0]);
        check(&[5e-324, 0.0, 1e-320]);
        check(&[1e150, 1e150_f64.next_down()]);
        check(&[0.1, 0.2, 1000.0]);
        assert!([0.1, 0.2, 10.0].iter().all(|&y| NumberScale::new(&[0.1, 0.2, 10.0]).is_exact(y)));
    }

    #[test]
    fn integers_that_no_float_holds_come_back() {
        let large = 1i128 << 60;
        for integers in [
            vec![large, large + 1, large + 9, large + 10],
            vec![-large, large - 3],
            vec![u64::MAX.into(), i128::from(u64::MAX) - 1],
            vec![i128::MAX - 1, i128::MAX],
        ] {
            let (min, max) = (integers[0].min(integers[1]), *integers.iter().max().expect("some"));
            let scale = NumberScale::of_integers(min, max).expect("in range");
            for &y in &integers {
                let units = scale.centre() + i128::from(scale.distance_of_integer(y));
                assert_eq!((units >> scale.shift(), scale.shift() >= 0), (y, true));
                let number = scale.number(scale.distance_of_integer(y).into(), 0.0);
                assert_eq!(number, y as f64);
            }
        }
        // The last two of 64 bits are rounded.
        let scale = NumberScale::of_integers(i64::MIN.into(), i64::MAX.into()).expect("in range");
        assert_eq!(
            (scale.shift(), scale.distance_of_integer(5) - scale.distance_of_integer(1)),
            (-2, 1)
        );
        assert_eq!(NumberScale::of_integers(i128::MIN, 0), None);
    }

    proptest! {
        #[test]
        fn numbers_of_any_size_come_back(
            numbers in prop::collection::vec((-1.0f64..1.0, -300i32..140), 1..20),
        ) {
            check(&numbers.iter().map(|&(m, e)| m * 10f64.powi(e)).collect::<Vec<_>>());
        }
    }
}
