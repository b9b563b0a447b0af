//! What is known of a column without permutations: the gain that two independent columns of given
//! totals have on average, and the G test.
//!
//! The counts of a level and a class are hypergeometric where the target is permuted (Vinh, Epps &
//! Bailey 2010, "Information theoretic measures for clusterings comparison", JMLR 11, eq. 24a):
//!
//! ```text
//! E[gain] = Σ_ij Σ_x  x/n log(n x / (a_i b_j))  P(x),   x ~ Hypergeometric(n, a_i, b_j)
//! ```

use crate::rank::{FeatureGain, Measures};
use crate::spec::LogBase;
use crate::stat::chance_counts::{by_size, hypergeometric_mean};
use crate::stat::significance::{LEAST_EXPECTED, chi_square_upper_tail};

/// What is known of a column without permutations.
#[derive(Default)]
pub(in crate::rank) struct Exact {
    pub(super) expected_gain: Option<f64>,
    pub(super) p_value: Option<f64>,
}

/// A partition into all levels: the counts that permutations leave as they are.
pub(in crate::rank) struct LevelTotals<'a> {
    pub(super) levels: &'a [u32],
    /// The rows of each class; for a numeric target nothing that matters.
    pub(super) classes: &'a [u32],
    /// The share of the weight that is rated.
    pub(super) share: f64,
}

/// The impurity of the rated rows.
pub(super) fn impurity(gain: &FeatureGain) -> f64 {
    match &gain.measures {
        Measures::Classes(m) => m.entropy,
        Measures::Numbers(m) => m.variance,
    }
}

impl Exact {
    /// For an information gain: by the hypergeometric model, and by the G test.
    pub(in crate::rank) fn of_classes(
        gain: &FeatureGain,
        rated: LevelTotals,
        base: LogBase,
    ) -> Exact {
        let LevelTotals { levels, classes, share } = rated;
        let nat = base.log(std::f64::consts::E);
        let expected = expected_gain(levels, classes);
        Exact {
            expected_gain: Some(expected * nat * share),
            p_value: p_value(gain.gain() / share / nat, expected, levels, classes),
        }
    }

    /// For a variance reduction: each of n - 1 degrees of freedom takes the same share.
    pub(in crate::rank) fn of_numbers(gain: &FeatureGain, rated: LevelTotals) -> Exact {
        let n: f64 = rated.levels.iter().map(|&size| f64::from(size)).sum();
        let expected = impurity(gain) * (rated.levels.len() as f64 - 1.0) / (n - 1.0) * rated.share;
        Exact { expected_gain: Some(expected), p_value: None }
    }
}

/// The expected gain in nats of random levels. `levels` and `classes` are the rows of each.
///
/// Equal totals are summed once, and only the terms of a hypergeometric count that matter are
/// summed, so that it is linear in the rows.
pub(in crate::rank) fn expected_gain(levels: &[u32], classes: &[u32]) -> f64 {
    let n: u64 = levels.iter().map(|&a| u64::from(a)).sum();
    let sizes = |totals: &[u32]| by_size(totals.iter().map(|&total| u64::from(total)));
    let classes = sizes(classes);
    let mut sum = 0.0;
    for (a, n_levels) in sizes(levels) {
        for (&b, n_classes) in &classes {
            sum += n_levels as f64 * *n_classes as f64 * cell(n, a, b);
        }
    }
    sum.max(0.0)
}

/// The expected term of a level of `a` rows and a class of `b`.
fn cell(n: u64, a: u64, b: u64) -> f64 {
    let (size, level, class) = (n as f64, a as f64, b as f64);
    let term = |x: f64| if x > 0.0 { x / size * (size * x / (level * class)).ln() } else { 0.0 };
    hypergeometric_mean(n, a, b, term)
}

/// How far the mean of the statistic may be off, in standard deviations of chi-squared: with more,
/// the share of p-values below 0.05 is visibly more than 0.05.
const MOST_SHIFT: f64 = 0.02;

/// The p-value of a gain in nats by the G test: `2 n ln 2 · gain` (in bits) of two independent columns
/// is about chi-squared. `None` where the counts are too small for that. The mean of chi-squared is
/// compared with the mean of the exact model, which is `expected`.
fn p_value(gain: f64, expected: f64, levels: &[u32], classes: &[u32]) -> Option<f64> {
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
