//! Class counts, and their logarithms.

use crate::stat::Num;

/// A class count: rows (`u32`) or weight units (`u64`).
pub(crate) trait Count: Num {
    /// One row without weight.
    const ONE: Self;
    /// Rows without weights.
    fn of_rows(rows: u32) -> Self;
    /// Weight units.
    fn of_units(units: u64) -> Self;
    fn wide(self) -> u128;
    fn float(self) -> f64;
    /// `x log2 x`, from the table if it is long enough.
    fn x_log_x(self, logs: &LogTable) -> f64;
}

impl Count for u32 {
    const ONE: u32 = 1;
    fn of_units(units: u64) -> u32 {
        units as u32
    }
    #[inline]
    fn of_rows(rows: u32) -> u32 {
        rows
    }
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline]
    fn float(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn x_log_x(self, logs: &LogTable) -> f64 {
        logs.at(self)
    }
}

impl Count for u64 {
    const ONE: u64 = 1;
    fn of_units(units: u64) -> u64 {
        units
    }
    #[inline]
    fn of_rows(rows: u32) -> u64 {
        rows.into()
    }
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline]
    fn float(self) -> f64 {
        self as f64
    }
    #[inline]
    fn x_log_x(self, _: &LogTable) -> f64 {
        x_log2_x(self as f64)
    }
}

/// The sum of class counts.
#[inline]
pub(super) fn total<N: Count>(stat: &[N]) -> N {
    stat.iter().fold(N::default(), |sum, &c| sum + c)
}

/// `k log2 k` for small k, the terms of the entropy of integer counts. Larger k are computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogTable(Vec<f64>);

impl LogTable {
    pub(crate) fn up_to(largest: usize) -> Self {
        LogTable((0..=largest).map(|k| x_log2_x(k as f64)).collect())
    }

    /// `k log2 k`.
    #[inline(always)]
    pub(super) fn at(&self, k: u32) -> f64 {
        match self.0.get(k as usize) {
            Some(&x) => x,
            None => x_log2_x(f64::from(k)),
        }
    }
}

#[inline]
pub(super) fn x_log2_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}
