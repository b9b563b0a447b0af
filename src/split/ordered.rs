//! Cuts of an ordered feature: one prefix scan over its buckets looks at every boundary.
//!
//! The scan moves bucket after bucket from the right side to the left. A cheap proxy of the
//! gain is computed at each boundary; those within rounding of the best are then rated by the
//! pure score, so what wins never depends on the proxy.

use super::{
    Buckets, Candidate, CodeTest, MissingSide, Search, TwoWay, add, better, difference, subtract,
};
use crate::spec::Criterion;
use crate::stat::{Count, LogTable, Rating, total};

/// The best cut, or `x is missing`.
pub(crate) fn best<N: Count>(search: &Search, buckets: &Buckets<N>) -> Option<Candidate> {
    let two_way = TwoWay::new(search, buckets);
    better(best_cut(&two_way), two_way.is_missing())
}

/// The best cut: highest gain, then lowest cut, then missing to the right.
pub(crate) fn best_cut<N: Count>(two_way: &TwoWay<N>) -> Option<Candidate> {
    let found = best_boundary(two_way, |_, _| false)?;
    let codes = &two_way.buckets.codes;
    let test = CodeTest::AtLeast { lo: codes[found.at], hi: codes[found.at + 1] };
    Some(found.candidate(two_way, test))
}

/// A boundary after bucket `at`, and the side missing values take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    pub(super) at: usize,
    gain: f64,
    side: MissingSide,
}

impl Boundary {
    pub(super) fn candidate<N: Count>(&self, two_way: &TwoWay<N>, test: CodeTest) -> Candidate {
        let mut right = two_way.known.clone();
        two_way.buckets.iter().take(self.at + 1).for_each(|stat| subtract(&mut right, stat));
        two_way.candidate(&right, self.side, test)
    }
}

/// The boundary of highest gain between any two neighbouring buckets. `prefer(new, old)`
/// settles a tie of gains between two boundaries; else the lower one stays.
pub(super) fn best_boundary<N: Count>(
    two_way: &TwoWay<N>,
    prefer: impl Fn(usize, usize) -> bool,
) -> Option<Boundary> {
    let mut best: Option<Boundary> = None;
    for &side in two_way.missing_sides() {
        Scan::new(two_way, side).run(|at, gain| {
            let wins = match best {
                None => true,
                Some(b) if gain != b.gain => gain > b.gain,
                // Missing right was scanned first: on the same boundary it stays.
                Some(b) => at != b.at && (prefer(at, b.at) || (at < b.at && !prefer(b.at, at))),
            };
            if wins {
                best = Some(Boundary { at, gain, side });
            }
        });
    }
    best
}

/// One prefix scan: the parent, where it starts, and between which boundaries it may stop.
struct Scan<'a, N> {
    rating: Rating<'a>,
    buckets: &'a Buckets<N>,
    parent: &'a [N],
    start: Vec<N>,
    boundaries: std::ops::Range<usize>,
}

/// Boundaries whose proxies are computed before any is rated. Rating at once would rate every
/// step of a rising curve; this rates about one in so many.
const CHUNK: usize = 512;

impl<'a, N: Count> Scan<'a, N> {
    fn new(two_way: &'a TwoWay<'a, N>, side: MissingSide) -> Self {
        let buckets = two_way.buckets;
        let start = match side {
            MissingSide::Left => buckets.missing.clone(),
            _ => vec![N::default(); buckets.n_classes],
        };
        Scan {
            rating: two_way.search.rating,
            buckets,
            parent: &two_way.parent,
            start,
            boundaries: allowed(two_way, side),
        }
    }

    /// Calls `contender(boundary, gain)` for every boundary that can be the best one.
    fn run(&self, contender: impl FnMut(usize, f64)) {
        match (self.rating.criterion, self.parent.len()) {
            (Criterion::Entropy, 2) => self.chunks(TwoClasses(XLogX(self.rating.logs)), contender),
            (Criterion::Gini, 2) => self.chunks(TwoClasses(Square), contender),
            (Criterion::Entropy, _) => {
                self.chunks(ManyClasses(XLogX(self.rating.logs)), contender);
            }
            (Criterion::Gini, _) => self.chunks(ManyClasses(Square), contender),
        }
    }

    fn chunks(&self, kernel: impl Kernel, mut contender: impl FnMut(usize, f64)) {
        let k = self.parent.len();
        let slack = self.rating.proxy_slack(self.parent);
        let mut left = self.start.clone();
        self.buckets.iter().take(self.boundaries.start).for_each(|stat| add(&mut left, stat));
        let mut best = f64::NEG_INFINITY;
        let mut proxies = [0.0; CHUNK];
        let mut start = self.boundaries.start;
        while start < self.boundaries.end {
            let end = (start + CHUNK).min(self.boundaries.end);
            let stats = &self.buckets.stats[start * k..end * k];
            let mut at_start = left.clone();
            let proxies = &mut proxies[..end - start];
            kernel.proxies(stats, self.parent, &mut left, proxies);
            best = proxies.iter().fold(best, |max, &p| if p > max { p } else { max });
            if proxies.iter().any(|&p| p >= best - slack) {
                for (i, stat) in stats.chunks_exact(k).enumerate() {
                    add(&mut at_start, stat);
                    if proxies[i] >= best - slack {
                        let right = difference(self.parent, &at_start);
                        contender(start + i, self.rating.gain(self.parent, &[&at_start, &right]));
                    }
                }
            }
            start = end;
        }
    }
}

/// The boundaries at which both branches are large enough: one range, as rows only ever move
/// from right to left.
fn allowed<N: Count>(two_way: &TwoWay<N>, side: MissingSide) -> std::ops::Range<usize> {
    let buckets = two_way.buckets;
    let last = buckets.len().saturating_sub(1);
    if !two_way.search.limits.bind() {
        return 0..last;
    }
    let (mut rows, mut weight) = (buckets.known_rows(), total(&two_way.known));
    let mut allowed = (0..last).filter(|&at| {
        rows -= buckets.rows[at];
        weight -= total(buckets.stat(at));
        two_way.allows(rows, weight, side)
    });
    match allowed.next() {
        None => 0..0,
        Some(first) => first..allowed.last().unwrap_or(first) + 1,
    }
}

/// The function whose class sums make the proxy: `x log x` for entropy, `x²` for Gini.
trait Curve: Copy {
    fn at<N: Count>(self, x: N) -> f64;
    /// A side's proxy from the sum over its classes and its total.
    fn side<N: Count>(self, sum: f64, total: N) -> f64;
}

#[derive(Clone, Copy)]
struct XLogX<'a>(&'a LogTable);

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
struct Square;

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

/// Proxies of the boundaries after each of some buckets; `left` moves on past them.
trait Kernel {
    fn proxies<N: Count>(&self, stats: &[N], parent: &[N], left: &mut [N], out: &mut [f64]);
}

/// Two classes: both sides from scratch at each boundary, all in registers.
struct TwoClasses<C>(C);

impl<C: Curve> Kernel for TwoClasses<C> {
    fn proxies<N: Count>(&self, stats: &[N], parent: &[N], left: &mut [N], out: &mut [f64]) {
        let (&[p0, p1], [a, b]) = (parent, left) else { return };
        let (mut l0, mut l1) = (*a, *b);
        let side = |x: N, y: N| self.0.side(self.0.at(x) + self.0.at(y), x + y);
        for (stat, out) in stats.chunks_exact(2).zip(out) {
            l0 += stat[0];
            l1 += stat[1];
            *out = side(l0, l1) + side(p0 - l0, p1 - l1);
        }
        (*a, *b) = (l0, l1);
    }
}

/// Any number of classes: the class sums are updated by the classes that moved. They start
/// afresh with each chunk, so rounding does not build up.
struct ManyClasses<C>(C);

impl<C: Curve> Kernel for ManyClasses<C> {
    fn proxies<N: Count>(&self, stats: &[N], parent: &[N], left: &mut [N], out: &mut [f64]) {
        let curve = self.0;
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
}
