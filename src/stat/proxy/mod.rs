//! Proxies: both sides of every boundary of a chunk, as cheaply as possible.
//!
//! A proxy of class counts is a sum over both sides of a [`Curve`] of the class counts, less the
//! same of the side's total. It orders the splits of one parent as the gain does.

mod many_classes;
mod numbers;
mod two_classes;

pub(super) use many_classes::{many_classes, many_classes_along, many_classes_at};
pub(super) use numbers::{Mean, Proxy, float};
pub(super) use two_classes::{gini_along, two_classes, two_classes_at};

use crate::stat::count::{Count, LogTable, total};

/// The function whose class sums make the proxy: `x log x` for entropy, `x²` for Gini.
pub(super) trait Curve: Copy {
    fn at<N: Count>(self, x: N) -> f64;
    /// The sum over some classes.
    #[inline(always)]
    fn sum<N: Count>(self, counts: impl Iterator<Item = N>) -> f64 {
        counts.map(|c| self.at(c)).sum()
    }
    /// A side's proxy from the sum over its classes and its total.
    fn side<N: Count>(self, sum: f64, total: N) -> f64;
    /// The proxy of a split of two classes.
    #[inline(always)]
    fn of_two<N: Count>(self, [l0, l1]: [N; 2], [p0, p1]: [N; 2]) -> f64 {
        let side = |x: N, y: N| self.side(self.at(x) + self.at(y), x + y);
        side(l0, l1) + side(p0 - l0, p1 - l1)
    }
}

/// The proxy of a split that leaves one side empty.
pub(super) fn undivided<N: Count>(curve: impl Curve, parent: &[N]) -> f64 {
    match parent {
        &[p0, p1] => curve.of_two([p0, p1], [p0, p1]),
        _ => curve.side(curve.sum(parent.iter().copied()), total(parent)),
    }
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

impl Square {
    /// The proxy of a split of two classes, from the cross product of the left side's counts with
    /// the parent's, the left side's total and the parent's.
    #[inline(always)]
    pub(super) fn of_parts(apart: f64, l: f64, n: f64) -> f64 {
        2.0 * apart * apart / (n * l * (n - l)).max(f64::MIN_POSITIVE)
    }
}

impl Curve for Square {
    #[inline(always)]
    fn at<N: Count>(self, x: N) -> f64 {
        x.float() * x.float()
    }
    #[inline(always)]
    fn sum<N: Count>(self, counts: impl Iterator<Item = N>) -> f64 {
        N::squares(counts)
    }
    #[inline(always)]
    fn side<N: Count>(self, sum: f64, total: N) -> f64 {
        sum / total.float().max(f64::MIN_POSITIVE)
    }
    /// Less the proxy of no split, which is a constant: this form has one division, not two.
    #[inline(always)]
    fn of_two<N: Count>(self, [l0, l1]: [N; 2], [p0, p1]: [N; 2]) -> f64 {
        let (l, n) = ((l0 + l1).float(), (p0 + p1).float());
        Square::of_parts(l1.float() * p0.float() - l0.float() * p1.float(), l, n)
    }
}
