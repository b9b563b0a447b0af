//! Pearson's test of independence over many tables, each given its own totals.
//!
//! Where a table's totals are fixed, all orders of its rows are as likely if its columns are
//! independent. `X² = Σ (x_ij - e_ij)² / e_ij`, with `e_ij = a_i b_j / n`, then has a known mean and
//! variance (Haldane 1940; Dawson 1954, Biometrika 41, 280), for tables of any size and however few
//! rows:
//!
//! ```text
//! mean     = n (r - 1) (c - 1) / (n - 1)
//! variance = 2 n / (n - 3) (v_a - w_a) (v_b - w_b) + n² / (n - 1) w_a w_b
//! v_a      = (r - 1) (n - r) / (n - 1)
//! w_a      = (n Σ 1 / a_i - r²) / (n - 2)
//! ```
//!
//! The sum over independent tables is taken for a multiple of a chi-square variable of the same mean
//! and variance.

use super::significance::chi_square_upper_tail;

/// The sum of `X²` over tables, and its mean and variance by chance.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Independence {
    pub(crate) statistic: f64,
    mean: f64,
    variance: f64,
}

impl Independence {
    /// Adds a table of `columns` counts a line. Lines and columns without rows do not count.
    pub(crate) fn add<N: Copy + Into<u64>>(&mut self, table: &[N], columns: usize) {
        let mut of_columns = vec![0u64; columns];
        let lines = table.chunks(columns);
        let of_lines: Vec<u64> = lines
            .clone()
            .map(|line| {
                of_columns.iter_mut().zip(line).for_each(|(sum, &x)| *sum += x.into());
                line.iter().map(|&x| x.into()).sum()
            })
            .collect();
        let n = of_lines.iter().sum::<u64>() as f64;
        let [a, b] = [&of_lines, &of_columns].map(|totals| Totals::new(totals, n));
        if a.count < 2.0 || b.count < 2.0 {
            return;
        }
        for (line, &a) in lines.zip(&of_lines).filter(|&(_, &a)| a > 0) {
            for (&x, &b) in line.iter().zip(&of_columns).filter(|&(_, &b)| b > 0) {
                let (observed, expected): (u64, f64) = (x.into(), a as f64 * b as f64 / n);
                self.statistic += (observed as f64 - expected).powi(2) / expected;
            }
        }
        self.mean += n * (a.count - 1.0) * (b.count - 1.0) / (n - 1.0);
        // With three rows the first term is 0 times infinity, and there is one value of X².
        let first = if n > 3.0 { 2.0 * n / (n - 3.0) * (a.v - a.w) * (b.v - b.w) } else { 0.0 };
        self.variance += (first + n * n / (n - 1.0) * a.w * b.w).max(0.0);
    }

    /// What `X²` is on average by chance.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn mean(&self) -> f64 {
        self.mean
    }

    /// Whether chance makes tables of more than one `X²`.
    pub(crate) fn varies(&self) -> bool {
        // Below this the variance is rounding.
        self.variance > 1e-9 * self.mean * self.mean
    }

    /// How often chance makes the tables as dependent or more; 1 where `X²` can have one value only.
    pub(crate) fn p_value(&self) -> f64 {
        if !self.varies() {
            return 1.0;
        }
        let Independence { statistic, mean, variance } = *self;
        let unit = variance / (2.0 * mean);
        chi_square_upper_tail(statistic / unit, mean / unit)
    }
}

struct Totals {
    /// The number of lines, or columns, that have rows.
    count: f64,
    v: f64,
    w: f64,
}

impl Totals {
    fn new(totals: &[u64], n: f64) -> Totals {
        let present = totals.iter().filter(|&&total| total > 0);
        let count = present.clone().count() as f64;
        let inverse: f64 = present.map(|&total| 1.0 / total as f64).sum();
        // Two rows make one table.
        let w = if n > 2.0 { (n * inverse - count * count) / (n - 2.0) } else { 0.0 };
        Totals { count, v: (count - 1.0) * (n - count) / (n - 1.0), w }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The mean and the variance of X² over all orders of the second column.
    fn of_all_orders(a: &[usize], b: &mut Vec<usize>, at: usize, sums: &mut [f64; 3]) {
        if at == b.len() {
            let one = |of: &[usize]| {
                (0..4).map(|i| of.iter().filter(|&&x| x == i).count() as f64).collect::<Vec<_>>()
            };
            let (lines, columns) = (one(a), one(b));
            let mut x2 = 0.0;
            for (i, line) in lines.iter().enumerate() {
                for (j, column) in columns.iter().enumerate() {
                    let both = a.iter().zip(b.iter()).filter(|&(&x, &y)| (x, y) == (i, j)).count();
                    let expected = line * column / a.len() as f64;
                    if expected > 0.0 {
                        x2 += (both as f64 - expected).powi(2) / expected;
                    }
                }
            }
            sums[0] += 1.0;
            sums[1] += x2;
            sums[2] += x2 * x2;
            return;
        }
        for other in at..b.len() {
            b.swap(at, other);
            of_all_orders(a, b, at + 1, sums);
            b.swap(at, other);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        #[test]
        fn mean_and_variance_are_those_of_all_orders(
            rows in prop::collection::vec((0usize..4, 0usize..3), 2..7),
        ) {
            let (a, mut b): (Vec<usize>, Vec<usize>) = rows.iter().copied().unzip();
            let mut table = [0u32; 12];
            rows.iter().for_each(|&(i, j)| table[i * 3 + j] += 1);
            let mut found = Independence::default();
            found.add(&table, 3);
            let mut sums = [0.0; 3];
            of_all_orders(&a, &mut b, 0, &mut sums);
            let mean = sums[1] / sums[0];
            let variance = sums[2] / sums[0] - mean * mean;
            prop_assert!((found.mean - mean).abs() < 1e-9, "{found:?} {mean}");
            prop_assert!((found.variance - variance).abs() < 1e-9, "{found:?} {variance}");
        }
    }

    /// On a large table, where fixed totals hardly matter: with two degrees of freedom the p-value
    /// is `exp(-X²/2)`.
    #[test]
    fn large_tables_have_the_usual_p_value() {
        let mut found = Independence::default();
        found.add(&[1030u32, 2105, 3090, 970, 1895, 2910], 3);
        assert!((found.statistic - 1.351_901_110_937).abs() < 1e-9, "{found:?}");
        assert!((found.p_value() - 0.508_672_669).abs() < 1e-3, "{}", found.p_value());
    }
}
