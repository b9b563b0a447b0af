//! The G test: `2 n ln 2 · gain` (in bits) of two independent columns is about chi-squared.

use crate::stat::significance::{LEAST_EXPECTED, chi_square_upper_tail};

/// How far the mean of the statistic may be off, in standard deviations of chi-squared: with more,
/// the share of p-values below 0.05 is visibly more than 0.05.
const MOST_SHIFT: f64 = 0.02;

/// The p-value of a gain in nats; `None` where the counts are too small for the chi-squared
/// distribution. Its mean is compared with the mean of the exact model, which is `expected`.
pub(super) fn p_value(gain: f64, expected: f64, levels: &[u32], classes: &[u32]) -> Option<f64> {
    let present = |totals: &[u32]| totals.iter().filter(|&&total| total > 0).count() as f64;
    let least = |totals: &[u32]| totals.iter().copied().filter(|&total| total > 0).min();
    let n: f64 = levels.iter().map(|&total| f64::from(total)).sum();
    let freedom = (present(levels) - 1.0) * (present(classes) - 1.0);
    let (level, class) = (least(levels)?, least(classes)?);
    let shift = (2.0 * n * expected - freedom) / (2.0 * freedom).sqrt();
    let is_large = f64::from(level) * f64::from(class) >= LEAST_EXPECTED * n;
    let is_near = freedom > 0.0 && shift.abs() <= MOST_SHIFT;
    (is_large && is_near).then(|| chi_square_upper_tail(2.0 * n * gain, freedom))
}
