//! Sets that are upper parts of an order of levels: by the share of the second of two classes, or
//! by the mean of numbers.
//!
//! Without limits on leaves the best set is such a part, so the scan of an ordered feature finds
//! it (Fisher 1958; Breiman et al. 1984, sections 4.2 and 8.8). With limits it need not be: the
//! best allowed set may leave levels out that are needed elsewhere to fill a branch.

use std::cell::LazyCell;

use super::super::binary_splits::MissingSide;
use super::super::{BinarySplits, Candidate, CodeTest, ordered};
use crate::stat::{Rating, subtract};

/// The best upper part of an order of levels; among equal gains the lower set.
pub(super) fn best<R: Rating>(splits: &BinarySplits<R>, order: &[usize]) -> Option<Candidate> {
    let buckets = splits.buckets;
    let permuted = buckets.permuted(order);
    let splits = splits.reordered(&permuted);
    // Lazy, as ties are rare.
    let highest_from = LazyCell::new(|| {
        let mut highest_from = permuted.codes.clone();
        for at in (1..highest_from.len()).rev() {
            highest_from[at - 1] = highest_from[at - 1].max(highest_from[at]);
        }
        highest_from
    });
    // The later one of two upper parts lacks some levels of the earlier one and has all others. It
    // is the lower set if it ends before the first level it lacks, else the higher one. This
    // compares them without sorting: with many levels there are many ties.
    let ends_before = |later: usize, earlier: usize| {
        permuted.codes[earlier + 1..=later].iter().all(|&code| code > highest_from[later + 1])
    };
    let found = ordered::best_boundary(&splits, |new, old| match new > old {
        true => ends_before(new, old),
        false => !ends_before(old, new),
    })?;
    let mut codes: Vec<(u32, bool)> = buckets.codes.iter().map(|&code| (code, false)).collect();
    order[found.at + 1..].iter().for_each(|&bucket| codes[bucket].1 = true);
    Some(found.candidate(&splits, CodeTest::of_set(&codes, false)))
}

/// An upper bound of the gain of all allowed sets that are no upper parts of the order; `None`
/// where the limits forbid no set.
///
/// A set is a point: the weight of its levels, and their weight of the second class or their sum.
/// Gains are convex in it, and all points lie between two chains of line segments, through the
/// points of the upper parts and of the lower parts. Limits of weight cut off the ends of both. So
/// no gain is above the gains of the parts left and of the places where the chains are cut, and on
/// a segment it is below the chord. (A lower part with missing right is an upper part with missing
/// left, and the same without missing.)
pub(super) fn limited_sets_bound<R: Rating>(
    splits: &BinarySplits<R>,
    order: &[usize],
) -> Option<f64> {
    let BinarySplits { rating, buckets, policy, .. } = splits;
    if !policy.limits.bind() {
        return None;
    }
    let weight = |stat: &[R::Num]| rating.weight(rating.units(stat));
    let is_row_count = |(stat, &rows): (&[R::Num], &u32)| weight(stat) == f64::from(rows);
    let counts_rows = rating.counts_rows()
        || (buckets.iter().zip(&buckets.rows).all(is_row_count)
            && is_row_count((&buckets.missing, &buckets.missing_rows)));
    let least = policy.limits.least_weight(counts_rows);
    let (known, missing) = (weight(&splits.known), weight(&buckets.missing));

    let mut bound = f64::NEG_INFINITY;
    for &side in splits.missing_sides() {
        let (most, least) = match side {
            MissingSide::Right => (known - least, least - missing),
            MissingSide::Left => (known - (least - missing), least),
            MissingSide::Heavier => (known - least, least),
        };
        let (mut right, mut right_rows) = (splits.known.clone(), splits.known_rows);
        let mut right_is_allowed = false;
        for (at, &bucket) in order.iter().enumerate() {
            let (from, from_is_allowed) = (right.clone(), right_is_allowed);
            subtract(&mut right, buckets.stat(bucket));
            right_rows -= buckets.rows[bucket];
            right_is_allowed =
                at + 1 < order.len() && splits.allows(right_rows, rating.units(&right), side);
            if from_is_allowed && right_is_allowed {
                continue;
            }
            let (highest, lowest) = (weight(&from), weight(&right));
            let (start, end) = (highest.min(most), lowest.max(least));
            if start < end {
                continue;
            }
            let gains = [&right, &from].map(|right| splits.gain_of(right, side));
            let chord =
                |at: f64| gains[0] + (gains[1] - gains[0]) * ((at - lowest) / (highest - lowest));
            bound = bound.max(chord(start)).max(chord(end));
        }
    }
    Some(bound)
}
