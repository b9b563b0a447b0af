//! Whether the rows of two frames can be from one distribution over bins: Pearson's chi-square test of
//! homogeneity.

use crate::rank::bins::BinCount;
use crate::stat::significance::{LEAST_EXPECTED, chi_square_upper_tail};

/// What the test of homogeneity found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homogeneity {
    /// `sum (O - E)^2 / E` over the counts of both frames.
    pub(super) chi_square: f64,
    /// `None` where there are too few rows for a test.
    pub(super) p_value: Option<f64>,
}

impl Homogeneity {
    /// The test of these bins. The bins of fewest rows are joined until enough rows of each frame are
    /// expected in every bin. The rows of both frames decide, so this does not depend on how the
    /// frames differ.
    pub(super) fn new(counts: &[BinCount]) -> Homogeneity {
        let [n, m] = BinCount::sum(counts).units.map(|n| n as f64);
        let is_rare = |bin: &BinCount| bin.n as f64 * n.min(m) / (n + m) < LEAST_EXPECTED;
        let mut bins: Vec<BinCount> = counts.iter().filter(|bin| bin.n > 0).copied().collect();
        let n_bins = bins.len();
        bins.sort_by_key(|bin| bin.n);
        let mut first = bins.partition_point(is_rare);
        if first > 0 {
            let mut joined = BinCount::sum(&bins[..first]);
            if is_rare(&joined) && first < n_bins {
                joined.add(bins[first]);
                first += 1;
            }
            first -= 1;
            bins[first] = joined;
        }
        let tested = &bins[first..];
        let part = |bin: &BinCount| {
            let part = |observed: u64, total: f64| {
                let expected = total * bin.n as f64 / (n + m);
                (observed as f64 - expected).powi(2) / expected
            };
            part(bin.units[0], n) + part(bin.units[1], m)
        };
        let chi_square = tested.iter().map(part).sum();
        let is_tested = tested.len() > 1 || n_bins == 1;
        let tail = || chi_square_upper_tail(chi_square, tested.len() as f64 - 1.0);
        Homogeneity { chi_square, p_value: is_tested.then(tail) }
    }
}
