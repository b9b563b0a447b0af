//! The upper confidence limit of an error rate: C4.5's pessimistic estimate of the errors a leaf
//! makes on new rows (Quinlan 1993, section 4.2).

use std::f64::consts::PI;

/// The upper confidence limit of the error rate, given `errors` errors in `n` cases: Quinlan's
/// `U_CF(E, N)` (1993, section 4.2), the p with `P(X <= E | N, p) = CF` of a binomial X (Clopper &
/// Pearson 1934, one-sided).
///
/// For no errors it is `1 - CF^(1/N)`, for `errors >= n` it is 1. The numbers need not be integers:
/// the binomial sum is the regularised incomplete beta function `I_(1-p)(N - E, E + 1)`, solved
/// here to about 1e-12. (C4.5's program uses a normal approximation from one error on: .157 for 1
/// error in 16 cases, where this gives .160.)
///
/// ```
/// use gaintree::engine::upper_error_rate;
/// assert_eq!(format!("{:.3}", upper_error_rate(0.0, 6.0, 0.25)), "0.206");
/// assert_eq!(format!("{:.3}", upper_error_rate(1.0, 16.0, 0.25)), "0.160");
/// ```
pub fn upper_error_rate(errors: f64, n: f64, confidence: f64) -> f64 {
    if errors >= n {
        return 1.0;
    }
    if errors <= 0.0 {
        // 1 - CF^(1/N), without losing the small differences from 1 of large N.
        return -(confidence.ln() / n).exp_m1();
    }
    let (a, b) = (n - errors, errors + 1.0);
    // P(X <= E) falls from 1 at p = 0 to 0 at p = 1: Newton's method, kept within the bracket.
    let (mut low, mut high) = (0.0, 1.0);
    let mut p = (errors + 0.5) / (n + 1.0);
    for _ in 0..200 {
        let above = incomplete_beta(1.0 - p, p, a, b) - confidence;
        if above > 0.0 {
            low = p;
        } else {
            high = p;
        }
        // The derivative of the sum is minus the beta density.
        let slope = power_term(1.0 - p, p, a, b) / (p * (1.0 - p));
        let newton = p + above / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        let done = (next - p).abs() <= 1e-14 * next || high - low <= 1e-15 * high;
        p = next;
        if done {
            break;
        }
    }
    p
}

/// `I_x(a, b)`, where `y = 1 - x`, by the continued fraction of DLMF 8.17.22, which converges
/// fast below the mean `(a + 1) / (a + b + 2)`; above it by `I_x(a, b) = 1 - I_y(b, a)`.
fn incomplete_beta(x: f64, y: f64, a: f64, b: f64) -> f64 {
    if x > (a + 1.0) / (a + b + 2.0) {
        1.0 - power_term(y, x, b, a) / b * continued_fraction(y, b, a)
    } else {
        power_term(x, y, a, b) / a * continued_fraction(x, a, b)
    }
}

/// The fraction by Lentz's method.
fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let not_zero = |z: f64| if z.abs() < TINY { TINY } else { z };
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut f = d;
    // It converges in about sqrt(max(a, b)) rounds.
    for m in 1..100_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / not_zero(1.0 + term * d);
            c = not_zero(1.0 + term / c);
            change = c * d;
            f *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    f
}

/// `x^a y^b / B(a, b)`, where `y = 1 - x`, as powers of ratios to the mean and Stirling errors of
/// the gamma functions, so that nothing large cancels (Loader 2000, "Fast and accurate computation
/// of binomial probabilities").
fn power_term(x: f64, y: f64, a: f64, b: f64) -> f64 {
    let n = a + b;
    // a ln(x n / a), near 0 where x is near its mean.
    let power = |x: f64, a: f64| {
        let excess = (x * n - a) / a;
        if excess.abs() < 0.5 { a * excess.ln_1p() } else { a * (x * n / a).ln() }
    };
    let powers = power(x, a) + power(y, b);
    let gammas = stirling_error(n) - stirling_error(a) - stirling_error(b);
    (a * b / (2.0 * PI * n)).sqrt() * (powers + gammas).exp()
}

/// `ln Γ(z) - ((z - 1/2) ln z - z + ln(2π) / 2)`.
fn stirling_error(mut z: f64) -> f64 {
    let mut error = 0.0;
    // The series is for large z, which Γ(z + 1) = z Γ(z) leads to.
    while z < 15.0 {
        error += (z + 0.5) * (1.0 / z).ln_1p() - 1.0;
        z += 1.0;
    }
    let r = 1.0 / (z * z);
    let terms = 1.0 / 12.0
        - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r * (1.0 / 1188.0))));
    error + terms / z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, slack: f64) {
        assert!((a - b).abs() <= slack, "{a} {b}");
    }

    /// Quinlan 1993, section 4.2. His figure of 1 in 16 is of the normal approximation.
    #[test]
    fn published_limits() {
        for (errors, n, rate) in [(0.0, 6.0, 0.206), (0.0, 9.0, 0.143), (0.0, 1.0, 0.750)] {
            near(upper_error_rate(errors, n, 0.25), rate, 0.0005);
        }
        near(upper_error_rate(1.0, 16.0, 0.25), 0.157, 0.003);
    }

    /// Every limit gives back its confidence by the plain binomial sum.
    #[test]
    fn limits_solve_the_binomial_sum() {
        for n in [1u32, 2, 3, 7, 16, 50, 300] {
            for errors in (0..n).step_by(1 + n as usize / 12) {
                for confidence in [0.001, 0.05, 0.25, 0.5, 0.9] {
                    let p = upper_error_rate(errors.into(), n.into(), confidence);
                    let (mut term, mut sum) = (f64::from(n) * (1.0 - p).ln(), 0.0);
                    for k in 0..=errors {
                        sum += term.exp();
                        let odds = p / (1.0 - p);
                        term += (f64::from(n - k) / f64::from(k + 1) * odds).ln();
                    }
                    near(sum, confidence, 1e-11);
                }
            }
        }
    }

    #[test]
    fn limits_are_monotone_and_stay_rates() {
        for n in [0.01, 0.5, 1.0, 2.5, 10.0, 1234.5, 1e6, 1e9] {
            let rates: Vec<f64> =
                (0..=40).map(|i| upper_error_rate(n * f64::from(i) / 40.0, n, 0.25)).collect();
            let rises = rates.windows(2).all(|w| w[1] >= w[0] - 1e-12);
            // A hundredth of a case says nothing: its limits are 1 but for rounding.
            assert!(rises || n < 0.1, "{n} {rates:?}");
            assert!(rates.iter().all(|p| (0.0..=1.0).contains(p)), "{n} {rates:?}");
        }
        // More confidence is a lower limit; at 1 no error more than was seen is feared.
        assert!(upper_error_rate(3.0, 9.0, 0.1) > upper_error_rate(3.0, 9.0, 0.4));
        near(upper_error_rate(0.0, 9.0, 1.0), 0.0, 0.0);
        // Large samples come near to the normal limit.
        near(upper_error_rate(5e5, 1e6, 0.25), 0.5 + 0.674_489_750_2 * 0.0005 + 1e-6, 1e-6);
    }
}
