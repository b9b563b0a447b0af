//! Rules on the levels of a nominal feature.

use super::{Buckets, Candidate, CodeTest, Search, TwoWay, add, better, ordered};
use crate::spec::{Missing, SUBSET_EXHAUSTIVE_LEVELS};
use crate::stat::{Count, total};

/// A branch per level (ID3, C4.5). `Learn` gives missing a branch of its own.
pub(crate) fn multiway<N: Count>(search: &Search, buckets: &Buckets<N>) -> Option<Candidate> {
    let two_way = TwoWay::new(search, buckets);
    let own_branch = search.missing == Missing::Learn && buckets.missing_rows > 0;
    let mut branches: Vec<&[N]> = buckets.iter().collect();
    let mut rows = buckets.rows.clone();
    let mut weights: Vec<N> = branches.iter().map(|b| total(b)).collect();
    if own_branch {
        branches.push(&buckets.missing);
        rows.push(buckets.missing_rows);
        weights.push(total(&buckets.missing));
    }
    if branches.len() < 2 {
        return None;
    }
    let mut missing_to = own_branch.then_some(buckets.len() as u32);
    if !own_branch && buckets.missing_rows > 0 {
        // The heaviest level, the earlier one of equals.
        let heaviest = (0..weights.len()).rev().max_by_key(|&b| weights[b])?;
        missing_to = Some(heaviest as u32);
        rows[heaviest] += buckets.missing_rows;
        weights[heaviest] += total(&buckets.missing);
    }
    let large = rows
        .iter()
        .zip(&weights)
        .filter(|&(&rows, &weight)| search.limits.allow(&search.rating, rows, weight));
    if large.count() < 2 {
        return None;
    }
    Some(Candidate {
        gain: two_way.share * search.rating.gain(&two_way.parent, &branches),
        split_info: search.rating.split_info(&branches),
        test: CodeTest::Each(buckets.codes.clone()),
        missing_to,
        approximate: false,
    })
}

/// The best `x == level`: highest gain, then lowest level, then missing to the right.
pub(crate) fn one_vs_rest<N: Count>(search: &Search, buckets: &Buckets<N>) -> Option<Candidate> {
    let two_way = TwoWay::new(search, buckets);
    better(best_level(&two_way), two_way.is_missing())
}

/// The same without `x is missing`.
pub(crate) fn best_level<N: Count>(two_way: &TwoWay<N>) -> Option<Candidate> {
    let buckets = two_way.buckets;
    if buckets.len() < 2 {
        return None;
    }
    let mut best = None;
    for (level, right) in buckets.iter().enumerate() {
        for &side in two_way.missing_sides() {
            if two_way.allows(buckets.rows[level], total(right), side) {
                let test = CodeTest::Equals(buckets.codes[level]);
                best = better(best, Some(two_way.candidate(right, side, test)));
            }
        }
    }
    best
}

/// The best `x in {…}`.
///
/// For two classes the levels are put in order of the last class's share: the best subset is
/// then the upper part of that order (Breiman et al. 1984, section 4.2), so a scan as of an
/// ordered feature is exact. For more classes all subsets are tried up to
/// [`SUBSET_EXHAUSTIVE_LEVELS`] levels; past that the best one-vs-rest rule stands in, marked
/// approximate.
pub(crate) fn subset<N: Count>(search: &Search, buckets: &Buckets<N>) -> Option<Candidate> {
    let two_way = TwoWay::new(search, buckets);
    let best = if buckets.len() < 2 {
        None
    } else if buckets.n_classes == 2 {
        by_share(search, buckets)
    } else if buckets.len() <= SUBSET_EXHAUSTIVE_LEVELS {
        exhaustive(&two_way)
    } else {
        best_level(&two_way).map(|c| Candidate { approximate: true, ..c })
    };
    better(best, two_way.is_missing())
}

fn by_share<N: Count>(search: &Search, buckets: &Buckets<N>) -> Option<Candidate> {
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    // Shares compared as fractions, exactly; the sort is stable, so equals stay in level order.
    order.sort_by(|&a, &b| {
        let (a, b) = (buckets.stat(a), buckets.stat(b));
        (a[1].wide() * total(b).wide()).cmp(&(b[1].wide() * total(a).wide()))
    });
    let permuted = buckets.permuted(&order);
    let sorted = |part: &[u32]| {
        let mut codes = part.to_vec();
        codes.sort_unstable();
        codes
    };
    let right_of = |at: usize| sorted(&permuted.codes[at + 1..]);
    let two_way = TwoWay::new(search, &permuted);
    let found = ordered::best_boundary(&two_way, |new, old| right_of(new) < right_of(old))?;
    let left = sorted(&permuted.codes[..=found.at]);
    Some(found.candidate(&two_way, CodeTest::In { right: right_of(found.at), left }))
}

/// Every two-way grouping of a few levels. The half without the lowest level is the right one.
fn exhaustive<N: Count>(two_way: &TwoWay<N>) -> Option<Candidate> {
    let buckets = two_way.buckets;
    let k = buckets.n_classes;
    // Bit i of a mask is level i + 1; level 0 is never in the right half.
    let n_masks = 1usize << (buckets.len() - 1);
    let mut stats = vec![N::default(); k];
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
            if two_way.allows(rows, total(right(mask)), side) {
                proxies.push((mask, side, two_way.proxy(right(mask), side)));
            }
        }
    }
    let best = proxies.iter().map(|&(_, _, p)| p).fold(f64::NEG_INFINITY, f64::max);
    let right_codes = |mask: usize| -> Vec<u32> {
        (1..buckets.len()).filter(|l| mask >> (l - 1) & 1 == 1).map(|l| buckets.codes[l]).collect()
    };
    let mut contenders: Vec<_> = proxies
        .into_iter()
        .filter(|&(_, _, proxy)| proxy >= best - two_way.proxy_slack())
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
