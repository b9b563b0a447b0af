//! Proxies of class counts: both sides of every boundary of a chunk, as cheaply as can be.

use super::classes::{Count, total};
use crate::split::{add, difference, subtract};

/// `k log2 k` for small k: the entropy of integer counts is a sum of these.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogTable(Vec<f64>);

impl LogTable {
    /// Counts above this are few (only the largest nodes have them) and are computed.
    const LARGEST: usize = 1 << 20;

    pub(crate) fn up_to(rows: usize) -> Self {
        LogTable((0..=rows.min(Self::LARGEST)).map(|k| x_log2_x(k as f64)).collect())
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

/// The function whose class sums make the proxy: `x log x` for entropy, `x²` for Gini.
pub(super) trait Curve: Copy {
    fn at<N: Count>(self, x: N) -> f64;
    /// A side's proxy from the sum over its classes and its total.
    fn side<N: Count>(self, sum: f64, total: N) -> f64;
}

#[derive(Clone, Copy)]
pub(super) struct XLogX<'a>(pub(super) &'a LogTable);

impl Curve for XLogX<'_> {
    #[inline(always)]
    fn at<N: Count>(self, x: N) -> f64 {
        x.x_log_x(self.0)
    }
    #[inline(always)]
    fn side<N: Count>(self, sum: f64, total: N) -> f64 {
        sum - total.x_log_x(self.0)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Square;

impl Curve for Square {
    #[inline(always)]
    fn at<N: Count>(self, x: N) -> f64 {
        x.float() * x.float()
    }
    #[inline(always)]
    fn side<N: Count>(self, sum: f64, total: N) -> f64 {
        sum / total.float().max(f64::MIN_POSITIVE)
    }
}

/// Two classes: both sides from scratch at each boundary, all in registers.
pub(super) fn two_classes<N: Count>(
    curve: impl Curve,
    stats: &[N],
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let (&[p0, p1], [a, b]) = (parent, left) else { return };
    let (mut l0, mut l1) = (*a, *b);
    let side = |x: N, y: N| curve.side(curve.at(x) + curve.at(y), x + y);
    for (stat, out) in stats.chunks_exact(2).zip(out) {
        l0 += stat[0];
        l1 += stat[1];
        *out = side(l0, l1) + side(p0 - l0, p1 - l1);
    }
    (*a, *b) = (l0, l1);
}

/// The same of left sides given as they are.
pub(super) fn two_classes_at<N: Count>(
    curve: impl Curve,
    lefts: &[N],
    parent: &[N],
    out: &mut [f64],
) {
    let &[p0, p1] = parent else { return };
    let side = |x: N, y: N| curve.side(curve.at(x) + curve.at(y), x + y);
    for (left, out) in lefts.chunks_exact(2).zip(out) {
        *out = side(left[0], left[1]) + side(p0 - left[0], p1 - left[1]);
    }
}

/// Any number of classes.
pub(super) fn many_classes<N: Count>(
    curve: impl Curve,
    stats: &[N],
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    if total(parent).float() < UPDATED_BELOW {
        updated_sums(curve, stats, parent, left, out);
    } else {
        fresh_sums(curve, stats, parent, left, out);
    }
}

/// Below this total the class sums of a chunk can be updated: squares are whole numbers below
/// 2^53, and what logarithms round is far less than the slack of a proxy. Above it a heavy class
/// that leaves a side would leave its rounding there, larger than all that stays.
const UPDATED_BELOW: f64 = (1u64 << 26) as f64;

/// The class sums are updated by the classes that moved. They start afresh with each chunk, so
/// rounding does not build up.
fn updated_sums<N: Count>(
    curve: impl Curve,
    stats: &[N],
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let mut right = difference(parent, left);
    let sum = |side: &[N]| side.iter().map(|&c| curve.at(c)).sum::<f64>();
    let (mut sum_left, mut sum_right) = (sum(left), sum(&right));
    let (mut n_left, mut n_right) = (total(left), total(&right));
    for (stat, out) in stats.chunks_exact(parent.len()).zip(out) {
        for (class, &moved) in stat.iter().enumerate() {
            if moved > N::default() {
                let (l, r) = (&mut left[class], &mut right[class]);
                sum_left += curve.at(*l + moved) - curve.at(*l);
                sum_right += curve.at(*r - moved) - curve.at(*r);
                *l += moved;
                *r -= moved;
                n_left += moved;
                n_right -= moved;
            }
        }
        *out = curve.side(sum_left, n_left) + curve.side(sum_right, n_right);
    }
}

/// The class sums of each boundary from scratch.
fn fresh_sums<N: Count>(
    curve: impl Curve,
    stats: &[N],
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let mut right = difference(parent, left);
    let side = |side: &[N]| curve.side(side.iter().map(|&c| curve.at(c)).sum(), total(side));
    for (stat, out) in stats.chunks_exact(parent.len()).zip(out) {
        add(left, stat);
        subtract(&mut right, stat);
        *out = side(left) + side(&right);
    }
}
