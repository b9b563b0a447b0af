//! Class counts, and their logarithms.

use std::f64::consts::{FRAC_1_SQRT_2, LOG2_E};

use crate::stat::Num;

/// A class count: rows (`u32`) or weight units (`u64`).
pub(crate) trait Count: Num {
    /// One row without weight.
    const ONE: Self;
    fn of_rows(rows: u32) -> Self;
    fn of_units(units: u64) -> Self;
    fn wide(self) -> u128;
    fn float(self) -> f64;
    fn squares(counts: impl Iterator<Item = Self>) -> f64;
    /// `x log2 x`, from the table if it is long enough.
    fn x_log_x(self, logs: &LogTable) -> f64;
}

impl Count for u32 {
    const ONE: u32 = 1;
    fn of_units(units: u64) -> u32 {
        units as u32
    }
    #[inline]
    fn of_rows(rows: u32) -> u32 {
        rows
    }
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline]
    fn float(self) -> f64 {
        f64::from(self)
    }
    /// In integers, which the compiler can vectorize. All rows together are fewer than 2^32.
    #[inline(always)]
    fn squares(counts: impl Iterator<Item = u32>) -> f64 {
        counts.map(|c| u64::from(c) * u64::from(c)).sum::<u64>() as f64
    }
    #[inline(always)]
    fn x_log_x(self, logs: &LogTable) -> f64 {
        logs.at(self)
    }
}

impl Count for u64 {
    const ONE: u64 = 1;
    fn of_units(units: u64) -> u64 {
        units
    }
    #[inline]
    fn of_rows(rows: u32) -> u64 {
        rows.into()
    }
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline]
    fn float(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn squares(counts: impl Iterator<Item = u64>) -> f64 {
        counts.map(|c| c.float() * c.float()).sum()
    }
    #[inline(always)]
    fn x_log_x(self, _: &LogTable) -> f64 {
        let x = self as f64;
        x * fast_log2(x)
    }
}

#[inline]
pub(super) fn total<N: Count>(stat: &[N]) -> N {
    stat.iter().fold(N::default(), |sum, &c| sum + c)
}

/// `k log2 k` for small k, the terms of the entropy of integer counts. Larger k are computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogTable(Vec<f64>);

impl LogTable {
    pub(crate) fn up_to(largest: usize) -> Self {
        LogTable((0..=largest).map(|k| x_log2_x(k as f64)).collect())
    }

    /// `k log2 k`.
    #[inline(always)]
    pub(super) fn at(&self, k: u32) -> f64 {
        match self.0.get(k as usize) {
            Some(&x) => x,
            None => x_log2_x(f64::from(k)),
        }
    }
}

#[inline]
pub(super) fn x_log2_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// The logarithm of a positive float, to 1e-14 and without branches, so that the compiler can
/// vectorize it; some finite number for 0.
#[inline(always)]
fn fast_log2(x: f64) -> f64 {
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    const ONE: u64 = 1f64.to_bits();
    // x = 2^e m, with m within a factor of √2 of 1.
    let biased = (x.to_bits().wrapping_sub(FRAC_1_SQRT_2.to_bits()).wrapping_add(ONE)) >> MANTISSA;
    let m = f64::from_bits(x.to_bits().wrapping_sub(biased << MANTISSA).wrapping_add(ONE));
    // Adding to the bits of 2^52 adds to the number.
    const SHIFT: f64 = (1u64 << MANTISSA) as f64;
    let e = f64::from_bits(SHIFT.to_bits() + biased) - (SHIFT + 1023.0);
    // ln m = 2 artanh s.
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let odd = [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];
    let series = odd.iter().fold(0.0, |sum, &k| sum * z + 1.0 / k);
    e + 2.0 * LOG2_E * s * series
}

#[cfg(test)]
mod tests {
    use super::fast_log2;

    #[test]
    fn fast_logarithms_are_near_the_exact_ones() {
        assert_eq!(0.0 * fast_log2(0.0), 0.0);
        let mantissas = (0..4096).map(|i| 1.0 + f64::from(i) / 4096.0);
        for x in mantissas.flat_map(|m| [0, 1, 20, 52, 62].map(|e| m * 2f64.powi(e))) {
            assert!((fast_log2(x) - x.log2()).abs() <= 1e-14 * x.log2().max(1.0), "{x}");
        }
    }
}
