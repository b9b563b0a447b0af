//! Proxies of any number of classes.

use super::Curve;
use crate::stat::count::{Count, total};

/// [`Rating::proxies`](crate::stat::Rating::proxies).
pub(in crate::stat) fn many_classes<N: Count>(
    curve: impl Curve,
    stats: &[N],
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let mut sides = MovingSides::new(curve, parent, left);
    for (stat, out) in stats.chunks_exact(parent.len()).zip(out) {
        stat.iter().enumerate().for_each(|(class, &moved)| sides.shift(class, moved));
        *out = sides.proxy();
    }
}

/// Proxies after steps that move one class each.
pub(in crate::stat) fn many_classes_along<N: Count>(
    curve: impl Curve,
    steps: impl Iterator<Item = (usize, N)>,
    parent: &[N],
    left: &mut [N],
    out: &mut [f64],
) {
    let mut sides = MovingSides::new(curve, parent, left);
    for ((class, moved), out) in steps.zip(out) {
        sides.shift(class, moved);
        *out = sides.proxy();
    }
}

/// [`Rating::proxies_at`](crate::stat::Rating::proxies_at).
pub(in crate::stat) fn many_classes_at<N: Count>(
    curve: impl Curve,
    lefts: &[N],
    parent: &[N],
    out: &mut [f64],
) {
    for (left, out) in lefts.chunks_exact(parent.len()).zip(out) {
        let (n_left, n) = (total(left), total(parent));
        let sum_left = curve.sum(left.iter().copied());
        let sum_right = curve.sum(left.iter().zip(parent).map(|(&c, &p)| p - c));
        *out = curve.side(sum_left, n_left) + curve.side(sum_right, n - n_left);
    }
}

/// Below this total, class sums can be updated class by class: squares are integers below 2^53,
/// and logarithms round far less than the margin of a proxy. Above it, a heavy class that leaves a
/// side could leave a rounding error larger than all that stays.
const UPDATED_BELOW: f64 = (1u64 << 26) as f64;

/// The two sides of a moving cut. Their class sums are updated by the classes that move, and
/// recomputed for each chunk, so that rounding does not accumulate.
struct MovingSides<'a, C, N> {
    curve: C,
    parent: &'a [N],
    left: &'a mut [N],
    n_left: N,
    n_right: N,
    sum_left: f64,
    sum_right: f64,
    is_updated: bool,
}

impl<'a, C: Curve, N: Count> MovingSides<'a, C, N> {
    fn new(curve: C, parent: &'a [N], left: &'a mut [N]) -> Self {
        let (n_left, n) = (total(left), total(parent));
        let is_updated = n.float() < UPDATED_BELOW;
        let (sum_left, sum_right) = (0.0, 0.0);
        let n_right = n - n_left;
        let mut sides =
            MovingSides { curve, parent, left, n_left, n_right, sum_left, sum_right, is_updated };
        sides.sum_up();
        sides
    }

    fn sum_up(&mut self) {
        let sides = self.left.iter().zip(self.parent);
        self.sum_left = self.curve.sum(self.left.iter().copied());
        self.sum_right = self.curve.sum(sides.map(|(&l, &p)| p - l));
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
