//! The information gain that two independent columns of given totals have on average.
//!
//! The counts of a level and a class are hypergeometric where the target is permuted (Vinh, Epps &
//! Bailey 2010, "Information theoretic measures for clusterings comparison", JMLR 11, eq. 24a):
//!
//! ```text
//! E[gain] = Σ_ij Σ_x  x/n log(n x / (a_i b_j))  P(x),   x ~ Hypergeometric(n, a_i, b_j)
//! ```

use std::collections::BTreeMap;

/// The expected gain in nats of random levels. `levels` and `classes` are the rows of each.
///
/// Equal totals are summed once, and only the terms of a hypergeometric count that matter are
/// summed, so that it is linear in the rows.
pub(super) fn expected_gain(levels: &[u32], classes: &[u32]) -> f64 {
    let n: u64 = levels.iter().map(|&a| u64::from(a)).sum();
    let classes = by_size(classes);
    let mut sum = 0.0;
    for (a, n_levels) in by_size(levels) {
        for (&b, n_classes) in &classes {
            sum += n_levels as f64 * *n_classes as f64 * cell(n, a, b);
        }
    }
    sum.max(0.0)
}

/// How many totals there are of each size.
fn by_size(totals: &[u32]) -> BTreeMap<u64, u64> {
    let mut sizes = BTreeMap::new();
    for &total in totals.iter().filter(|&&total| total > 0) {
        *sizes.entry(u64::from(total)).or_default() += 1;
    }
    sizes
}

/// A probability this small beside the mode's does not change a sum.
const NEGLIGIBLE: f64 = 1e-25;

/// The expected term of a level of `a` rows and a class of `b`.
fn cell(n: u64, a: u64, b: u64) -> f64 {
    let (size, level, class) = (n as f64, a as f64, b as f64);
    let term = |x: f64| if x > 0.0 { x / size * (size * x / (level * class)).ln() } else { 0.0 };
    // P(x + 1) / P(x)
    let ratio = |x: f64| (level - x) * (class - x) / ((x + 1.0) * (size - level - class + x + 1.0));
    let (least, most) = ((a + b).saturating_sub(n) as f64, a.min(b) as f64);
    let mode = ((level + 1.0) * (class + 1.0) / (size + 2.0)).floor().clamp(least, most);
    // Probabilities are taken beside the mode's and divided by their sum, so that no gamma function
    // of a large number cancels.
    let (mut all, mut sum) = (1.0, term(mode));
    let mut add = |p: f64, x: f64| {
        all += p;
        sum += p * term(x);
    };
    let (mut p, mut x) = (1.0, mode);
    while x < most && p > NEGLIGIBLE {
        p *= ratio(x);
        x += 1.0;
        add(p, x);
    }
    (p, x) = (1.0, mode);
    while x > least && p > NEGLIGIBLE {
        x -= 1.0;
        p /= ratio(x);
        add(p, x);
    }
    sum / all
}
