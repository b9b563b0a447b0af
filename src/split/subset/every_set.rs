//! Every two-way grouping of a few levels.

use super::super::Candidate;
use super::super::binary_splits::{BinarySplits, MissingSide, better};
use super::{is_rest_named, named};
use crate::stat::{Rating, add, difference};

/// Sets whose proxies are computed together.
const SETS: usize = 64;

/// The best set of levels.
pub(super) fn best<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    let BinarySplits { rating, buckets, .. } = splits;
    let k = buckets.width;
    // Bit i of a set is level i + 1; level 0 is in none.
    let n_sets = 1usize << (buckets.len() - 1);
    let mut stats = vec![R::Num::default(); k];
    let mut rows = vec![0u32];
    for set in 1..n_sets {
        let (rest, level) = (set & (set - 1), set.trailing_zeros() as usize + 1);
        stats.extend_from_within(rest * k..(rest + 1) * k);
        add(&mut stats[set * k..], buckets.stat(level));
        rows.push(rows[rest] + buckets.rows[level]);
    }
    // Where two branches weigh the same, the named one takes the missing rows.
    let names_matter = splits.missing_sides() == [MissingSide::Heavier] && buckets.missing_rows > 0;

    // As in the ordered scan: proxies first, then the pure score for the sets near the best.
    let right = |set: usize| &stats[set * k..(set + 1) * k];
    let mut allowed = Vec::with_capacity(n_sets);
    for (set, &set_rows) in rows.iter().enumerate().skip(1) {
        let (mut named_rows, mut units) = (set_rows, rating.units(right(set)));
        if names_matter && is_rest_named(splits, right(set), false) {
            named_rows = splits.known_rows - set_rows;
            units = rating.units(&difference(&splits.known, right(set)));
        }
        let sides = splits.missing_sides().iter();
        let sides = sides.filter(|&&side| splits.allows(named_rows, units, side));
        allowed.extend(sides.map(|&side| (set, side)));
    }
    let mut proxies = Vec::with_capacity(allowed.len());
    let (mut lefts, mut of_sets) = (Vec::with_capacity(SETS * k), [0.0; SETS]);
    for sets in allowed.chunks(SETS) {
        lefts.clear();
        sets.iter().for_each(|&(set, side)| splits.append_left(right(set), side, &mut lefts));
        rating.proxies_at(&lefts, &splits.parent, &mut of_sets[..sets.len()]);
        proxies.extend(sets.iter().zip(of_sets).map(|(&(set, _), proxy)| (set, proxy)));
    }
    let best = proxies.iter().map(|&(_, proxy)| proxy).fold(splits.floor_proxy(), f64::max);
    let floor = splits.contender_floor(best);
    proxies.retain(|&(_, proxy)| proxy >= floor);
    proxies.dedup_by_key(|&mut (set, _)| set);
    let is_in = |set: usize, level: usize| set << 1 >> level & 1 == 1;
    let mut contenders: Vec<Candidate> = proxies
        .into_iter()
        .filter_map(|(set, _)| named(splits, right(set), rows[set], |level| is_in(set, level)))
        .collect();
    // Ties go to the lower level set.
    contenders.sort_by(|a, b| a.test.right_set().cmp(b.test.right_set()));
    contenders.into_iter().map(Some).fold(None, better)
}
