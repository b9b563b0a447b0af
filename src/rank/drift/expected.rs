//! The PSI that two samples of one distribution have on average.
//!
//! Without drift, any n of the N rows of both frames are as likely to be the reference. It then has a
//! hypergeometric number x of the t rows of a bin, and
//!
//! ```text
//! E[psi] = Σ_bins Σ_x psi(x, t - x) P(x),   x ~ Hypergeometric(N, t, n)
//! ```
//!
//! This is exact where the bins do not depend on which rows are the reference. Intervals do, since they
//! end at its quantiles: with 100 rows of the reference in each the mean is within 5 % of the truth; with
//! ten it is up to a fifth too high.
//!
//! A level that the reference lacks is no bin: its rows are in the bin of new levels. This bin has no row
//! of the reference, and T rows of the current frame. With `P0(t) = C(N - t, n) / C(N, n)`, the chance
//! that the reference lacks a level of t rows,
//!
//! ```text
//! E[T]   = Σ_a t_a P0(t_a)
//! Var[T] = Σ_a t_a² P0(t_a) (1 - P0(t_a)) + Σ_(a ≠ b) t_a t_b (P0(t_a + t_b) - P0(t_a) P0(t_b))
//! ```
//!
//! and T is taken for a multiple of a Poisson variable of this mean and variance.

use std::collections::BTreeMap;

use crate::rank::bins::evidence;
use crate::stat::chance_counts::{by_size, hypergeometric_mean, poisson_mean};

/// The mean PSI of two frames without drift. `bins` are the rows of both frames in bins that there are
/// whoever has rows in them, `levels` those of levels, which are bins if the reference has them. `rows`
/// are the rows of the reference and of the current frame.
///
/// Equal totals are summed once, and only the terms that matter are summed, so that it is linear in the
/// rows.
pub(super) fn expected_psi(
    bins: impl IntoIterator<Item = u64>,
    levels: impl IntoIterator<Item = u64>,
    rows: [u64; 2],
) -> f64 {
    let n = rows.iter().sum();
    let psi = |total: u64, x: f64| psi([x, total as f64 - x], rows);
    let of_bins = by_size(bins).into_iter().map(|(total, bins)| {
        bins as f64 * hypergeometric_mean(n, total, rows[0], |x| psi(total, x))
    });
    let levels = by_size(levels);
    let of_levels = levels.iter().map(|(&total, &levels)| {
        let psi_if_known = |x: f64| if x > 0.0 { psi(total, x) } else { 0.0 };
        levels as f64 * hypergeometric_mean(n, total, rows[0], psi_if_known)
    });
    of_bins.chain(of_levels).sum::<f64>() + of_new_levels(&levels, rows)
}

fn psi(bin: [f64; 2], rows: [u64; 2]) -> f64 {
    evidence(bin, rows.map(|n| n as f64)).1
}

/// From this rate on, a Poisson variable hardly differs from its mean.
const MOST_RATE: f64 = 1e6;

/// The mean PSI of the bin of new levels. There are at most `sqrt(2 N)` sizes of levels, so that pairs of
/// them are linear in the rows.
fn of_new_levels(levels: &BTreeMap<u64, u64>, rows: [u64; 2]) -> f64 {
    let largest = levels.last_key_value().map_or(0, |(&size, _)| size);
    let absent = absent_chances(rows, 2 * largest);
    let chance = |size: u64| absent.get(size as usize).copied().unwrap_or(0.0);
    let rare = || levels.range(..absent.len() as u64).map(|(&size, &n)| (size, n as f64));
    let (mut mean, mut variance) = (0.0, 0.0);
    for (a, n_a) in rare() {
        let (size, p) = (a as f64, chance(a));
        mean += n_a * size * p;
        variance += n_a * size * size * p * (1.0 - p);
        for (b, n_b) in rare() {
            let pairs = n_a * if a == b { n_b - 1.0 } else { n_b };
            variance += pairs * size * b as f64 * (chance(a + b) - p * chance(b));
        }
    }
    if mean <= 0.0 {
        return 0.0;
    }
    let of_new = |n: f64| psi([0.0, n], rows);
    let unit = variance.max(0.0) / mean;
    let rate = mean / unit;
    match rate < MOST_RATE {
        true => poisson_mean(rate, |n| of_new(n * unit)),
        false => of_new(mean),
    }
}

/// A level is taken for known where its absence is less likely than this.
const CERTAIN: f64 = 1e-15;

/// The chances that the reference has none of 0, 1, 2 … given rows, as far as they matter.
fn absent_chances([n, m]: [u64; 2], most: u64) -> Vec<f64> {
    let mut chance = 1.0;
    let next = |rows: u64| {
        let known = chance;
        chance *= m.saturating_sub(rows) as f64 / (n + m - rows) as f64;
        known
    };
    (0..=most.min(m)).map(next).take_while(|&chance| chance > CERTAIN).collect()
}
