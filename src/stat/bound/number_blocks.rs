//! Blocks of numbers: how high the proxy of a left side between two borders can be.
//!
//! A left side has a weight `w` and stands `a` above its share of the node's sum; its proxy is
//! `a² / (w (n - w))` for a node of weight `n`. Between two borders `w` only grows, but `a` goes up
//! and down. How far it goes is known from the block's *spread*, the sum of its rows' distances
//! from the node's mean. Rows above the mean add `u` in all and those below take `d`: at the
//! borders `u - d = a1 - a0`, and the spread is `u + d`. So `a` stays between `a0 - d` and
//! `a0 + u`, which is `(a0 + a1) / 2`, give or take half of the spread. The proxy is at most the
//! square of the end farther from 0, by the smaller product of weights: this is concave in `w`, so
//! smaller at a border. A spread that is too large bounds as well.

use crate::stat::proxy::Proxy;

/// [`Rating::block_bounds`](crate::stat::Rating::block_bounds) of numbers.
#[inline]
pub(in crate::stat) fn number_bounds(
    lefts: &[i128],
    parent: &[i128],
    spreads: &[f64],
    out: &mut [f64],
) {
    let proxy = Proxy::of(parent);
    let mut borders = lefts.chunks_exact(2).map(|left| proxy.above_at(left));
    let Some(mut left) = borders.next() else { return };
    for ((next_left, &spread), out) in borders.zip(spreads).zip(out) {
        *out = highest_between(left, next_left, spread, proxy.weight);
        left = next_left;
    }
}

/// An upper bound of the proxies between two borders, each given by its weight and how far it is
/// above its share of the sum. Both sides of a cut weigh at least a unit.
#[inline(always)]
pub(super) fn highest_between(
    [left, above]: [f64; 2],
    [next_left, next_above]: [f64; 2],
    spread: f64,
    weight: f64,
) -> f64 {
    let farthest = ((above + next_above).abs() + spread) / 2.0;
    let product = |left: f64| {
        let left = left.min(weight - 1.0).max(1.0);
        left * (weight - left)
    };
    farthest * farthest / product(left).min(product(next_left))
}
