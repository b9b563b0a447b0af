//! Proxies of two classes.

use super::{Curve, Square};
use crate::stat::count::Count;

/// [`Rating::proxies`](crate::stat::Rating::proxies), both sides recomputed at each boundary: that
/// keeps all in registers.
pub(in crate::stat) fn two_classes<N: Count>(
    curve: impl Curve,
    stats: &[N],
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let (&[p0, p1], [a, b]) = (parent, left) else { return };
    let (mut l0, mut l1) = (*a, *b);
    for (stat, out) in stats.chunks_exact(2).zip(out) {
        l0 += stat[0];
        l1 += stat[1];
        *out = curve.of_two([l0, l1], [p0, p1]);
    }
    (*a, *b) = (l0, l1);
}

/// [`Rating::proxies_at`](crate::stat::Rating::proxies_at).
pub(in crate::stat) fn two_classes_at<N: Count>(
    curve: impl Curve,
    lefts: &[N],
    parent: &[N],
    out: &mut [f64],
) {
    let &[p0, p1] = parent else { return };
    for (left, out) in lefts.chunks_exact(2).zip(out) {
        *out = curve.of_two([left[0], left[1]], [p0, p1]);
    }
}

/// Gini proxies after each of some rows of weight 1; `ones` has a 1 for each row of the second
/// class. Counts move by ones, so the compiler can vectorize all but a prefix sum.
pub(in crate::stat) fn gini_along<N: Count>(
    ones: impl Iterator<Item = u32>,
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let (&[p0, p1], [l0, l1]) = (parent, left) else { return };
    let mut n_ones = 0;
    for (out, one) in out.iter_mut().zip(ones) {
        n_ones += one as i32;
        *out = n_ones.into();
    }
    let (n, l, ones) = ((p0 + p1).float(), (*l0 + *l1).float(), p1.float());
    let apart = l1.float() * p0.float() - l0.float() * ones;
    for (i, out) in out.iter_mut().enumerate() {
        let moved = f64::from(i as i32 + 1);
        let (l, apart) = (l + moved, apart + *out * n - moved * ones);
        *out = Square::of_parts(apart, l, n);
    }
    *l0 += N::of_rows(out.len() as u32 - n_ones as u32);
    *l1 += N::of_rows(n_ones as u32);
}
