//! The rule `x in {…}` on a nominal feature.
//!
//! - For two classes and for numbers the best set is mostly an upper part of one order of the
//!   levels ([`share_order`]), which is proved where it is so.
//! - Else every set is tried up to [`SUBSET_EXHAUSTIVE_LEVELS`] levels ([`every_set`]).
//! - Past that sets are improved by exchanges of levels ([`exchange`]), and the candidate is
//!   marked approximate.

mod every_set;
mod exchange;
mod share_order;

use smallvec::smallvec;

use super::binary_splits::better;
use super::{BinarySplits, Candidate, CodeTest};
use crate::spec::SUBSET_EXHAUSTIVE_LEVELS;
use crate::stat::{Rating, StatVec, add, difference};

/// The best `x in {…}`, or `x is missing`.
pub(super) fn best<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    let is_missing = splits.is_missing();
    let n_levels = splits.buckets.len();
    if n_levels < 2 {
        return is_missing;
    }
    let is_few = n_levels <= SUBSET_EXHAUSTIVE_LEVELS;
    let find = || if is_few { every_set::best(splits) } else { exchange::best(splits) };
    if !splits.rating.orders_exactly() {
        return better(find().map(|c| Candidate { approximate: !is_few, ..c }), is_missing);
    }

    let order = splits.rating.level_order(&splits.buckets.stats);
    let best = better(share_order::best(splits, &order), is_missing);
    let Some(bound) = share_order::limited_sets_bound(splits, &order) else { return best };
    // Where no upper part is allowed, another set may be, also one that gains nothing.
    let is_done = match &best {
        Some(best) => splits.reaches(best.gain, bound),
        None => !splits.reaches(bound, splits.policy.gain_floor),
    };
    if is_done {
        return best;
    }
    let is_better =
        |c: &Candidate| best.as_ref().is_none_or(|best| !splits.reaches(best.gain, c.gain));
    let found = find().filter(is_better).or(best)?;
    let approximate = !is_few && !splits.reaches(found.gain, bound);
    Some(Candidate { approximate, ..found })
}

/// The rule of one set of levels, given for each level present.
pub(super) fn of_set<R: Rating>(splits: &BinarySplits<R>, is_in_set: &[bool]) -> Option<Candidate> {
    let buckets = splits.buckets;
    let mut set: StatVec<R::Num> = smallvec![R::Num::default(); buckets.width];
    let mut rows = 0;
    for at in (0..buckets.len()).filter(|&at| is_in_set[at]) {
        add(&mut set, buckets.stat(at));
        rows += buckets.rows[at];
    }
    named(splits, &set, rows, |at| is_in_set[at])
}

/// Whether the levels that are not in a set are named. The levels of higher share or mean are named
/// where levels have such an order; else, or where the halves are equal, the half without the
/// lowest level.
fn is_rest_named<R: Rating>(splits: &BinarySplits<R>, set: &[R::Num], holds_lowest: bool) -> bool {
    if !splits.rating.orders_exactly() {
        return holds_lowest;
    }
    let rest = &difference(&splits.known, set)[..];
    // The first one of equal halves comes first.
    match holds_lowest {
        true => splits.rating.level_order(&[set, rest].concat())[0] == 0,
        false => splits.rating.level_order(&[rest, set].concat())[0] == 1,
    }
}

/// The rule of a set of levels of this stat and number of rows, with missing on the better side.
fn named<R: Rating>(
    splits: &BinarySplits<R>,
    set: &[R::Num],
    rows: u32,
    is_in_set: impl Fn(usize) -> bool,
) -> Option<Candidate> {
    let codes = splits.buckets.codes.iter().enumerate();
    let mut levels: Vec<(u32, bool)> = codes.map(|(at, &code)| (code, is_in_set(at))).collect();
    levels.sort_unstable();
    let is_rest = is_rest_named(splits, set, levels[0].1);
    let (right, rows) = match is_rest {
        true => (difference(&splits.known, set), splits.known_rows - rows),
        false => (StatVec::from_slice(set), rows),
    };
    splits.on_better_side(&right, rows, &CodeTest::of_set(&levels, is_rest))
}
