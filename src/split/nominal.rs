//! Rules on the levels of a nominal feature.

use std::cell::LazyCell;

use smallvec::smallvec;

use crate::spec::{Missing, SUBSET_EXHAUSTIVE_LEVELS};
use crate::split::binary_splits::MissingSide;
use crate::split::{BinarySplits, Candidate, CodeTest, add, better, ordered, subtract};
use crate::stat::{Stat, StatVec};

/// A branch per level (ID3, C4.5). `Learn` gives missing a branch of its own.
pub(crate) fn multiway<S: Stat>(two_way: &BinarySplits<S>) -> Option<Candidate> {
    let BinarySplits { search, stat, buckets, .. } = two_way;
    let own_branch = search.missing == Missing::Learn && buckets.missing_rows > 0;
    let mut branches: Vec<&[S::Num]> = buckets.iter().collect();
    let mut rows = buckets.rows.clone();
    let mut units: Vec<S::Num> = branches.iter().map(|b| stat.units(b)).collect();
    if own_branch {
        branches.push(&buckets.missing);
        rows.push(buckets.missing_rows);
        units.push(stat.units(&buckets.missing));
    }
    if branches.len() < 2 {
        return None;
    }
    let mut missing_to = own_branch.then_some(buckets.len() as u32);
    if !own_branch && !two_way.in_fractions() && buckets.missing_rows > 0 {
        // The heaviest level, the earlier one of equals.
        let heaviest = (0..units.len()).rev().max_by_key(|&b| units[b])?;
        missing_to = Some(heaviest as u32);
        rows[heaviest] += buckets.missing_rows;
        units[heaviest] += stat.units(&buckets.missing);
    }
    let large =
        rows.iter().zip(&units).filter(|&(&rows, &units)| search.limits.allow(*stat, rows, units));
    if large.count() < 2 {
        return None;
    }
    Some(Candidate {
        gain: two_way.share * stat.gain(&two_way.parent, &branches),
        split_info: two_way.split_info(&branches),
        test: CodeTest::Each(buckets.codes.clone()),
        missing_to,
        approximate: false,
    })
}

/// The best `x == level`: highest gain, then lowest level, then missing to the right.
pub(crate) fn one_vs_rest<S: Stat>(two_way: &BinarySplits<S>) -> Option<Candidate> {
    better(best_level(two_way), two_way.is_missing())
}

/// The same without `x is missing`.
pub(crate) fn best_level<S: Stat>(two_way: &BinarySplits<S>) -> Option<Candidate> {
    let buckets = two_way.buckets;
    if buckets.len() < 2 {
        return None;
    }
    let sides = two_way.missing_sides();
    let splits = || {
        let levels = buckets.iter().enumerate();
        levels.flat_map(|(level, right)| sides.iter().map(move |&side| (level, right, side)))
    };
    // As in the ordered scan: proxies first, then the pure score for those near the best. A
    // ranking of a million texts, no two alike, rated them for a third of its time.
    let proxy = |(level, right, side): (usize, &[S::Num], MissingSide)| match two_way.allows(
        buckets.rows[level],
        two_way.stat.units(right),
        side,
    ) {
        true => two_way.proxy(right, side),
        false => f64::NEG_INFINITY,
    };
    let proxies: Vec<f64> = splits().map(proxy).collect();
    let best = proxies.iter().copied().fold(two_way.bar(), f64::max);
    let floor = two_way.stat.proxy_floor(best, &two_way.parent);
    let contenders = splits().zip(&proxies).filter(|&(_, &proxy)| proxy >= floor);
    contenders.fold(None, |best, ((level, right, side), _)| {
        let test = CodeTest::Equals(buckets.codes[level]);
        better(best, Some(two_way.candidate(right, side, test)))
    })
}

/// The best `x in {…}`.
///
/// For two classes the levels are put in order of the last class's share, for numbers in order
/// of their mean: the best subset is then the upper part of that order (Fisher 1958; Breiman et
/// al. 1984, sections 4.2 and 8.8), so a scan as of an ordered feature is exact. For more
/// classes all subsets are tried up to [`SUBSET_EXHAUSTIVE_LEVELS`] levels. Past that the two
/// parts of a heuristic order ([`Stat::level_order`]) and the best one-vs-rest rule stand
/// in, marked approximate.
pub(crate) fn subset<S: Stat>(two_way: &BinarySplits<S>) -> Option<Candidate> {
    let n_levels = two_way.buckets.len();
    if n_levels < 2 {
        return two_way.is_missing();
    }
    let order = || two_way.stat.level_order(two_way.buckets);
    let best = if two_way.stat.orders_exactly() {
        upper_part(two_way, &order())
    } else if n_levels <= SUBSET_EXHAUSTIVE_LEVELS {
        exhaustive(two_way)
    } else {
        let best = better(either_part(two_way, &order()), best_level(two_way));
        best.map(|c| Candidate { approximate: true, ..c })
    };
    better(best, two_way.is_missing())
}

/// The best upper part of an order of levels; of equal gains the lower set.
fn upper_part<S: Stat>(two_way: &BinarySplits<S>, order: &[usize]) -> Option<Candidate> {
    let buckets = two_way.buckets;
    let permuted = buckets.permuted(order);
    let two_way = two_way.of_same_rows(&permuted);
    // Few searches see a tie.
    let highest_from = LazyCell::new(|| {
        let mut highest_from = permuted.codes.clone();
        for at in (1..highest_from.len()).rev() {
            highest_from[at - 1] = highest_from[at - 1].max(highest_from[at]);
        }
        highest_from
    });
    // Of two upper parts the later one lacks some levels, and has all others. So it is the lower
    // set if it ends before the first of these, and else the higher one. With many levels there
    // are many ties: to put the sets themselves in order took minutes.
    let ends_before = |later: usize, earlier: usize| {
        permuted.codes[earlier + 1..=later].iter().all(|&code| code > highest_from[later + 1])
    };
    let found = ordered::best_boundary(&two_way, |new, old| match new > old {
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
    Some(found.candidate(&two_way, test))
}

/// The best cut of an order of levels into two parts, of which the one without the lowest level
/// is named.
fn either_part<S: Stat>(two_way: &BinarySplits<S>, order: &[usize]) -> Option<Candidate> {
    let permuted = two_way.buckets.permuted(order);
    let scanned = two_way.of_same_rows(&permuted);
    let lowest = order.iter().position(|&bucket| bucket == 0)?;
    let named = |at: usize| {
        let part = if lowest <= at { &permuted.codes[at + 1..] } else { &permuted.codes[..=at] };
        sorted(part)
    };
    let found = ordered::best_boundary(&scanned, |new, old| named(new) < named(old))?;
    let right_codes = named(found.at);
    let right_rows = (0..permuted.len())
        .filter(|&b| right_codes.binary_search(&permuted.codes[b]).is_ok())
        .map(|b| permuted.rows[b])
        .sum();
    let mut right: StatVec<S::Num> = smallvec![S::Num::default(); permuted.width];
    permuted.iter().take(found.at + 1).for_each(|stat| add(&mut right, stat));
    if lowest <= found.at {
        let mut rest = two_way.known.clone();
        subtract(&mut rest, &right);
        right = rest;
    }
    let left = two_way.buckets.codes.iter().filter(|c| right_codes.binary_search(c).is_err());
    let test = CodeTest::In { left: left.copied().collect(), right: right_codes };
    // The scan's sides may have changed places: try both again, missing right first.
    two_way
        .missing_sides()
        .iter()
        .filter(|&&side| two_way.allows(right_rows, two_way.stat.units(&right), side))
        .map(|&side| two_way.candidate(&right, side, test.clone()))
        .fold(None, |best, candidate| better(best, Some(candidate)))
}

fn sorted(codes: &[u32]) -> Vec<u32> {
    let mut codes = codes.to_vec();
    codes.sort_unstable();
    codes
}

/// Every two-way grouping of a few levels. The half without the lowest level is the right one.
fn exhaustive<S: Stat>(two_way: &BinarySplits<S>) -> Option<Candidate> {
    let buckets = two_way.buckets;
    let k = buckets.width;
    // Bit i of a mask is level i + 1; level 0 is never in the right half.
    let n_masks = 1usize << (buckets.len() - 1);
    let mut stats = vec![S::Num::default(); k];
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
        for &side in two_way.missing_sides() {
            if two_way.allows(rows, two_way.stat.units(right(mask)), side) {
                proxies.push((mask, side, two_way.proxy(right(mask), side)));
            }
        }
    }
    let best = proxies.iter().map(|&(_, _, p)| p).fold(two_way.bar(), f64::max);
    let floor = two_way.stat.proxy_floor(best, &two_way.parent);
    let right_codes = |mask: usize| -> Vec<u32> {
        (1..buckets.len()).filter(|l| mask >> (l - 1) & 1 == 1).map(|l| buckets.codes[l]).collect()
    };
    let mut contenders: Vec<_> = proxies
        .into_iter()
        .filter(|&(_, _, proxy)| proxy >= floor)
        .map(|(mask, side, _)| (right_codes(mask), mask, side))
        .collect();
    // The lower level set first, missing to the right before the left: the order of ties. The
    // sort is stable, and sides were pushed in that order.
    contenders.sort_by(|a, b| a.0.cmp(&b.0));
    contenders.into_iter().fold(None, |best, (codes, mask, side)| {
        let left = buckets.codes.iter().filter(|c| !codes.contains(c)).copied().collect();
        let test = CodeTest::In { right: codes, left };
        better(best, Some(two_way.candidate(right(mask), side, test)))
    })
}
