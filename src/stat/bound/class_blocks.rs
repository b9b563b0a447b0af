//! Blocks of classes: how high the proxy of a left side between two borders can be.
//!
//! Between borders `a` and `b` a part of each class has moved: the left side lies in the box `a <=
//! l <= b`, whose corners have each class moved wholly or not at all. The bound for two classes is
//! the highest of the four corners. There are 2^k corners for k classes, so the rise of the proxy
//! above the proxy of `a` is bounded by a sum of one term per class ([`BoundedCurve::rise`]).

use crate::stat::count::{Count, total};
use crate::stat::proxy::{Curve, Square, XLogX};

/// [`Rating::block_bounds`](crate::stat::Rating::block_bounds) of two classes.
pub(in crate::stat) fn two_classes_bounds<N: Count>(
    curve: impl Curve,
    lefts: &[N],
    parent: &[N],
    proxies: &[f64],
    out: &mut [f64],
) {
    let &[p0, p1] = parent else { return };
    let proxy = |l0: N, l1: N| curve.of_two([l0, l1], [p0, p1]);
    let ends = lefts.chunks_exact(2).zip(lefts[2..].chunks_exact(2));
    for (((from, to), proxies), out) in ends.zip(proxies.windows(2)).zip(out) {
        let corners = proxy(from[0], to[1]).max(proxy(to[0], from[1]));
        *out = proxies[0].max(proxies[1]).max(corners);
    }
}

/// [`Rating::block_bounds`](crate::stat::Rating::block_bounds) of any number of classes.
pub(in crate::stat) fn many_classes_bounds<N: Count>(
    curve: impl BoundedCurve,
    lefts: &[N],
    parent: &[N],
    proxies: &[f64],
    out: &mut [f64],
) {
    let k = parent.len();
    let ends = lefts.chunks_exact(k).zip(lefts[k..].chunks_exact(k));
    for (((from, to), proxy), out) in ends.zip(proxies).zip(out) {
        *out = proxy + curve.rise(from, to, parent);
    }
}

/// A curve whose rise has a bound.
pub(in crate::stat) trait BoundedCurve: Curve {
    /// An upper bound of the proxy's rise from the border `from` to any left side up to `to`.
    fn rise<N: Count>(self, from: &[N], to: &[N], parent: &[N]) -> f64;
}

impl BoundedCurve for XLogX<'_> {
    /// With `g(x) = x log x` the proxy is `Σ g(l_c) + g(p_c - l_c)`, less `g(|l|) + g(|p| - |l|)`.
    /// A class's term is convex, so at most its chord from `a_c` to `b_c`. The totals' part is
    /// convex too, so at least its tangent at `|a|`, and that is subtracted instead: each class adds
    /// to it what it moves. Chords and tangent are linear in how far each class has moved, so their
    /// rise is highest where a class has moved the whole way, or not at all where that falls.
    #[inline(always)]
    fn rise<N: Count>(self, from: &[N], to: &[N], parent: &[N]) -> f64 {
        let (left, all) = (total(from), total(parent));
        let slope = left.float().log2() - (all - left).float().log2();
        let classes = from.iter().zip(to).zip(parent);
        let rises = classes.map(|((&a, &b), &p)| {
            let chord = self.at(b) - self.at(a) + self.at(p - b) - self.at(p - a);
            (chord - (b - a).float() * slope).max(0.0)
        });
        rises.sum()
    }
}

impl BoundedCurve for Square {
    /// The proxy is `Σ l_c² / |l|`, and the same of the right side. While `m_c` moves, with `q` the
    /// left side's mean square `Σ a_c² / |a|`, its term rises by exactly
    /// `Σ m_c (a_c + l_c - q) / |l|`. There `l_c` is at most `b_c`, and `1 / |l|` lies between its
    /// values at the borders. The right side's term rises by `-Σ m_c (r_c + s_c - q') / |s|`, where
    /// `r` and `s` are the right sides and `s_c` is at least `p_c - b_c`. So each class adds `m_c`
    /// times a factor, which is at most the whole way times it, or nothing where it is negative.
    #[inline(always)]
    fn rise<N: Count>(self, from: &[N], to: &[N], parent: &[N]) -> f64 {
        let all = total(parent);
        let (n_left, n_right) = ([total(from), total(to)], [all - total(from), all - total(to)]);
        if n_left[0] == N::default() || n_right[1] == N::default() {
            return f64::INFINITY;
        }
        let inverse = |n: [N; 2]| n.map(|n| n.float().recip());
        let (per_left, per_right) = (inverse(n_left), inverse(n_right));
        let square = |sum: f64, c: f64| sum + c * c;
        let mean_left = from.iter().map(|c| c.float()).fold(0.0, square) * per_left[0];
        let right = from.iter().zip(parent).map(|(&a, &p)| (p - a).float());
        let mean_right = right.fold(0.0, square) * per_right[0];
        let classes = from.iter().zip(to).zip(parent);
        let rises = classes.map(|((&a, &b), &p)| {
            let moved = (b - a).float();
            let into_left = (a + b).float() - mean_left;
            let out_of_right = (p - a + (p - b)).float() - mean_right;
            let most = (into_left * per_left[0]).max(into_left * per_left[1]);
            let least = (out_of_right * per_right[0]).min(out_of_right * per_right[1]);
            (moved * (most - least)).max(0.0)
        });
        rises.sum()
    }
}
