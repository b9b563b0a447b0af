//! How likely chance makes as much: upper tails of distributions, and the false discovery rate of many
//! tests.

use std::f64::consts::{LN_2, PI};

/// The least expected count of a cell for which the statistic of a table is taken to be distributed as
/// chi-square (Cochran 1954).
pub(crate) const LEAST_EXPECTED: f64 = 5.0;

/// The chance that a chi-square variable of these degrees of freedom is at least `x`; 1 without any.
pub(crate) fn chi_square_upper_tail(x: f64, degrees: f64) -> f64 {
    if degrees <= 0.0 || x <= 0.0 {
        return 1.0;
    }
    upper_gamma(degrees / 2.0, x / 2.0).clamp(0.0, 1.0)
}

/// Figures of permuted values may differ from the observed one by rounding alone; they count as equal.
const ROUNDING: f64 = 1e-9;

/// Whether a figure of permuted values reaches the observed one. Neither is negative.
pub(crate) fn reaches(permuted: f64, observed: f64) -> bool {
    permuted >= observed * (1.0 - ROUNDING)
}

/// The p-value of a permutation test, `(k + 1) / (n + 1)` where k of n permutations reach what was
/// observed (Phipson & Smyth 2010, "Permutation p-values should never be zero"). It is valid: without
/// an effect it is at most p with a chance of at most p.
pub(crate) fn permutation_p_value(observed: f64, permuted: &[f64]) -> f64 {
    let reached = permuted.iter().filter(|&&figure| reaches(figure, observed)).count();
    (reached + 1) as f64 / (permuted.len() + 1) as f64
}

/// The chance of at least `heads` heads in `n` tosses of a fair coin. `O(n)`.
pub(crate) fn heads_upper_tail(heads: u32, n: u32) -> f64 {
    let factorial = |n: u32| ln_gamma(f64::from(n) + 1.0);
    let chance = |heads: u32| {
        (factorial(n) - factorial(heads) - factorial(n - heads) - f64::from(n) * LN_2).exp()
    };
    (heads..=n).map(chance).sum::<f64>().min(1.0)
}

/// The regularised upper incomplete gamma function `Q(a, x)` (DLMF 8.7.1, 8.9.2).
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let density = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut k) = (1.0 / a, 1.0 / a, a);
        while term > sum * f64::EPSILON {
            k += 1.0;
            term *= x / k;
            sum += term;
        }
        return (1.0 - density * sum).clamp(0.0, 1.0);
    }
    // The continued fraction by Lentz's method; its terms do not vanish where x > a.
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut fraction = d;
    for i in 1..1_000_000 {
        let i = f64::from(i);
        let numerator = i * (a - i);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    (density * fraction).clamp(0.0, 1.0)
}

/// `ln Γ(x)` for x > 0: Stirling's series (DLMF 5.11.1), from 10 on by recurrence.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 10.0 {
        shift += x.ln();
        x += 1.0;
    }
    let z = 1.0 / (x * x);
    let coefficients = [1.0 / 156.0, -691.0 / 360_360.0, 1.0 / 1188.0, -1.0 / 1680.0];
    let series = [1.0 / 1260.0, -1.0 / 360.0, 1.0 / 12.0];
    let sum = coefficients.iter().chain(&series).fold(0.0, |sum, c| sum * z + c) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + sum - shift
}

/// The q-values of p-values: the least false discovery rate at which each would be taken for real
/// (Benjamini & Hochberg 1995).
pub(crate) fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[b].total_cmp(&p[a]));
    let mut q = vec![1.0; p.len()];
    let mut least = 1.0f64;
    for (above, &at) in order.iter().enumerate() {
        least = least.min(p[at] * p.len() as f64 / (p.len() - above) as f64);
        q[at] = least;
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Critical values as tables print them (NIST/SEMATECH e-Handbook, 1.3.6.7.4), and far tails by
    /// closed forms.
    #[test]
    fn tails_equal_published_values() {
        for (degrees, x, p) in [
            (1.0, 3.841, 0.05),
            (1.0, 6.635, 0.01),
            (2.0, 5.991, 0.05),
            (5.0, 11.070, 0.05),
            (10.0, 18.307, 0.05),
            (10.0, 29.588, 0.001),
            (30.0, 43.773, 0.05),
            (100.0, 124.342, 0.05),
            (100.0, 149.449, 0.001),
            (3.0, 0.352, 0.95),
            (50.0, 37.689, 0.90),
        ] {
            let found = chi_square_upper_tail(x, degrees);
            assert!((found - p).abs() < 1e-3 * p, "{degrees} {x}: {found}");
        }
        for x in [0.1f64, 1.0, 40.0, 700.0] {
            let two = (-x / 2.0).exp();
            let four = two * (1.0 + x / 2.0);
            for (degrees, p) in [(2.0, two), (4.0, four)] {
                let found = chi_square_upper_tail(x, degrees);
                assert!((found - p).abs() <= 1e-12 * p, "{degrees} {x}: {found} {p}");
            }
        }
        // The median is near the mean less two thirds (Wilson & Hilferty 1931).
        let middle = chi_square_upper_tail(1e6 - 2.0 / 3.0, 1e6);
        assert!((middle - 0.5).abs() < 1e-6, "{middle}");
        assert_eq!(chi_square_upper_tail(0.0, 3.0), 1.0);
        assert_eq!(chi_square_upper_tail(5.0, 0.0), 1.0);
        assert_eq!(chi_square_upper_tail(1e6, 1.0), 0.0);
    }

    /// Of SciPy 1.17's `scipy.stats.chi2.sf(x, df)`.
    #[test]
    fn the_tail_of_chi_squared_is_scipys() {
        for (x, df, expected) in CHI2_SF {
            let found = chi_square_upper_tail(x, df);
            assert!((found - expected).abs() <= 1e-9 * expected, "{x} {df}: {found} {expected}");
        }
    }

    const CHI2_SF: [(f64, f64, f64); 12] = [
        (3.84, 1.0, 0.05004352124870519),
        (0.01, 1.0, 0.920344325445942),
        (50.0, 1.0, 1.537459794428033e-12),
        (0.001, 7.0, 0.9999999999997597),
        (7.0, 7.0, 0.42887985755305486),
        (30.0, 7.0, 9.495972508134177e-05),
        (95.0, 100.0, 0.6225792918781736),
        (130.0, 100.0, 0.02351239780980871),
        (250.0, 100.0, 7.76693640353949e-15),
        (9900.0, 10000.0, 0.7595200856839792),
        (10300.0, 10000.0, 0.017638117447345406),
        (1000500.0, 1000000.0, 0.3616822317103044),
    ];

    /// Of SciPy 1.17's `scipy.stats.pearson3.sf(z, skew)` and `scipy.stats.binom.sf(heads - 1, n, 0.5)`.
    #[test]
    fn tails_of_coins_are_scipys() {
        for (heads, n, expected) in [
            (0, 5, 1.0),
            (5, 5, 0.03125),
            (60, 100, 0.028443966820490444),
            (90, 100, 1.5316450877189923e-17),
            (3, 10, 0.9453125),
        ] {
            let found = heads_upper_tail(heads, n);
            assert!((found - expected).abs() <= 1e-9 * expected, "{heads} {n}: {found}");
        }
    }

    /// The fifteen p-values of Benjamini & Hochberg (1995), section 3.3. Four of them are below
    /// 0.05.
    #[test]
    fn discoveries_are_those_of_the_paper() {
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let q = benjamini_hochberg(&p);
        assert_eq!(q.iter().filter(|&&q| q <= 0.05).count(), 4);
        assert!((q[3] - 0.0095 * 15.0 / 4.0).abs() < 1e-15 && q[14] == 1.0);
        let naive = |at: usize| {
            let larger = (at..15).map(|i| p[i] * 15.0 / (i + 1) as f64);
            larger.fold(1.0, f64::min)
        };
        assert!((0..15).all(|at| q[at] == naive(at)));
        let mut turned = p;
        turned.reverse();
        assert!(benjamini_hochberg(&turned).iter().rev().eq(&q));
        assert_eq!(benjamini_hochberg(&[]), [] as [f64; 0]);
    }
}
