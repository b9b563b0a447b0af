//! Row weights.

use super::common_unit::{DistinctWeights, common_unit};
use crate::error::{Error, Result};

/// Row weights as integer multiples of a unit.
///
/// Sums and differences of weights are therefore exact in any order: a stat does not depend on how
/// it was counted, ties are ties, and a gain of zero is decided by integers. Integer weights have
/// unit 1. Few distinct weights have their [`common_unit`], so that a factor to all of them changes
/// nothing. For others the unit is the finest power of two that keeps the total below 2^63: with a
/// million rows of similar weight the relative error of a weight is below 1e-13. Balanced classes have
/// a unit of their own, [`of_units`](Self::of_units).
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(crate) units: Vec<u64>,
    /// The weight of one unit.
    pub(crate) unit: f64,
    /// Whether a weight was not an integer.
    pub(crate) fractional: bool,
}

impl Weights {
    /// Weights of the kept rows, all positive and finite.
    pub(crate) fn new(weights: &[f64]) -> Result<Self> {
        if weights.is_empty() {
            return Ok(Weights { units: Vec::new(), unit: 1.0, fractional: false });
        }
        let fractional = weights.iter().any(|w| w.fract() != 0.0);
        let distinct = match fractional {
            true => DistinctWeights::of(weights),
            false => Vec::new(),
        };
        let unit = Weights::unit_of(weights.iter().sum(), fractional, &distinct)?;
        let units = weights.iter().map(|&w| units_of(w, unit)).collect();
        Ok(Weights { units, unit, fractional })
    }

    /// Weights of whole numbers of units; a unit may weigh anything.
    pub(crate) fn of_units(units: Vec<u64>, unit: f64) -> Self {
        Weights { units, unit, fractional: unit != 1.0 }
    }

    /// The unit of weights of this total. `distinct` are all distinct ones, or more than have a
    /// [`common_unit`]; of whole weights they do not matter.
    pub(crate) fn unit_of(total: f64, fractional: bool, distinct: &[f64]) -> Result<f64> {
        if !total.is_finite() {
            return Err(Error::data(
                "the weights add up to infinity; divide them by their greatest".to_string(),
            ));
        }
        if let (true, Some(unit)) = (fractional, common_unit(distinct)) {
            return Ok(unit);
        }
        // total * 2^shift < MAX_UNITS allows for rounding up. A unit below the least float would be 0.
        let shift = (61 - exponent(total)).min(LEAST_EXPONENT);
        // Integer weights have unit 1: they count copies of a row.
        Ok(if fractional || shift < 0 { scale(1.0, -shift) } else { 1.0 })
    }

    /// The weights (1 for each row if there are none) in units fine enough to be divided among
    /// branches: a share is rounded to a unit, and no unit is lost. Integer weights stay within
    /// 2^52 units in total, so that a float holds every sum of shares exactly; others have 2^60 at
    /// least, as far as floats go.
    pub(crate) fn divisible(weights: Option<Weights>, n_rows: usize) -> Weights {
        let Weights { mut units, unit, fractional } = weights.unwrap_or_else(|| Weights {
            units: vec![1; n_rows],
            unit: 1.0,
            fractional: false,
        });
        let total: u64 = units.iter().sum();
        let digits = if fractional { MAX_UNITS.ilog2() - 2 } else { 51 };
        let finer = digits.saturating_sub(total.max(1).ilog2());
        let finer = finer.min((LEAST_EXPONENT + exponent(unit)) as u32);
        units.iter_mut().for_each(|u| *u <<= finer);
        Weights { units, unit: scale(unit, -(finer as i32)), fractional: true }
    }

    /// The weights as numbers of copies of a row, if all are integers.
    pub(crate) fn copies(&self) -> Option<&[u64]> {
        (!self.fractional).then_some(&self.units)
    }

    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.units[row] as f64 * self.unit
    }

    pub(crate) fn mean(&self) -> f64 {
        let total: u64 = self.units.iter().sum();
        total as f64 / self.units.len().max(1) as f64 * self.unit
    }
}

/// A weight in units of another.
pub(crate) fn units_of(weight: f64, unit: f64) -> u64 {
    ((weight / unit).round() as u64).max(1)
}

/// The most units that all weights together have.
pub(crate) const MAX_UNITS: u64 = 1 << 62;

/// The least positive float is `2^-LEAST_EXPONENT`.
const LEAST_EXPONENT: i32 = 1074;

/// The binary exponent of a positive float.
pub(crate) fn exponent(x: f64) -> i32 {
    x.log2().floor() as i32
}

/// `x * 2^power`, in two steps so that neither factor overflows.
pub(crate) fn scale(x: f64, power: i32) -> f64 {
    let half = power / 2;
    x * 2f64.powi(half) * 2f64.powi(power - half)
}

/// Checks the weights of a column, where `None` is missing.
///
/// # Errors
/// A weight that is missing, infinite, NaN or negative; the first one is named by its row.
pub fn check_weights(
    name: &str,
    dtype: &str,
    weights: impl Iterator<Item = Option<f64>>,
) -> Result<Vec<f64>> {
    (0..)
        .zip(weights)
        .map(|(row, w): (usize, _)| match w {
            Some(w) if w.is_finite() && w >= 0.0 => Ok(w),
            Some(w) => Err(Error::data_in_row(
                format!("weight `{name}` ({dtype}) is {w} in"),
                row,
                "; weights are finite and not negative: mend or drop the row",
            )),
            None => Err(Error::data_in_row(
                format!("weight `{name}` ({dtype}) is missing in"),
                row,
                " (null or NaN); every row needs a weight: fill it or drop the row",
            )),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_keep_their_digits() {
        for weights in [&[0.1, 0.2, 0.3][..], &[1e-300, 2e-300], &[1e300, 3e300], &[1.0, 2.0, 5.0]]
        {
            let w = Weights::new(weights).expect("finite");
            for (units, weight) in w.units.iter().zip(weights) {
                let back = *units as f64 * w.unit;
                assert!((back - weight).abs() <= 1e-15 * weight, "{back} {weight}");
            }
        }
        assert_eq!(Weights::new(&[3.0, 4.0]).expect("finite").units, [3, 4]);
    }
}
