//! Gauss-Legendre quadrature on the interval from 0 to 1.

use std::f64::consts::PI;

/// Points and weights that integrate a polynomial exactly, if its degree is below twice their
/// number: the integral is the weighted sum of its values at the points.
pub(super) struct Quadrature {
    pub(super) points: Vec<f64>,
    pub(super) weights: Vec<f64>,
}

impl Quadrature {
    /// A quadrature of `n` points, 1 or more. `O(n^2)`.
    pub(super) fn new(n: usize) -> Quadrature {
        let (mut points, mut weights) = (vec![0.5; n], vec![0.5; n]);
        for i in 0..n.div_ceil(2) {
            // A zero of the Legendre polynomial by Newton's method, from its usual estimate.
            let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            // It converges in a few steps; the bound is for safety alone.
            for _ in 0..100 {
                let (value, at) = legendre(n, x);
                slope = at;
                let step = value / slope;
                x -= step;
                if step.abs() <= f64::EPSILON {
                    break;
                }
            }
            let weight = 1.0 / ((1.0 - x * x) * slope * slope);
            // The zeros lie symmetric about 0.
            (points[i], points[n - 1 - i]) = (0.5 - x / 2.0, 0.5 + x / 2.0);
            (weights[i], weights[n - 1 - i]) = (weight, weight);
        }
        if n % 2 == 1 {
            points[n / 2] = 0.5;
        }
        Quadrature { points, weights }
    }
}

/// The value and the slope of the Legendre polynomial of degree `n` at a point inside (-1, 1).
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for degree in 2..=n {
        let k = degree as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral of t^p is 1 / (p + 1).
    #[test]
    fn powers_are_integrated_exactly() {
        for n in (1..=20).chain([63, 64, 500]) {
            let Quadrature { points, weights } = Quadrature::new(n);
            assert!(points.iter().all(|t| *t > 0.0 && *t < 1.0));
            for power in 0..2 * n as i32 {
                let sum: f64 = points.iter().zip(&weights).map(|(t, w)| w * t.powi(power)).sum();
                let exact = 1.0 / (f64::from(power) + 1.0);
                assert!((sum - exact).abs() < 1e-14 * 10.0, "{n} {power}: {sum} {exact}");
            }
        }
    }
}
