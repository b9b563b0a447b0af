//! The weights of classes, by which the weights of their rows are multiplied.

use std::borrow::Cow;

use crate::data::target::Target;
use crate::data::weights::{MAX_UNITS, Weights};
use crate::error::{Error, Result, listed};
use crate::spec::ClassWeights;

/// Floats hold all integers up to here.
const MAX_WHOLE: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// The factor for the weights of each class's rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClassFactors {
    pub(crate) of_class: Vec<f64>,
    /// The weight of one unit, where a row's weight times the factor is a whole number of units.
    /// `None` where that product is itself a weight.
    pub(crate) unit: Option<f64>,
}

/// The weights of all rows of each class.
pub(crate) struct ClassTotals {
    pub(crate) of_class: Vec<f64>,
    /// Whether rows have weights of their own.
    pub(crate) are_weighted: bool,
    /// Whether some weight is no whole number.
    pub(crate) has_fraction: bool,
}

impl ClassTotals {
    /// No row weighs more, if all weights are whole.
    fn greatest_whole(&self) -> Option<f64> {
        let greatest = self.of_class.iter().copied().fold(0.0, f64::max);
        (!self.has_fraction).then_some(if self.are_weighted { greatest } else { 1.0 })
    }
}

impl ClassFactors {
    pub(crate) fn weights(&self) -> Vec<f64> {
        self.of_class.iter().map(|factor| factor * self.unit.unwrap_or(1.0)).collect()
    }

    /// Factors by which each of k classes weighs `W / k` of the whole weight W.
    ///
    /// Where all weights are whole, and small enough, each class weighs the same number of units, so
    /// that weights which are equal are equal exactly.
    fn balanced(totals: &ClassTotals) -> ClassFactors {
        let sums = &totals.of_class;
        let share = sums.iter().sum::<f64>() / sums.len() as f64;
        // Without rows there is nothing to balance.
        let factors = |whole: f64, of_none: f64| -> Vec<f64> {
            sums.iter().map(|&sum| if sum > 0.0 { whole / sum } else { of_none }).collect()
        };
        let whole = totals.greatest_whole().and_then(|greatest| {
            let units = common_multiple(sums)?;
            let unit = share / units as f64;
            let of_class = factors(units as f64, 1.0 / unit);
            let mut counted = of_class.iter().zip(sums).filter(|(_, sum)| **sum > 0.0);
            let fits = counted.all(|(factor, _)| factor * greatest <= MAX_WHOLE);
            fits.then_some(ClassFactors { of_class, unit: Some(unit) })
        });
        whole.unwrap_or_else(|| ClassFactors { of_class: factors(share, 1.0), unit: None })
    }
}

/// The least common multiple of the positive ones of some whole numbers, if that many units can be
/// counted for each of them.
fn common_multiple(numbers: &[f64]) -> Option<u64> {
    let most = MAX_UNITS / numbers.len() as u64;
    let positive = numbers.iter().filter(|&&x| x > 0.0);
    positive.copied().try_fold(1u64, |multiple, x| {
        let x = (x <= MAX_WHOLE).then_some(x as u64)?;
        let multiple = (multiple / common_divisor(multiple, x)).checked_mul(x)?;
        (multiple <= most).then_some(multiple)
    })
}

/// The greatest common divisor (Euclid).
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Target {
    /// The error of class weights for a number.
    pub(crate) fn has_no_classes(&self) -> Error {
        Error::spec(format!(
            "target `{}` ({}) is a number, and class_weights are of classes: leave them out",
            self.name, self.dtype
        ))
    }

    /// The weights of some rows (`None` is all) times the weights of their classes, and the weight
    /// of each class. Where the classes weigh the same, the rows' own weights, and no weights of
    /// classes.
    pub(crate) fn class_weighted<'w>(
        &self,
        rows: Option<&[u32]>,
        weights: Option<Cow<'w, Weights>>,
        of_classes: &ClassWeights,
    ) -> Result<(Option<Cow<'w, Weights>>, Vec<f64>)> {
        if *of_classes == ClassWeights::Equal {
            return Ok((weights, Vec::new()));
        }
        let codes = self.codes().ok_or_else(|| self.has_no_classes())?;
        let class_of = |at: usize| match rows {
            Some(rows) => usize::from(codes[rows[at] as usize]),
            None => usize::from(codes[at]),
        };
        let n_rows = rows.map_or(codes.len(), <[u32]>::len);
        let weight_of = |at: usize| weights.as_ref().map_or(1.0, |weights| weights.weight(at));
        let factors = self.class_factors(of_classes, || {
            let mut of_class = vec![0.0; self.labels().len()];
            (0..n_rows).for_each(|at| of_class[class_of(at)] += weight_of(at));
            let has_fraction = weights.as_ref().is_some_and(|weights| weights.fractional);
            Ok(ClassTotals { of_class, are_weighted: weights.is_some(), has_fraction })
        })?;
        let factor = |at: usize| factors.of_class[class_of(at)];
        let weighted = match factors.unit {
            Some(unit) => {
                let units = |at| (weight_of(at) * factor(at)) as u64;
                Weights::of_units((0..n_rows).map(units).collect(), unit)
            }
            None => {
                let weights: Vec<f64> = (0..n_rows).map(|at| weight_of(at) * factor(at)).collect();
                Weights::new(&weights)?
            }
        };
        Ok((Some(Cow::Owned(weighted)), factors.weights()))
    }

    /// The factor of each class; `totals` are of the weights of the rows.
    pub(crate) fn class_factors(
        &self,
        of_classes: &ClassWeights,
        totals: impl FnOnce() -> Result<ClassTotals>,
    ) -> Result<ClassFactors> {
        let products = |of_class| ClassFactors { of_class, unit: None };
        match of_classes {
            ClassWeights::Equal => Ok(products(vec![1.0; self.labels().len()])),
            ClassWeights::Given(given) => self.given_weights(given).map(products),
            ClassWeights::Balanced => Ok(ClassFactors::balanced(&totals()?)),
        }
    }

    fn given_weights(&self, given: &[(String, f64)]) -> Result<Vec<f64>> {
        let texts = self.class_texts();
        let mut of_class = vec![1.0; texts.len()];
        for (class, weight) in given {
            let Some(at) = texts.iter().position(|text| text == class) else {
                return Err(Error::spec(format!(
                    "class_weights names `{class}`, which is no class of target `{}` ({}): they \
                     are {}",
                    self.name,
                    self.dtype,
                    listed(&texts)
                )));
            };
            if !(*weight > 0.0 && weight.is_finite()) {
                return Err(Error::spec(format!(
                    "class_weights gives `{class}` of target `{}` {weight}; a class weighs more \
                     than 0 and is finite: drop its rows to leave it out",
                    self.name
                )));
            }
            of_class[at] = *weight;
        }
        Ok(of_class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balanced(sums: &[f64], are_weighted: bool, has_fraction: bool) -> ClassFactors {
        ClassFactors::balanced(&ClassTotals { of_class: sums.to_vec(), are_weighted, has_fraction })
    }

    #[test]
    fn balanced_classes_weigh_the_same_to_the_unit() {
        for sums in [&[77.0, 4923.0][..], &[16_000_000.0, 999_999_937.0], &[50.0, 0.0, 6.0, 9.0]] {
            let factors = balanced(sums, false, false);
            let units = sums.iter().zip(&factors.of_class).map(|(s, f)| s * f);
            let units: Vec<f64> = units.filter(|&units| units > 0.0).collect();
            assert!(units.iter().all(|&u| u == units[0]), "{sums:?} {factors:?}");
            let share = units[0] * factors.unit.expect("whole");
            let expected = sums.iter().sum::<f64>() / sums.len() as f64;
            assert!((share - expected).abs() <= 1e-12 * expected, "{share} {expected}");
        }
        // Classes of the same size weigh what their rows do, and a class without rows weighs 1.
        assert_eq!(balanced(&[9.0, 9.0], true, false).weights(), [1.0, 1.0]);
        assert_eq!(balanced(&[8.0, 0.0, 4.0], false, false).weights(), [0.5, 1.0, 1.0]);
    }

    #[test]
    fn what_cannot_be_counted_in_whole_units_is_multiplied() {
        let primes = [999_983.0, 999_979.0, 999_961.0, 999_959.0];
        let total: f64 = primes.iter().sum();
        for has_fraction in [false, true] {
            let factors = balanced(&primes, true, has_fraction);
            let expected: Vec<f64> = primes.iter().map(|prime| total / 4.0 / prime).collect();
            assert_eq!((factors.unit, factors.weights()), (None, expected));
        }
        // The units of one row may pass what a float holds.
        assert!(balanced(&[1e9, 1e9 - 1.0], false, false).unit.is_some());
        assert!(balanced(&[1e9, 1e9 - 1.0], true, false).unit.is_none());
    }
}
