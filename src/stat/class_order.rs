//! Orders of levels by the shares of classes. Equal shares stay in level order.

use std::cmp::Reverse;

use super::add;
use super::count::{Count, total};

/// Levels are ordered by at most this many classes, so that time stays in proportion to the stats.
const MOST_CLASSES: usize = 8;

/// By the second of two classes, exactly. Both ways give the same order; the first is faster and
/// works while totals are small.
pub(super) fn order_by_share<N: Count>(stats: &[N]) -> Vec<usize> {
    by_fixed_point(stats).unwrap_or_else(|| by_fraction(stats))
}

/// Sorts words of 64 bits: a share in fixed point above the level's number. `None` where the
/// words cannot tell the shares apart.
///
/// Different fractions with denominators up to t differ by at least 1 / t². With two bits more
/// than that, different shares stay apart after rounding, and equal shares round alike.
fn by_fixed_point<N: Count>(stats: &[N]) -> Option<Vec<usize>> {
    let bits = |x: u128| u128::BITS - x.leading_zeros();
    let levels = || stats.chunks_exact(2);
    let totals = levels().map(|stat| total(stat).wide());
    let (least, most) = totals.fold((u128::MAX, 0), |(lo, hi), t| (lo.min(t), hi.max(t)));
    let level_bits = bits((stats.len() / 2) as u128);
    let share_bits = u64::BITS - level_bits;
    // An f64 tells fractions with denominators up to 2^26 apart.
    if least == 0 || most >= 1 << 26 || 2 * bits(most) + 2 > share_bits {
        return None;
    }
    let one = 2f64.powi(share_bits as i32 - 1);
    let word = |(level, stat): (usize, &[N])| {
        let share = stat[1].float() / total(stat).float();
        ((share * one) as u64) << level_bits | level as u64
    };
    let mut words: Vec<u64> = levels().enumerate().map(word).collect();
    words.sort_unstable();
    Some(words.into_iter().map(|word| (word & ((1 << level_bits) - 1)) as usize).collect())
}

/// Compares shares as fractions, exactly.
fn by_fraction<N: Count>(stats: &[N]) -> Vec<usize> {
    let stat = |level: usize| &stats[2 * level..2 * level + 2];
    let mut order: Vec<usize> = (0..stats.len() / 2).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (stat(a), stat(b));
        (a[1].wide() * total(b).wide()).cmp(&(b[1].wide() * total(a).wide()))
    });
    order
}

/// By each of the heaviest of many classes.
pub(super) fn orders_by_class<N: Count>(stats: &[N], n_classes: usize) -> Vec<Vec<usize>> {
    let levels = || stats.chunks_exact(n_classes);
    let mut weights = vec![N::default(); n_classes];
    levels().for_each(|stat| add(&mut weights, stat));
    let mut classes: Vec<usize> = (0..n_classes).filter(|&c| weights[c] > N::default()).collect();
    classes.sort_by_key(|&class| Reverse(weights[class]));
    classes.truncate(MOST_CLASSES);
    let totals: Vec<f64> = levels().map(|stat| total(stat).float()).collect();
    let order = |class: usize| {
        let shares: Vec<f64> = levels().zip(&totals).map(|(s, t)| s[class].float() / t).collect();
        let mut order: Vec<usize> = (0..totals.len()).collect();
        order.sort_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        order
    };
    classes.into_iter().map(order).collect()
}

/// Rounds of the power iteration. Only the order matters, and it settles early.
const ROUNDS: usize = 8;

/// The levels of more than two classes along the first principal component of their class shares
/// (Coppersmith, Hong & Hosking 1999, "Partitioning nominal attributes in decision trees"), ties in
/// level order. Levels with similar shares lie together, so a cut of the order is a good subset.
/// `counts` holds `width` class weights a level. Linear in levels times classes: the class covariance
/// is never formed.
pub(super) fn order_by_principal_component(counts: &[f64], width: usize) -> Vec<usize> {
    let levels = counts.chunks_exact(width);
    let weights: Vec<f64> = levels.clone().map(|level| level.iter().sum()).collect();
    let total: f64 = weights.iter().sum();
    let mut mean = vec![0.0; width];
    for level in levels.clone() {
        mean.iter_mut().zip(level).for_each(|(m, c)| *m += c / total);
    }
    // Each level's shares less the shares of all rows.
    let centred: Vec<f64> = levels
        .zip(&weights)
        .flat_map(|(level, weight)| level.iter().zip(&mean).map(move |(c, m)| c / weight - m))
        .collect();
    let rows = || centred.chunks_exact(width);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();

    // The level farthest out cannot be orthogonal to all levels, so it is a good start.
    let farthest =
        rows().zip(&weights).max_by(|a, b| (a.1 * dot(a.0, a.0)).total_cmp(&(b.1 * dot(b.0, b.0))));
    let mut axis = farthest.map_or(vec![0.0; width], |(row, _)| row.to_vec());
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; width];
        for (row, weight) in rows().zip(&weights) {
            let pull = weight / total * dot(row, &axis);
            next.iter_mut().zip(row).for_each(|(n, r)| *n += pull * r);
        }
        let length = dot(&next, &next).sqrt();
        if length == 0.0 {
            break; // all levels have the same shares
        }
        next.iter_mut().for_each(|x| *x /= length);
        axis = next;
    }
    let scores: Vec<f64> = rows().map(|row| dot(row, &axis)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(stats: &[[u32; 2]]) -> bool {
        let stats = stats.concat();
        let fast = by_fixed_point(&stats);
        if let Some(fast) = &fast {
            assert_eq!(*fast, by_fraction(&stats), "{stats:?}");
        }
        fast.is_some()
    }

    /// Neighbours in a Farey sequence are as near as fractions of such totals can be.
    #[test]
    fn near_shares_are_told_apart() {
        for most in [3u32, 1000, 1 << 12, 1 << 20, (1 << 24) - 2, 1 << 25] {
            let near = |k: u32| [[most - k - 1, k + 1], [most - k, k + 1], [most - k, k]];
            let mut stats: Vec<[u32; 2]> = [0, most / 3, most / 2].map(near).concat();
            stats.extend([[1, 0], [0, 1], [most, 0], [0, most], [most / 2, most / 2], [1, 1]]);
            stats.reverse();
            assert!(check(&stats), "{most}");
        }
        assert!(!check(&[[1 << 26, 0], [1, 1]]));
        assert!(!check(&[[0, 0], [1, 1]]));
    }

    proptest! {
        #[test]
        fn words_order_shares_as_fractions_do(
            stats in prop::collection::vec(prop_oneof![
                (0u32..5, 1u32..5),
                (0u32..1 << 12, 1u32..1 << 12),
                (0u32..1 << 24, 1u32..1 << 24),
            ], 0..200),
        ) {
            check(&stats.iter().map(|&(a, b)| [a, b]).collect::<Vec<_>>());
        }
    }
}
