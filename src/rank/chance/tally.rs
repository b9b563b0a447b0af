//! A permutation test that ends once the answer is clear (Besag & Clifford 1991, "Sequential Monte
//! Carlo p-values", Biometrika 78).

use crate::stat::significance::reaches;

/// The test ends when this many permutations gained as much as the data: with 200 permutations,
/// where the p-value is 0.1 or more.
const ENOUGH: u32 = 20;

/// What the permutations of one column gained so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    run: u32,
    reached: u32,
    sum: f64,
    last: f64,
}

impl Tally {
    /// Whether more permutations say no more.
    pub(super) fn is_done(&self) -> bool {
        self.reached == ENOUGH
    }

    /// Counts one more permutation, unless the test has ended.
    pub(super) fn add(&mut self, gain: f64, observed: f64) {
        if !self.is_done() {
            self.run += 1;
            self.reached += u32::from(reaches(gain, observed));
            self.sum += gain;
            self.last = gain;
        }
    }

    /// A valid p-value: under independence it is at most `p` with a probability of at most `p`.
    pub(super) fn p_value(&self) -> f64 {
        match self.is_done() {
            true => f64::from(ENOUGH) / f64::from(self.run),
            false => f64::from(self.reached + 1) / f64::from(self.run + 1),
        }
    }

    /// The mean gain. The permutation that ended the test is one that gained much: without it the
    /// mean is unbiased.
    pub(super) fn mean(&self) -> f64 {
        match self.is_done() {
            true => (self.sum - self.last) / f64::from(self.run - 1),
            false => self.sum / f64::from(self.run),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn a_test_ends_when_enough_permutations_gained_as_much() {
        let mut tally = Tally::default();
        // Every second one gains 3, which is as much as the data.
        (0..1000).for_each(|i| tally.add(if i % 2 == 0 { 1.0 } else { 3.0 }, 3.0));
        assert_eq!((tally.run, tally.p_value()), (40, 0.5));
        assert_eq!(tally.mean(), (20.0 + 3.0 * 19.0) / 39.0);

        let mut tally = Tally::default();
        (0..199).for_each(|_| tally.add(1.0, 3.0));
        assert_eq!((tally.p_value(), tally.mean()), (1.0 / 200.0, 1.0));
    }
}
