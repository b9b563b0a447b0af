//! Cuts of an ordered feature: one prefix scan over its buckets looks at every boundary.
//!
//! The scan moves bucket after bucket from the right side to the left. It computes a proxy at each
//! boundary and rates the boundaries within rounding of the best by the pure score.

use super::binary_splits::{MissingSide, better};
use super::{BinarySplits, Candidate, CodeCut, CodeTest};
use crate::stat::{Rating, StatVec, add, difference, subtract};

/// The best cut, or `x is missing`.
pub(crate) fn best<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    better(best_cut(splits), splits.is_missing())
}

/// The best cut: highest gain, then lowest cut, then missing to the right.
pub(crate) fn best_cut<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    let found = best_boundary(splits, |_, _| false)?;
    let codes = &splits.buckets.codes;
    let test = CodeTest::AtLeast(CodeCut::between(codes[found.at], codes[found.at + 1]));
    Some(found.candidate(splits, test))
}

/// A boundary after bucket `at`, and the side of missing values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    pub(super) at: usize,
    gain: f64,
    pub(super) side: MissingSide,
}

impl Boundary {
    pub(super) fn candidate<R: Rating>(
        &self,
        splits: &BinarySplits<R>,
        test: CodeTest,
    ) -> Candidate {
        let mut right = StatVec::from_slice(&splits.known);
        splits.buckets.iter().take(self.at + 1).for_each(|stat| subtract(&mut right, stat));
        splits.with_gain(self.gain, &right, self.side, test)
    }
}

/// The boundary of highest gain between two neighbouring buckets. `prefer(new, old)` settles
/// ties of gains between two boundaries; else the lower one stays.
pub(super) fn best_boundary<R: Rating>(
    splits: &BinarySplits<R>,
    prefer: impl Fn(usize, usize) -> bool,
) -> Option<Boundary> {
    let mut best: Option<Boundary> = None;
    for &side in splits.missing_sides() {
        scan(splits, side, |at, gain| {
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

/// Boundaries whose proxies are computed before any is rated. Without chunks, every step of a
/// rising curve would be rated.
const CHUNK: usize = 64;

/// Calls `contender(boundary, gain)` for every boundary that can be the best one.
fn scan<R: Rating>(
    splits: &BinarySplits<R>,
    side: MissingSide,
    mut contender: impl FnMut(usize, f64),
) {
    let BinarySplits { rating, buckets, parent, .. } = splits;
    let k = buckets.width;
    let boundaries = allowed(splits, side);
    let mut left = splits.left_of_all(side);
    buckets.iter().take(boundaries.start).for_each(|stat| add(&mut left, stat));
    let mut best = splits.floor_proxy();
    let mut proxies = [0.0; CHUNK];
    let mut start = boundaries.start;
    while start < boundaries.end {
        let end = (start + CHUNK).min(boundaries.end);
        let stats = &buckets.stats[start * k..end * k];
        let mut at_start = StatVec::from_slice(&left);
        let proxies = &mut proxies[..end - start];
        rating.proxies(stats, parent, &mut left, proxies);
        best = proxies.iter().fold(best, |max, &p| if p > max { p } else { max });
        let floor = splits.contender_floor(best);
        if proxies.iter().any(|&p| p >= floor) {
            for (i, bucket) in stats.chunks_exact(k).enumerate() {
                add(&mut at_start, bucket);
                if proxies[i] >= floor {
                    let right = difference(parent, &at_start);
                    contender(start + i, splits.gain(&[&at_start, &right]));
                }
            }
        }
        start = end;
    }
}

/// The boundaries at which both branches are large enough: one range, as rows only move from
/// right to left.
fn allowed<R: Rating>(splits: &BinarySplits<R>, side: MissingSide) -> std::ops::Range<usize> {
    let buckets = splits.buckets;
    let last = buckets.len().saturating_sub(1);
    if !splits.policy.limits.bind() {
        return 0..last;
    }
    let (mut rows, mut units) = (buckets.known_rows(), splits.rating.units(&splits.known));
    let mut allowed = (0..last).filter(|&at| {
        rows -= buckets.rows[at];
        units -= splits.rating.units(buckets.stat(at));
        splits.allows(rows, units, side)
    });
    match allowed.next() {
        None => 0..0,
        Some(first) => first..allowed.last().unwrap_or(first) + 1,
    }
}
