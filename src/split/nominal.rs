//! Rules on the levels of a nominal feature: a branch per level, or one level against the rest.

use super::binary_splits::{MissingSide, better};
use super::{BinarySplits, Candidate, CodeTest};
use crate::stat::Rating;
use crate::tree::missing::heaviest_level;

/// A branch per level (ID3, C4.5). `Learn` gives missing a branch of its own.
pub(crate) fn multiway<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    let BinarySplits { policy, rating, buckets, .. } = splits;
    let own_branch = policy.missing.rates_all_rows() && buckets.missing_rows > 0;
    let mut branches: Vec<&[R::Num]> = buckets.iter().collect();
    let mut rows = buckets.rows.clone();
    let mut units: Vec<R::Num> = branches.iter().map(|b| rating.units(b)).collect();
    if own_branch {
        branches.push(&buckets.missing);
        rows.push(buckets.missing_rows);
        units.push(rating.units(&buckets.missing));
    }
    if branches.len() < 2 {
        return None;
    }
    let mut missing_to = own_branch.then_some(buckets.len() as u32);
    if !own_branch && buckets.missing_rows > 0 {
        missing_to = policy.missing.joins(heaviest_level(&units)?);
        if let Some(heaviest) = missing_to {
            rows[heaviest as usize] += buckets.missing_rows;
            units[heaviest as usize] += rating.units(&buckets.missing);
        }
    }
    let is_large = |&(&rows, &units): &(&u32, &R::Num)| policy.limits.allow(*rating, rows, units);
    if rows.iter().zip(&units).filter(is_large).count() < 2 {
        return None;
    }
    Some(Candidate {
        gain: splits.gain(&branches),
        split_info: splits.split_info(&branches),
        test: CodeTest::Each(buckets.codes.clone()),
        missing_to,
        approximate: false,
    })
}

/// The best `x == level`, or `x is missing`: highest gain, then lowest level, then missing to the
/// right.
pub(super) fn one_vs_rest<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    better(best_level(splits), splits.is_missing())
}

/// `x == level` of one level.
pub(super) fn of_level<R: Rating>(splits: &BinarySplits<R>, level: usize) -> Option<Candidate> {
    let buckets = splits.buckets;
    let test = CodeTest::Equals(buckets.codes[level]);
    splits.on_better_side(buckets.stat(level), buckets.rows[level], &test)
}

/// The best `x == level`.
pub(crate) fn best_level<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    let buckets = splits.buckets;
    if buckets.len() < 2 {
        return None;
    }
    let sides = splits.missing_sides();
    let rules = || {
        let levels = buckets.iter().enumerate();
        levels.flat_map(|(level, right)| sides.iter().map(move |&side| (level, right, side)))
    };
    // As in the ordered scan: proxies first, then the pure score for the splits near the best.
    let proxy = |(level, right, side): (usize, &[R::Num], MissingSide)| match splits.allows(
        buckets.rows[level],
        splits.rating.units(right),
        side,
    ) {
        true => splits.proxy(right, side),
        false => f64::NEG_INFINITY,
    };
    let proxies: Vec<f64> = rules().map(proxy).collect();
    let best = proxies.iter().copied().fold(splits.floor_proxy(), f64::max);
    let floor = splits.contender_floor(best);
    let contenders = rules().zip(&proxies).filter(|&(_, &proxy)| proxy >= floor);
    contenders.fold(None, |best, ((level, right, side), _)| {
        let test = CodeTest::Equals(buckets.codes[level]);
        better(best, Some(splits.candidate(right, side, test)))
    })
}
