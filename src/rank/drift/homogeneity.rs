//! Whether the rows of two frames can be from one distribution: Pearson's test of homogeneity.

use crate::stat::independence::Independence;

/// What the test of homogeneity found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homogeneity {
    /// `sum (O - E)^2 / E` over the counts of both frames.
    pub(super) chi_square: f64,
    /// `None` where chance gives one value of `chi_square` only, as where no two rows are alike.
    pub(super) p_value: Option<f64>,
}

impl Homogeneity {
    /// The test of these bins, which may be of any number of rows. The rows of both frames together
    /// have to decide what the bins are: without drift the rows of the reference are then as if drawn
    /// from them.
    pub(super) fn new(counts: &[[u64; 2]]) -> Homogeneity {
        let mut test = Independence::default();
        test.add(counts.as_flattened(), 2);
        let n_bins = counts.iter().filter(|&&count| count != [0, 0]).count();
        let is_tested = n_bins == 1 || test.varies();
        Homogeneity { chi_square: test.statistic, p_value: is_tested.then(|| test.p_value()) }
    }
}
