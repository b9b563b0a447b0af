//! The best of all two-way partitions of a few rows, whatever their columns hold.
//!
//! No rule gains more, so the search of a node ends at the first column that gains as much. For
//! three rows that is two columns out of three.

use crate::stat::{CountRows, Rating, difference};

/// The most rows whose partitions are all rated: their number doubles with each row.
const MAX_ROWS: usize = 5;

/// An upper bound of the gain of a two-way split of some rows, whose stat is `total`. `lefts` is
/// scratch.
pub(crate) fn two_way_bound<S: CountRows>(
    stats: &S,
    rows: &[u32],
    total: &[S::Num],
    lefts: &mut Vec<S::Num>,
) -> f64 {
    let rating = stats.rating();
    let Some((_, movable)) = rows.split_first().filter(|_| rows.len() <= MAX_ROWS) else {
        return rating.impurity_bound(total);
    };
    if rating.reaches_impurity_bound(total) {
        return rating.impurity_bound(total);
    }
    // The first row stays right. Each other row doubles the left sides: without it and with it.
    let k = total.len();
    lefts.clear();
    lefts.resize(k, S::Num::default());
    for &row in movable {
        let n_lefts = lefts.len();
        lefts.extend_from_within(..);
        lefts[n_lefts..].chunks_exact_mut(k).for_each(|left| stats.add(row, left));
    }
    best_of(rating, &lefts[k..], total)
}

/// The highest gain of the splits of these left sides.
fn best_of<R: Rating>(rating: &R, lefts: &[R::Num], total: &[R::Num]) -> f64 {
    let k = total.len();
    let mut proxies = [0.0; 1 << (MAX_ROWS - 1)];
    let proxies = &mut proxies[..lefts.len() / k];
    rating.proxies_at(lefts, total, proxies);
    let highest = proxies.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let floor = rating.proxy_floor(highest, total);
    let contenders = lefts.chunks_exact(k).zip(proxies).filter(|(_, proxy)| **proxy >= floor);
    let gains = contenders.map(|(left, _)| rating.gain(total, &[left, &difference(total, left)]));
    gains.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use smallvec::smallvec;

    use super::*;
    use crate::spec::{Criterion, LogBase};
    use crate::stat::{ClassRating, ClassRows, LogTable, StatVec};

    proptest! {
        /// It is the best gain of all partitions, one by one, to the same float.
        #[test]
        fn no_partition_gains_more(
            classes in prop::collection::vec(0..4u16, 2..9),
            by_gini in any::<bool>(),
        ) {
            let criterion = if by_gini { Criterion::Gini } else { Criterion::Entropy };
            let logs = LogTable::up_to(classes.len());
            let rating = ClassRating::new(criterion, LogBase::Two, 4, None, &logs);
            let stats = ClassRows::<u32>::new(&classes, None, rating);
            let rows: Vec<u32> = (0..classes.len() as u32).collect();
            let stat = |is_in: &dyn Fn(u32) -> bool| {
                let mut stat: StatVec<u32> = smallvec![0; 4];
                rows.iter().filter(|row| is_in(**row)).for_each(|&row| stats.add(row, &mut stat));
                stat
            };
            let total = stat(&|_| true);
            let gains = (1..(1u32 << rows.len()) - 1).map(|left| {
                let sides = [true, false].map(|side| stat(&|row| (left >> row & 1 == 1) == side));
                rating.gain(&total, &[&sides[0], &sides[1]])
            });
            let best = gains.fold(0.0, f64::max);
            let highest = two_way_bound(&stats, &rows, &total, &mut Vec::new());
            let is_tight = rows.len() <= MAX_ROWS || rating.reaches_impurity_bound(&total);
            let is_right = if is_tight { highest == best } else { highest >= best };
            prop_assert!(is_right, "{highest} {best}");
        }
    }
}
