//! Which neighbouring bins to merge, so that limits hold and the information value stays highest.

use std::cmp::Ordering;

use super::counts::BinCount;
use crate::spec::Monotone;

/// What merged bins have to meet.
#[derive(Clone, Copy)]
pub(in crate::rank) struct MergeLimits {
    pub(in crate::rank) max_bins: usize,
    /// The least weight of a bin, in units.
    pub(in crate::rank) min_units: f64,
    pub(in crate::rank) monotone: Monotone,
}

/// The first bin of each merged bin. `value` is the information value of a merged bin.
///
/// Exact, by dynamic programming over the bins: for each number of merged bins, and each last one,
/// the highest value of all up to it. Cubic in the bins; there are at most a hundred. Among equal
/// values, fewer bins win, then a lower bound.
pub(in crate::rank) fn merge(
    bins: &[BinCount],
    limits: MergeLimits,
    value: impl Fn(&BinCount) -> f64,
) -> Vec<usize> {
    let of = |order| best(bins, limits, order, &value);
    let (_, starts) = match limits.monotone {
        Monotone::No => of(None),
        Monotone::Increasing => of(Some(Ordering::Less)),
        Monotone::Decreasing => of(Some(Ordering::Greater)),
        Monotone::Either => {
            let (rising, falling) = (of(Some(Ordering::Less)), of(Some(Ordering::Greater)));
            if falling.0 > rising.0 { falling } else { rising }
        }
    };
    joined(bins, &starts)
}

/// Joins neighbours of one share of events: together they have the value of both, which rounded
/// values do not show.
fn joined(bins: &[BinCount], starts: &[usize]) -> Vec<usize> {
    let mut joined: Vec<(usize, BinCount)> = Vec::new();
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(bins.len());
        let sum = BinCount::sum(&bins[start..end]);
        match joined.last_mut() {
            // Half a row is added to a bin without events, or of events alone.
            Some((_, last))
                if !last.units.contains(&0) && last.cmp_share(&sum) == Ordering::Equal =>
            {
                last.add(sum);
            }
            _ => joined.push((start, sum)),
        }
    }
    joined.into_iter().map(|(start, _)| start).collect()
}

/// The highest value and its merged bins; `order` is how each compares with the next.
fn best(
    bins: &[BinCount],
    limits: MergeLimits,
    order: Option<Ordering>,
    value: &impl Fn(&BinCount) -> f64,
) -> (f64, Vec<usize>) {
    let n = bins.len();
    // The merged bin `from..to`, and its value, if it weighs enough.
    let merged: Vec<Vec<Option<(BinCount, f64)>>> = (0..n)
        .map(|from| {
            let mut sum = BinCount::default();
            let of_end = |bin: &BinCount| {
                sum.add(*bin);
                let units = sum.units[0] as f64 + sum.units[1] as f64;
                (units >= limits.min_units).then(|| (sum, value(&sum)))
            };
            std::iter::repeat_n(None, from + 1).chain(bins[from..].iter().map(of_end)).collect()
        })
        .collect();
    // By number of merged bins: the value of all up to `to`, the last of them from `from`, and
    // where the one before it begins.
    let mut layer: Vec<Vec<Option<f64>>> = vec![vec![None; n + 1]; n];
    if n > 0 {
        layer[0] = merged[0].iter().map(|bin| bin.map(|(_, value)| value)).collect();
    }
    let mut before: Vec<Vec<Vec<u8>>> = Vec::new();
    let mut found: Option<(f64, usize, usize)> = None;
    for count in 1..=limits.max_bins.min(n) {
        if count > 1 {
            let mut next = vec![vec![None; n + 1]; n];
            let mut came = vec![vec![0; n + 1]; n];
            for from in count - 1..n {
                for to in from + 1..=n {
                    let Some((sum, own)) = &merged[from][to] else { continue };
                    for first in 0..from {
                        let (Some(all), Some((other, _))) =
                            (layer[first][from], &merged[first][from])
                        else {
                            continue;
                        };
                        let all = all + own;
                        if order.is_none_or(|order| other.cmp_share(sum) == order)
                            && next[from][to].is_none_or(|highest| all > highest)
                        {
                            next[from][to] = Some(all);
                            came[from][to] = first as u8;
                        }
                    }
                }
            }
            layer = next;
            before.push(came);
        }
        for (from, values) in layer.iter().enumerate() {
            if let Some(all) = values[n]
                && found.is_none_or(|(highest, _, _)| all > highest)
            {
                found = Some((all, count, from));
            }
        }
    }
    let Some((highest, count, mut from)) = found else { return (0.0, vec![0]) };
    let (mut starts, mut to) = (vec![from], n);
    for came in before[..count - 1].iter().rev() {
        let first = usize::from(came[from][to]);
        (from, to) = (first, from);
        starts.push(from);
    }
    starts.reverse();
    (highest, starts)
}
