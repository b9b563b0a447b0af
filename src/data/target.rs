//! What the tree predicts, row by row, and how much each row weighs.

use crate::data::dtype::{DType, Value};
use crate::data::number_scale::NumberScale;
use crate::error::{Error, Result, listed};
use crate::spec::ClassWeights;

/// The most classes a target may have.
pub(crate) const MAX_CLASSES: usize = u16::MAX as usize;

/// The target of the rows.
#[derive(Clone, Debug)]
pub struct Target {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) values: TargetValues,
}

/// What the target holds.
#[derive(Clone, Debug)]
pub(crate) enum TargetValues {
    /// A code each into `labels`, which are in target order (numbers by value, text by text, an
    /// enum as declared).
    Classes { labels: Vec<Value>, codes: Vec<u16> },
    /// Finite numbers, and how they become integers.
    Numbers { numbers: Vec<f64>, scale: NumberScale },
}

impl Target {
    /// The target's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Rows.
    pub fn len(&self) -> usize {
        match &self.values {
            TargetValues::Classes { codes, .. } => codes.len(),
            TargetValues::Numbers { numbers, .. } => numbers.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The classes; none of a numeric target.
    pub fn labels(&self) -> &[Value] {
        match &self.values {
            TargetValues::Classes { labels, .. } => labels,
            TargetValues::Numbers { .. } => &[],
        }
    }

    /// The rows' weights times those of their classes.
    pub(crate) fn class_weighted(
        &self,
        weights: Option<Weights>,
        of_classes: &ClassWeights,
    ) -> Result<Option<Weights>> {
        if *of_classes == ClassWeights::Equal {
            return Ok(weights);
        }
        let TargetValues::Classes { labels, codes } = &self.values else {
            return Err(Error::spec(format!(
                "target `{}` ({}) is a number, and class_weights are of classes: leave them out",
                self.name, self.dtype
            )));
        };
        let row_weight =
            |row: usize| weights.as_ref().map_or(1.0, |w| w.units[row] as f64 * w.unit);
        let of_class = match of_classes {
            ClassWeights::Equal => vec![1.0; labels.len()],
            ClassWeights::Given(given) => self.given_weights(labels, given)?,
            ClassWeights::Balanced => {
                let mut sums = vec![0.0; labels.len()];
                for (row, &code) in codes.iter().enumerate() {
                    sums[usize::from(code)] += row_weight(row);
                }
                let whole: f64 = sums.iter().sum();
                sums.iter().map(|sum| whole / (labels.len() as f64 * sum)).collect()
            }
        };
        let rows = codes.iter().enumerate();
        let weights: Vec<f64> =
            rows.map(|(row, &code)| row_weight(row) * of_class[usize::from(code)]).collect();
        Weights::new(&weights).map(Some)
    }

    fn given_weights(&self, labels: &[Value], given: &[(String, f64)]) -> Result<Vec<f64>> {
        let texts: Vec<String> = labels.iter().map(|label| self.dtype.show(label)).collect();
        let mut of_class = vec![1.0; labels.len()];
        for (class, weight) in given {
            let Some(at) = texts.iter().position(|text| text == class) else {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
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

    /// Rows and classes enough to learn from.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_empty() {
            return Err(Error::data(format!(
                "target `{}` ({}) has no rows of positive weight; pass a table with rows",
                self.name, self.dtype
            )));
        }
        match &self.values {
            TargetValues::Classes { labels, .. } if labels.len() < 2 => Err(Error::data(format!(
                "target `{}` ({}) has one class, {:?}; at least two are needed: choose another \
                 target or keep rows of other classes",
                self.name,
                self.dtype,
                self.dtype.show(&labels[0]),
            ))),
            _ => Ok(()),
        }
    }
}

/// Row weights as whole multiples of one power of two.
///
/// Sums and differences of weights are then exact whatever their order, so a stat does not
/// depend on how it was counted, ties are ties, and a gain of zero is decided by integers. The
/// unit is the finest that keeps the total below 2^63: with a million rows of like weight a
/// weight is off by less than 1e-13 of itself, and whole or dyadic weights are kept exactly.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(crate) units: Vec<u64>,
    /// The weight of one unit.
    pub(crate) unit: f64,
    /// Whether some weight was no whole number.
    pub(crate) fractional: bool,
}

impl Weights {
    /// Weights of the kept rows, all positive and finite.
    pub(crate) fn new(weights: &[f64]) -> Result<Self> {
        if weights.is_empty() {
            return Ok(Weights { units: Vec::new(), unit: 1.0, fractional: false });
        }
        let total: f64 = weights.iter().sum();
        if !total.is_finite() {
            return Err(Error::data(
                "the weights add up to infinity; divide them by their greatest".to_string(),
            ));
        }
        // 2^shift units to a weight of 1: total * 2^shift < 2^62 leaves room for rounding up.
        // A unit below the least float would be 0.
        let shift = (61 - exponent(total)).min(LEAST_EXPONENT);
        let fractional = weights.iter().any(|w| w.fract() != 0.0);
        // Whole weights count in ones, so that they are the counts of so many copies.
        let shift = if fractional || shift < 0 { shift } else { 0 };
        let units = weights.iter().map(|&w| (scale(w, shift).round() as u64).max(1)).collect();
        Ok(Weights { units, unit: scale(1.0, -shift), fractional })
    }
}

impl Weights {
    /// The weights (of one a row where there are none) in units fine enough to be shared out
    /// among branches: a share is rounded to a unit, and units never get lost. Whole weights stay
    /// within 2^52 units together, so that every sum of shares is a float exactly.
    pub(crate) fn divisible(weights: Option<Weights>, n_rows: usize) -> Weights {
        let Weights { mut units, unit, fractional } = weights.unwrap_or_else(|| Weights {
            units: vec![1; n_rows],
            unit: 1.0,
            fractional: false,
        });
        let total: u64 = units.iter().sum();
        let finer = if fractional { 0 } else { 51u32.saturating_sub(total.max(1).ilog2()) };
        units.iter_mut().for_each(|u| *u <<= finer);
        Weights { units, unit: scale(unit, -(finer as i32)), fractional: true }
    }

    /// How many copies of a row each stands for, if weights count copies: whole ones do.
    pub(crate) fn copies(&self) -> Option<&[u64]> {
        (!self.fractional).then_some(&self.units)
    }

    pub(crate) fn mean(&self) -> f64 {
        let total: u64 = self.units.iter().sum();
        total as f64 / self.units.len().max(1) as f64 * self.unit
    }
}

/// The least positive float is 2 to the minus this.
const LEAST_EXPONENT: i32 = 1074;

/// The binary exponent of a positive float.
pub(crate) fn exponent(x: f64) -> i32 {
    x.log2().floor() as i32
}

/// `x * 2^power`, in two steps so that the factor itself stays in range.
pub(crate) fn scale(x: f64, power: i32) -> f64 {
    let half = power / 2;
    x * 2f64.powi(half) * 2f64.powi(power - half)
}

/// The weights of a column (`None` is missing), each finite and not negative.
///
/// # Errors
/// The first weight that is not, by its row.
pub fn check_weights(
    name: &str,
    dtype: &str,
    weights: impl Iterator<Item = Option<f64>>,
) -> Result<Vec<f64>> {
    weights
        .enumerate()
        .map(|(row, w)| match w {
            Some(w) if w.is_finite() && w >= 0.0 => Ok(w),
            Some(w) => Err(Error::data(format!(
                "weight `{name}` ({dtype}) is {w} in row {row}; weights are finite and not \
                 negative: mend or drop the row"
            ))),
            None => Err(Error::data(format!(
                "weight `{name}` ({dtype}) is missing in row {row} (null or NaN); every row needs a \
                 weight: fill it or drop the row"
            ))),
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
