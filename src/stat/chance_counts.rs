//! Means over counts that chance makes.

use std::collections::BTreeMap;

/// A probability this small beside the mode's does not change a sum.
const NEGLIGIBLE: f64 = 1e-25;

/// How many totals there are of each size, but for 0: what depends on a total alone is then summed once
/// for each size.
pub(crate) fn by_size(totals: impl IntoIterator<Item = u64>) -> BTreeMap<u64, u64> {
    let mut sizes = BTreeMap::new();
    for total in totals.into_iter().filter(|&total| total > 0) {
        *sizes.entry(total).or_default() += 1;
    }
    sizes
}

/// The mean of a figure of the count that a level of `a` rows and a class of `b` have in common, if
/// all orders of the `n` rows are as likely.
pub(crate) fn hypergeometric_mean(n: u64, a: u64, b: u64, figure: impl Fn(f64) -> f64) -> f64 {
    let (size, level, class) = (n as f64, a as f64, b as f64);
    // P(x + 1) / P(x)
    let ratio = |x: f64| (level - x) * (class - x) / ((x + 1.0) * (size - level - class + x + 1.0));
    let (least, most) = ((a + b).saturating_sub(n) as f64, a.min(b) as f64);
    let mode = ((level + 1.0) * (class + 1.0) / (size + 2.0)).floor().clamp(least, most);
    mean([least, mode, most], ratio, figure)
}

/// The mean of a figure of a Poisson count.
pub(crate) fn poisson_mean(rate: f64, figure: impl Fn(f64) -> f64) -> f64 {
    mean([0.0, rate.floor(), f64::INFINITY], |x| rate / (x + 1.0), figure)
}

/// The mean of a figure of a count from `least` to `most`, whose probability falls to both sides of the
/// mode. Only the terms that matter are summed.
fn mean(
    [least, mode, most]: [f64; 3],
    ratio: impl Fn(f64) -> f64,
    figure: impl Fn(f64) -> f64,
) -> f64 {
    // Probabilities are taken beside the mode's and divided by their sum, so that no gamma function
    // of a large number cancels.
    let (mut all, mut sum) = (1.0, figure(mode));
    let mut add = |p: f64, x: f64| {
        all += p;
        sum += p * figure(x);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_the_distributions() {
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b, "{a} {b}");
        for (n, a, b) in [(10, 3, 4), (50, 40, 30), (1000, 1, 999), (7, 7, 2)] {
            let mean = a as f64 * b as f64 / n as f64;
            near(hypergeometric_mean(n, a, b, |x| x), mean);
            let [n, a, b] = [n, a, b].map(|x| x as f64);
            let variance = mean * (n - a) * (n - b) / n / (n - 1.0);
            let found = hypergeometric_mean(n as u64, a as u64, b as u64, |x| x * x);
            near(found, variance + mean * mean);
        }
        for rate in [0.01, 1.0, 17.5, 4000.0] {
            near(poisson_mean(rate, |x| x), rate);
            near(poisson_mean(rate, |x| x * x), rate + rate * rate);
        }
        assert_eq!(by_size([2, 0, 3, 2]).into_iter().collect::<Vec<_>>(), [(2, 2), (3, 1)]);
    }
}
