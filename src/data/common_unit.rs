//! The unit that few distinct weights are whole multiples of.

use std::collections::BTreeSet;

/// The most distinct weights for which a common unit is looked for.
pub const MAX_DISTINCT_WEIGHTS: usize = 64;
/// The most units of the least weight.
const MAX_UNITS_OF_LEAST: u32 = 10_000;
/// The most units of any weight, so that 2^32 rows stay within 64 bits.
const MAX_UNITS_OF_ROW: f64 = (1u64 << 29) as f64;
/// How far a multiple may be from a whole number, relatively: products such as 0.1 * 3 are rounded.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The distinct weights of rows: all of them, or one more than [`MAX_DISTINCT_WEIGHTS`].
#[derive(Clone, Debug)]
pub(crate) struct DistinctWeights {
    /// By bits, which order as positive weights do.
    seen: BTreeSet<u64>,
    /// Some of these by a hash, so that most weights are not looked up. No weight has the bits 0.
    recent: [u64; SLOTS],
}

const SLOTS: usize = 256;

impl Default for DistinctWeights {
    fn default() -> Self {
        DistinctWeights { seen: BTreeSet::new(), recent: [0; SLOTS] }
    }
}

impl DistinctWeights {
    /// The distinct ones of some positive weights.
    pub(crate) fn of(weights: &[f64]) -> Vec<f64> {
        let mut distinct = DistinctWeights::default();
        weights.iter().take_while(|&&weight| distinct.add(weight)).for_each(drop);
        distinct.ascending()
    }

    /// Adds a positive weight. Returns whether another could be added.
    pub(crate) fn add(&mut self, weight: f64) -> bool {
        let bits = weight.to_bits();
        // Fibonacci hashing (Knuth, volume 3, section 6.4): the upper bits of a product.
        let slot = (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize;
        if self.recent[slot] != bits && self.seen.len() <= MAX_DISTINCT_WEIGHTS {
            self.recent[slot] = bits;
            self.seen.insert(bits);
        }
        self.seen.len() <= MAX_DISTINCT_WEIGHTS
    }

    pub(crate) fn ascending(&self) -> Vec<f64> {
        self.seen.iter().map(|&bits| f64::from_bits(bits)).collect()
    }
}

/// The greatest unit that distinct positive weights are whole multiples of, but for rounding. It is
/// the same for weights times any factor, and so are the multiples. `None` for no weights, for more
/// than [`MAX_DISTINCT_WEIGHTS`], and where the unit is small beside them.
pub(crate) fn common_unit(distinct: &[f64]) -> Option<f64> {
    if distinct.len() > MAX_DISTINCT_WEIGHTS {
        return None;
    }
    let least = distinct.iter().copied().min_by(f64::total_cmp)?;
    let is_whole =
        |units: f64| units <= MAX_UNITS_OF_ROW && (units - units.round()).abs() <= ROUNDING * units;
    let mut units_of_least = (1..=MAX_UNITS_OF_LEAST).map(f64::from);
    let found = units_of_least.find(|n| distinct.iter().all(|w| is_whole(w / least * n)))?;
    Some(least / found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_times_any_factor_are_the_same_multiples() {
        let whole = [2.0, 3.0, 3.0, 7.0, 12.0, 2.0];
        for factor in [0.1, 1.0 / 3.0, 0.7, 1e-300, 1e200, 0.25, 3.3e-5] {
            let weights = whole.map(|w| w * factor);
            let distinct = DistinctWeights::of(&weights);
            assert_eq!(distinct.len(), 4);
            let unit = common_unit(&distinct).expect("a unit");
            assert_eq!(weights.map(|w| (w / unit).round()), whole, "{factor}");
        }
        // Decimals are multiples of a decimal, though floats are not.
        let unit = common_unit(&[0.1, 0.25, 0.3]).expect("a unit");
        assert_eq!([0.1, 0.25, 0.3].map(|w: f64| (w / unit).round()), [2.0, 5.0, 6.0]);
        for none in [&[][..], &[1.0, 2f64.sqrt()], &[1.0, 1e12 + 0.5], &[1e-300, 1.0]] {
            assert_eq!(common_unit(none), None, "{none:?}");
        }
        let many: Vec<f64> = (0..=MAX_DISTINCT_WEIGHTS).map(|n| 1.5 + n as f64).collect();
        assert_eq!(common_unit(&DistinctWeights::of(&many)), None);
    }
}
