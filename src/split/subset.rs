//! The rule `x in {…}` on a nominal feature.
//!
//! For two classes the levels are ordered by the second class's share, for numbers by their
//! mean. Without leaf limits the best subset is then an upper part of that order (Fisher 1958;
//! Breiman et al. 1984, sections 4.2 and 8.8), so the scan of an ordered feature is exact. For
//! more classes all subsets are tried up to [`SUBSET_EXHAUSTIVE_LEVELS`] levels. Past that the
//! two parts of a heuristic order ([`Rating::level_order`]) and the best one-vs-rest rule stand
//! in, and the candidate is marked approximate.

use std::cell::LazyCell;

use smallvec::smallvec;

use super::binary_splits::better;
use super::nominal::best_level;
use super::{BinarySplits, Candidate, CodeTest, ordered};
use crate::spec::SUBSET_EXHAUSTIVE_LEVELS;
use crate::stat::{Rating, StatVec, add, subtract};

/// The best `x in {…}`, or `x is missing`.
pub(super) fn best<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    let n_levels = splits.buckets.len();
    if n_levels < 2 {
        return splits.is_missing();
    }
    let order = || splits.rating.level_order(&splits.buckets.stats);
    let best = if splits.rating.orders_exactly() {
        upper_part(splits, &order())
    } else if n_levels <= SUBSET_EXHAUSTIVE_LEVELS {
        exhaustive(splits)
    } else {
        let best = better(either_part(splits, &order()), best_level(splits));
        best.map(|c| Candidate { approximate: true, ..c })
    };
    better(best, splits.is_missing())
}

/// The best upper part of an order of levels; of equal gains the lower set.
fn upper_part<R: Rating>(splits: &BinarySplits<R>, order: &[usize]) -> Option<Candidate> {
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
    // Of two upper parts the later one lacks some levels of the earlier one and has all others.
    // It is the lower set if it ends before the first level it lacks, else the higher one. This
    // compares them without sorting: with many levels there are many ties.
    let ends_before = |later: usize, earlier: usize| {
        permuted.codes[earlier + 1..=later].iter().all(|&code| code > highest_from[later + 1])
    };
    let found = ordered::best_boundary(&splits, |new, old| match new > old {
        true => ends_before(new, old),
        false => !ends_before(old, new),
    })?;
    let mut is_right = vec![false; order.len()];
    order[found.at + 1..].iter().for_each(|&bucket| is_right[bucket] = true);
    let codes_where = |right: bool| {
        let codes = buckets.codes.iter().zip(&is_right);
        codes.filter(|&(_, &is_right)| is_right == right).map(|(&code, _)| code).collect()
    };
    let test = CodeTest::In { right: codes_where(true), left: codes_where(false) };
    Some(found.candidate(&splits, test))
}

/// The best cut of an order of levels into two parts. The part without the lowest level is named.
fn either_part<R: Rating>(splits: &BinarySplits<R>, order: &[usize]) -> Option<Candidate> {
    let permuted = splits.buckets.permuted(order);
    let lowest = order.iter().position(|&bucket| bucket == 0)?;
    let named = |at: usize| {
        let part = if lowest <= at { &permuted.codes[at + 1..] } else { &permuted.codes[..=at] };
        let mut codes = part.to_vec();
        codes.sort_unstable();
        codes
    };
    let found =
        ordered::best_boundary(&splits.reordered(&permuted), |new, old| named(new) < named(old))?;
    let right_codes = named(found.at);
    let is_right = |code: &u32| right_codes.binary_search(code).is_ok();
    let named_buckets =
        permuted.codes.iter().zip(&permuted.rows).filter(|(code, _)| is_right(code));
    let right_rows = named_buckets.map(|(_, &rows)| rows).sum();
    let mut right: StatVec<R::Num> = smallvec![R::Num::default(); permuted.width];
    permuted.iter().take(found.at + 1).for_each(|stat| add(&mut right, stat));
    if lowest <= found.at {
        let mut rest = splits.known.clone();
        subtract(&mut rest, &right);
        right = rest;
    }
    let left = splits.buckets.codes.iter().copied().filter(|code| !is_right(code)).collect();
    let test = CodeTest::In { left, right: right_codes };
    // The scan's sides may have changed places: try both again, missing right first.
    splits
        .missing_sides()
        .iter()
        .filter(|&&side| splits.allows(right_rows, splits.rating.units(&right), side))
        .map(|&side| splits.candidate(&right, side, test.clone()))
        .fold(None, |best, candidate| better(best, Some(candidate)))
}

/// Every two-way grouping of a few levels. The half without the lowest level goes right.
fn exhaustive<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    let buckets = splits.buckets;
    let k = buckets.width;
    // Bit i of a mask is level i + 1; level 0 is never in the right half.
    let n_masks = 1usize << (buckets.len() - 1);
    let mut stats = vec![R::Num::default(); k];
    let mut rows = vec![0u32];
    for mask in 1..n_masks {
        let (rest, level) = (mask & (mask - 1), mask.trailing_zeros() as usize + 1);
        stats.extend_from_within(rest * k..(rest + 1) * k);
        add(&mut stats[mask * k..], buckets.stat(level));
        rows.push(rows[rest] + buckets.rows[level]);
    }

    // As in the ordered scan: proxies first, then the pure score for those near the best.
    let right = |mask: usize| &stats[mask * k..(mask + 1) * k];
    let mut proxies = Vec::new();
    for (mask, &rows) in rows.iter().enumerate().skip(1) {
        for &side in splits.missing_sides() {
            if splits.allows(rows, splits.rating.units(right(mask)), side) {
                proxies.push((mask, side, splits.proxy(right(mask), side)));
            }
        }
    }
    let best = proxies.iter().map(|&(_, _, p)| p).fold(splits.floor_proxy(), f64::max);
    let floor = splits.rating.proxy_floor(best, &splits.parent);
    let right_codes = |mask: usize| -> Vec<u32> {
        (1..buckets.len()).filter(|l| mask >> (l - 1) & 1 == 1).map(|l| buckets.codes[l]).collect()
    };
    let mut contenders: Vec<_> = proxies
        .into_iter()
        .filter(|&(_, _, proxy)| proxy >= floor)
        .map(|(mask, side, _)| (right_codes(mask), mask, side))
        .collect();
    // Ties go to the lower level set, then missing to the right. The sort is stable, and sides
    // were pushed in that order.
    contenders.sort_by(|a, b| a.0.cmp(&b.0));
    contenders.into_iter().fold(None, |best, (codes, mask, side)| {
        let left = buckets.codes.iter().filter(|c| !codes.contains(c)).copied().collect();
        let test = CodeTest::In { right: codes, left };
        better(best, Some(splits.candidate(right(mask), side, test)))
    })
}
