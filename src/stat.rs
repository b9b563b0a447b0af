//! What a bucket holds: class counts, counted in rows or in weight units.

use crate::criterion::{self, quotient};
use crate::spec::{Criterion, LogBase};
use crate::target::Weights;

/// The number a class count is kept in: rows (`u32`) or weight units (`u64`). Both add and
/// subtract exactly.
pub(crate) trait Count:
    Copy
    + Default
    + Ord
    + Send
    + Sync
    + std::fmt::Debug
    + std::ops::AddAssign
    + std::ops::SubAssign
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + 'static
{
    /// A row, where rows have no weights.
    const ONE: Self;
    fn wide(self) -> u128;
    fn float(self) -> f64;
    /// `x log x` of a count, tabled where it can be.
    fn x_log_x(self, logs: &LogTable) -> f64;
}

impl Count for u32 {
    const ONE: u32 = 1;
    #[inline]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline]
    fn float(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn x_log_x(self, logs: &LogTable) -> f64 {
        match logs.0.get(self as usize) {
            Some(&x) => x,
            None => x_log2_x(f64::from(self)),
        }
    }
}

impl Count for u64 {
    const ONE: u64 = 1;
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

#[inline]
fn x_log2_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}

/// `k log2 k` for small k: the entropy of integer counts is a sum of these.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogTable(Vec<f64>);

impl LogTable {
    /// Counts above this are few (only the largest nodes have them) and are computed.
    const LARGEST: usize = 1 << 20;

    pub(crate) fn up_to(rows: usize) -> Self {
        LogTable((0..=rows.min(Self::LARGEST)).map(|k| x_log2_x(k as f64)).collect())
    }
}

/// The rows' classes and weights. A stat is a slice of one count per class.
#[derive(Clone, Debug)]
pub(crate) struct ClassCounts<'a, N> {
    pub(crate) classes: &'a [u16],
    /// `None`: every row counts one.
    pub(crate) weights: Option<&'a [N]>,
    pub(crate) n_classes: usize,
}

/// How stats are rated, whoever counted them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rating<'a> {
    pub(crate) criterion: Criterion,
    pub(crate) base: LogBase,
    /// The weight of one count.
    pub(crate) unit: f64,
    /// Whether weights were rounded to units, so that a gain of zero may come out as noise.
    pub(crate) fractional: bool,
    pub(crate) logs: &'a LogTable,
}

impl<'a> Rating<'a> {
    pub(crate) fn new(
        criterion: Criterion,
        base: LogBase,
        weights: Option<&Weights>,
        logs: &'a LogTable,
    ) -> Self {
        Rating {
            criterion,
            base,
            unit: weights.map_or(1.0, |w| w.unit),
            fractional: weights.is_some_and(|w| w.fractional),
            logs,
        }
    }

    pub(crate) fn by(self, criterion: Criterion) -> Self {
        Rating { criterion, ..self }
    }
}

impl<N: Count> ClassCounts<'_, N> {
    /// Counts one row in.
    #[inline]
    pub(crate) fn add(&self, row: u32, stat: &mut [N]) {
        let weight = self.weights.map_or(N::ONE, |w| w[row as usize]);
        stat[usize::from(self.classes[row as usize])] += weight;
    }
}

/// The sum of a stat: its rows or weight units.
#[inline]
pub(crate) fn total<N: Count>(stat: &[N]) -> N {
    stat.iter().fold(N::default(), |sum, &c| sum + c)
}

/// Whether at most one class is present.
pub(crate) fn is_pure<N: Count>(stat: &[N]) -> bool {
    stat.iter().filter(|&&c| c > N::default()).count() <= 1
}

impl Rating<'_> {
    /// A stat in weights, for the pure functions of [`criterion`].
    pub(crate) fn weights<N: Count>(&self, stat: &[N]) -> Vec<f64> {
        stat.iter().map(|c| c.float() * self.unit).collect()
    }

    pub(crate) fn weight<N: Count>(&self, count: N) -> f64 {
        count.float() * self.unit
    }

    pub(crate) fn impurity<N: Count>(&self, stat: &[N]) -> f64 {
        self.criterion.impurity(&self.weights(stat), self.base)
    }

    /// The gain of a split: the pure score of the contract, with zeros decided exactly.
    pub(crate) fn gain<N: Count>(&self, parent: &[N], branches: &[&[N]]) -> f64 {
        let parent_w = self.weights(parent);
        let branches_w: Vec<Vec<f64>> = branches.iter().map(|b| self.weights(b)).collect();
        let gain = self.criterion.gain(&parent_w, &branches_w, self.base);
        // Only a gain this small can be a zero in disguise.
        if gain < 1e-9 && self.is_zero(gain, parent, &parent_w, branches) { 0.0 } else { gain }
    }

    /// A split gains nothing if and only if every branch's counts are proportional to the
    /// parent's (impurities are strictly concave).
    fn is_zero<N: Count>(
        &self,
        gain: f64,
        parent: &[N],
        parent_w: &[f64],
        branches: &[&[N]],
    ) -> bool {
        let n = total(parent).wide();
        let proportional = branches.iter().all(|b| {
            let m = total(b).wide();
            b.iter().zip(parent).all(|(c, p)| c.wide() * n == p.wide() * m)
        });
        proportional
            || (self.fractional && gain < 1e-12 * self.criterion.impurity(parent_w, self.base))
    }

    /// Entropy of the branches' weights.
    pub(crate) fn split_info<N: Count>(&self, branches: &[&[N]]) -> f64 {
        let weights: Vec<f64> = branches.iter().map(|b| self.weight(total(b))).collect();
        criterion::split_info(&weights, self.base)
    }

    /// Gain over split info.
    pub(crate) fn ratio(&self, gain: f64, split_info: f64) -> f64 {
        quotient(gain, split_info)
    }

    /// One side's part of the proxy, which orders two-way splits of one parent as the gain
    /// does, up to rounding: `n` times the parent's impurity less the proxy of both sides is
    /// `n` times the gain, plus a constant. In bits (or Gini units) times counts.
    #[inline]
    pub(crate) fn proxy<N: Count>(&self, side: &[N]) -> f64 {
        let n = total(side);
        if n == N::default() {
            return 0.0;
        }
        match self.criterion {
            Criterion::Entropy => {
                side.iter().map(|c| c.x_log_x(self.logs)).sum::<f64>() - n.x_log_x(self.logs)
            }
            Criterion::Gini => side.iter().map(|c| c.float() * c.float()).sum::<f64>() / n.float(),
        }
    }

    /// How far two proxies may lie apart and still be equal gains: well above the rounding of
    /// a proxy, well below any gain that matters, so that few are rated in vain.
    pub(crate) fn proxy_slack<N: Count>(&self, parent: &[N]) -> f64 {
        1e-10 * total(parent).float()
    }
}
