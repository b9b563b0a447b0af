//! Which buckets may hold a cut worth a look, where a bucket is an interval of levels.

use super::{BinarySplits, Buckets, SplitPolicy};
use crate::stat::{Rating, add};

/// For each bucket whether a cut between two of its levels may reach a gain, but for rounding; the
/// limits are not looked at. `spreads` are as in [`Rating::block_bounds`], about the mean of the
/// stat that splits are rated against, or more; empty for classes.
pub(crate) fn buckets_reaching<R: Rating>(
    policy: &SplitPolicy,
    rating: &R,
    buckets: &Buckets<R::Num>,
    spreads: &[f64],
    gain: f64,
) -> Vec<bool> {
    let splits = BinarySplits::new(policy, rating, buckets);
    let parent = &splits.parent;
    let floor = splits.contender_floor(rating.proxy_of(gain / splits.share, parent));
    let mut reach = vec![false; buckets.len()];
    let (mut proxies, mut bounds) = (vec![0.0; buckets.len() + 1], vec![0.0; buckets.len()]);
    for &side in splits.missing_sides() {
        let mut left = splits.left_of_all(side);
        let mut borders = left.to_vec();
        for stat in buckets.iter() {
            add(&mut left, stat);
            borders.extend_from_slice(&left);
        }
        rating.proxies_at(&borders, parent, &mut proxies);
        rating.block_bounds(&borders, parent, &proxies, spreads, &mut bounds);
        // A bound that is no number excludes nothing.
        reach
            .iter_mut()
            .zip(&bounds)
            .for_each(|(reach, bound)| *reach |= bound.is_nan() || *bound >= floor);
    }
    reach
}
