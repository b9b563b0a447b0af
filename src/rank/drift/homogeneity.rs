//! Whether the rows of two frames can be from one distribution over bins: Pearson's chi-square test of
//! homogeneity.

use crate::rank::bins::BinCount;
use crate::stat::significance::chi_square_upper_tail;

/// Each bin of the test is expected to hold this many rows of either frame (Cochran 1954): with fewer the
/// statistic is not distributed as chi-square.
const LEAST_EXPECTED: f64 = 5.0;

/// What the test of homogeneity found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homogeneity {
    /// `sum (O - E)^2 / E` over the counts of both frames.
    pub(super) chi_square: f64,
    /// `None` where there are too few rows for a test.
    pub(super) p_value: Option<f64>,
}

impl Homogeneity {
    /// The test of these bins. Those of fewest rows, of both frames together, are joined until enough
    /// rows are expected in each: which bins are joined does not depend on how the frames differ.
    pub(super) fn new(counts: &[BinCount]) -> Homogeneity {
        let [n, m] = BinCount::sum(counts).units.map(|n| n as f64);
        let rows = |bin: &BinCount| bin.units[0] + bin.units[1];
        let is_rare = |bin: &BinCount| rows(bin) as f64 * n.min(m) / (n + m) < LEAST_EXPECTED;
        let mut bins: Vec<BinCount> = counts.iter().filter(|bin| bin.n > 0).copied().collect();
        let n_bins = bins.len();
        bins.sort_by_key(rows);
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
            let expected = |of: f64| of * rows(bin) as f64 / (n + m);
            let part =
                |observed: u64, of: f64| (observed as f64 - expected(of)).powi(2) / expected(of);
            part(bin.units[0], n) + part(bin.units[1], m)
        };
        let chi_square = tested.iter().map(part).sum();
        let is_tested = tested.len() > 1 || n_bins == 1;
        let tail = || chi_square_upper_tail(chi_square, tested.len() as f64 - 1.0);
        Homogeneity { chi_square, p_value: is_tested.then(tail) }
    }
}
