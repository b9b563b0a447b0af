//! Proxies of class counts: both sides of every boundary of a chunk, as cheaply as can be.

use crate::stat::count::{Count, LogTable, total};

/// The function whose class sums make the proxy: `x log x` for entropy, `x²` for Gini.
pub(super) trait Curve: Copy {
    fn at<N: Count>(self, x: N) -> f64;
    /// A side's proxy from the sum over its classes and its total.
    fn side<N: Count>(self, sum: f64, total: N) -> f64;
    /// The proxy of a split of two classes.
    #[inline(always)]
    fn of_two<N: Count>(self, [l0, l1]: [N; 2], [p0, p1]: [N; 2]) -> f64 {
        let side = |x: N, y: N| self.side(self.at(x) + self.at(y), x + y);
        side(l0, l1) + side(p0 - l0, p1 - l1)
    }
    /// How far the proxy rises at most between two left sides.
    ///
    /// At a given total of the left side the proxy is a sum over classes, convex in how much of a
    /// class has moved: it lies below its chord. So it is at its highest when each class has
    /// moved wholly or not at all, and the rise is a sum of one term a class.
    fn rise<N: Count>(self, from: &[N], to: &[N], parent: &[N]) -> f64;
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
    #[inline(always)]
    fn rise<N: Count>(self, from: &[N], to: &[N], parent: &[N]) -> f64 {
        // What the totals take off the proxy is convex too, so it lies above its tangent.
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

#[derive(Clone, Copy)]
pub(super) struct Square;

impl Square {
    /// The proxy of a split of two classes, from how far the left side's counts are from the
    /// parent's proportion (their cross product), its total and the parent's.
    #[inline(always)]
    fn of_parts(apart: f64, l: f64, n: f64) -> f64 {
        2.0 * apart * apart / (n * l * (n - l)).max(f64::MIN_POSITIVE)
    }
}

impl Curve for Square {
    #[inline(always)]
    fn at<N: Count>(self, x: N) -> f64 {
        x.float() * x.float()
    }
    #[inline(always)]
    fn side<N: Count>(self, sum: f64, total: N) -> f64 {
        sum / total.float().max(f64::MIN_POSITIVE)
    }
    /// What the split adds to the proxy of none: the same with one division, not two.
    #[inline(always)]
    fn of_two<N: Count>(self, [l0, l1]: [N; 2], [p0, p1]: [N; 2]) -> f64 {
        let (l, n) = ((l0 + l1).float(), (p0 + p1).float());
        Square::of_parts(l1.float() * p0.float() - l0.float() * p1.float(), l, n)
    }
    #[inline(always)]
    fn rise<N: Count>(self, from: &[N], to: &[N], parent: &[N]) -> f64 {
        let all = total(parent);
        let (n_left, n_right) = ([total(from), total(to)], [all - total(from), all - total(to)]);
        if n_left[0] == N::default() || n_right[1] == N::default() {
            return f64::INFINITY;
        }
        // A side's sum over its total is at first `mean`, then that plus what the sum has over
        // `mean` times the total, over the total: linear in what moves, but for the last total,
        // which is one of a range.
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
    for (stat, out) in stats.chunks_exact(2).zip(out) {
        l0 += stat[0];
        l1 += stat[1];
        *out = curve.of_two([l0, l1], [p0, p1]);
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
    for (left, out) in lefts.chunks_exact(2).zip(out) {
        *out = curve.of_two([left[0], left[1]], [p0, p1]);
    }
}

/// The same by Gini after each of some rows that count one each; `ones` says which are of the
/// second class. What moves does so by ones, so that the compiler can vectorise all but a sum: it
/// took 3 % off the instructions of growing a full tree.
pub(super) fn gini_along<N: Count>(
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

/// For each neighbouring two of some left sides the highest proxy in the rectangle between them:
/// the proxy is convex, so it is at a corner.
pub(super) fn two_classes_bounds<N: Count>(
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

/// The same of any number of classes, by how far the proxy rises at most.
pub(super) fn many_classes_bounds<N: Count>(
    curve: impl Curve,
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

/// Any number of classes.
pub(super) fn many_classes<N: Count>(
    curve: impl Curve,
    stats: &[N],
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let mut sides = Sides::new(curve, parent, left);
    for (stat, out) in stats.chunks_exact(parent.len()).zip(out) {
        stat.iter().enumerate().for_each(|(class, &moved)| sides.shift(class, moved));
        *out = sides.proxy();
    }
}

/// The same where a step moves one class: after each step.
pub(super) fn many_classes_along<N: Count>(
    curve: impl Curve,
    steps: impl Iterator<Item = (usize, N)>,
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let mut sides = Sides::new(curve, parent, left);
    for ((class, moved), out) in steps.zip(out) {
        sides.shift(class, moved);
        *out = sides.proxy();
    }
}

/// The same of left sides given as they are.
pub(super) fn many_classes_at<N: Count>(
    curve: impl Curve,
    lefts: &[N],
    parent: &[N],
    out: &mut [f64],
) {
    for (left, out) in lefts.chunks_exact(parent.len()).zip(out) {
        let (n_left, n) = (total(left), total(parent));
        let sum_left: f64 = left.iter().map(|&c| curve.at(c)).sum();
        let sum_right: f64 = left.iter().zip(parent).map(|(&c, &p)| curve.at(p - c)).sum();
        *out = curve.side(sum_left, n_left) + curve.side(sum_right, n - n_left);
    }
}

/// Below this total the class sums of a chunk can be updated: squares are whole numbers below
/// 2^53, and what logarithms round is far less than the slack of a proxy. Above it a heavy class
/// that leaves a side would leave its rounding there, larger than all that stays.
const UPDATED_BELOW: f64 = (1u64 << 26) as f64;

/// The two sides of a cut that moves on. Their class sums are updated by the classes that moved;
/// they start afresh with each chunk, so rounding does not build up.
struct Sides<'a, C, N> {
    curve: C,
    parent: &'a [N],
    left: &'a mut [N],
    n_left: N,
    n_right: N,
    sum_left: f64,
    sum_right: f64,
    is_updated: bool,
}

impl<'a, C: Curve, N: Count> Sides<'a, C, N> {
    fn new(curve: C, parent: &'a [N], left: &'a mut [N]) -> Self {
        let (n_left, n) = (total(left), total(parent));
        let is_updated = n.float() < UPDATED_BELOW;
        let (sum_left, sum_right) = (0.0, 0.0);
        let n_right = n - n_left;
        let mut sides =
            Sides { curve, parent, left, n_left, n_right, sum_left, sum_right, is_updated };
        sides.sum_up();
        sides
    }

    fn sum_up(&mut self) {
        let sides = self.left.iter().zip(self.parent);
        self.sum_left = self.left.iter().map(|&l| self.curve.at(l)).sum();
        self.sum_right = sides.map(|(&l, &p)| self.curve.at(p - l)).sum();
    }

    #[inline(always)]
    fn shift(&mut self, class: usize, moved: N) {
        if moved == N::default() {
            return;
        }
        let (old, new) = (self.left[class], self.left[class] + moved);
        if self.is_updated {
            let parent = self.parent[class];
            self.sum_left += self.curve.at(new) - self.curve.at(old);
            self.sum_right += self.curve.at(parent - new) - self.curve.at(parent - old);
        }
        self.left[class] = new;
        self.n_left += moved;
        self.n_right -= moved;
    }

    #[inline(always)]
    fn proxy(&mut self) -> f64 {
        if !self.is_updated {
            self.sum_up();
        }
        self.curve.side(self.sum_left, self.n_left) + self.curve.side(self.sum_right, self.n_right)
    }
}
