//! Cuts of an ordered feature: one prefix scan over its buckets looks at every boundary.
//!
//! The scan moves bucket after bucket from the right side to the left. A cheap proxy of the
//! gain is computed at each boundary; those within rounding of the best are then rated by the
//! pure score, so what wins never depends on the proxy.

use smallvec::smallvec;

use crate::split::{
    BinarySplits, Candidate, CodeTest, MissingSide, add, better, difference, subtract,
};
use crate::stat::{Stat, StatVec};

/// The best cut, or `x is missing`.
pub(crate) fn best<S: Stat>(two_way: &BinarySplits<S>) -> Option<Candidate> {
    better(best_cut(two_way), two_way.is_missing())
}

/// The best cut: highest gain, then lowest cut, then missing to the right.
pub(crate) fn best_cut<S: Stat>(two_way: &BinarySplits<S>) -> Option<Candidate> {
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
    pub(super) fn candidate<S: Stat>(
        &self,
        two_way: &BinarySplits<S>,
        test: CodeTest,
    ) -> Candidate {
        let mut right = StatVec::from_slice(&two_way.known);
        two_way.buckets.iter().take(self.at + 1).for_each(|stat| subtract(&mut right, stat));
        two_way.with_gain(self.gain, &right, self.side, test)
    }
}

/// The boundary of highest gain between any two neighbouring buckets. `prefer(new, old)`
/// settles a tie of gains between two boundaries; else the lower one stays.
pub(super) fn best_boundary<S: Stat>(
    two_way: &BinarySplits<S>,
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

/// One prefix scan: where it starts, and between which boundaries it may stop.
struct Scan<'a, S: Stat> {
    two_way: &'a BinarySplits<'a, S>,
    start: StatVec<S::Num>,
    boundaries: std::ops::Range<usize>,
}

/// Boundaries whose proxies are computed before any is rated. Rating at once would rate every
/// step of a rising curve; this rates about one in so many.
const CHUNK: usize = 64;

impl<'a, S: Stat> Scan<'a, S> {
    fn new(two_way: &'a BinarySplits<'a, S>, side: MissingSide) -> Self {
        let buckets = two_way.buckets;
        let start = match side {
            MissingSide::Left => StatVec::from_slice(&buckets.missing),
            _ => smallvec![S::Num::default(); buckets.width],
        };
        Scan { two_way, start, boundaries: allowed(two_way, side) }
    }

    /// Calls `contender(boundary, gain)` for every boundary that can be the best one.
    fn run(&self, mut contender: impl FnMut(usize, f64)) {
        let BinarySplits { stat, buckets, parent, share, .. } = self.two_way;
        let k = buckets.width;
        let mut left = StatVec::from_slice(&self.start);
        buckets.iter().take(self.boundaries.start).for_each(|stat| add(&mut left, stat));
        let mut best = self.two_way.bar();
        let mut proxies = [0.0; CHUNK];
        let mut start = self.boundaries.start;
        while start < self.boundaries.end {
            let end = (start + CHUNK).min(self.boundaries.end);
            let stats = &buckets.stats[start * k..end * k];
            let mut at_start = StatVec::from_slice(&left);
            let proxies = &mut proxies[..end - start];
            stat.proxies(stats, parent, &mut left, proxies);
            best = proxies.iter().fold(best, |max, &p| if p > max { p } else { max });
            let floor = stat.proxy_floor(best, parent);
            if proxies.iter().any(|&p| p >= floor) {
                for (i, bucket) in stats.chunks_exact(k).enumerate() {
                    add(&mut at_start, bucket);
                    if proxies[i] >= floor {
                        let right = difference(parent, &at_start);
                        contender(start + i, share * stat.gain(parent, &[&at_start, &right]));
                    }
                }
            }
            start = end;
        }
    }
}

/// The boundaries at which both branches are large enough: one range, as rows only ever move
/// from right to left.
fn allowed<S: Stat>(two_way: &BinarySplits<S>, side: MissingSide) -> std::ops::Range<usize> {
    let buckets = two_way.buckets;
    let last = buckets.len().saturating_sub(1);
    if !two_way.search.limits.bind() {
        return 0..last;
    }
    let (mut rows, mut units) = (buckets.known_rows(), two_way.stat.units(&two_way.known));
    let mut allowed = (0..last).filter(|&at| {
        rows -= buckets.rows[at];
        units -= two_way.stat.units(buckets.stat(at));
        two_way.allows(rows, units, side)
    });
    match allowed.next() {
        None => 0..0,
        Some(first) => first..allowed.last().unwrap_or(first) + 1,
    }
}
