//! Sets of many levels: cuts of some orders of the levels, improved by exchanges.
//!
//! In the best set each level is on the side that it fits better (Chou 1991, "Optimal partitioning
//! for classification and regression trees"). So levels change sides, one or two at a time, while
//! that gains. The best of the sets where nothing gains any more is taken; there may be better
//! ones.
//!
//! Levels are looked at in order of their stats. What is found does not depend on their names, nor
//! on what other columns gain.

use super::super::binary_splits::{BinarySplits, MissingSide};
use super::super::{Candidate, SplitPolicy};
use super::named;
use crate::stat::{Rating, StatVec, add, difference, subtract};

/// Levels up to which all sets are improved, and by pairs: pairs grow as the square.
const MOST_IN_PAIRS: usize = 16;

/// The most sets that are improved where there are more levels: the sets of highest gain at first.
const MOST_STARTS: usize = 2;

/// Times that each level may change sides.
const ROUNDS: usize = 8;

/// The best set that is found.
pub(super) fn best<R: Rating>(splits: &BinarySplits<R>) -> Option<Candidate> {
    if !splits.reaches(splits.finest_gain(), splits.policy.gain_floor) {
        return None;
    }
    let mut order: Vec<usize> = (0..splits.buckets.len()).collect();
    order.sort_by_key(|&b| (splits.buckets.stat(b), splits.buckets.rows[b]));
    let buckets = splits.buckets.permuted(&order);
    let policy = SplitPolicy { gain_floor: 0.0, ..*splits.policy };
    let splits = BinarySplits { policy: &policy, ..splits.reordered(&buckets) };

    let mut orders = vec![splits.rating.level_order(&buckets.stats)];
    orders.extend(splits.rating.orders_by_class(&buckets.stats));
    let mut sets: Vec<Set<R>> = Vec::new();
    for &side in splits.missing_sides() {
        sets.extend(orders.iter().map(|order| Set::cut(&splits, side, order)));
        sets.push(Set::but_one(&splits, side));
    }
    sets.sort_by(|a, b| b.proxy.total_cmp(&a.proxy));
    if buckets.len() > MOST_IN_PAIRS {
        sets.truncate(MOST_STARTS);
    }
    sets.retain(|set| set.proxy > f64::NEG_INFINITY);
    sets.iter_mut().for_each(Set::move_levels);
    // Sets of one proxy are mostly one set.
    sets.sort_by(|a, b| b.proxy.total_cmp(&a.proxy));
    sets.dedup_by(|a, b| a.proxy == b.proxy);
    if buckets.len() <= MOST_IN_PAIRS {
        sets.iter_mut().for_each(Set::move_pairs);
    }
    sets.into_iter()
        .reduce(|best, set| if set.proxy > best.proxy { set } else { best })?
        .candidate()
}

/// A set of levels, and the side of missing values.
struct Set<'a, R: Rating> {
    splits: &'a BinarySplits<'a, R>,
    side: MissingSide,
    is_right: Vec<bool>,
    n_right: usize,
    /// The rows of its levels.
    rows: u32,
    /// The weight of its levels, in units.
    units: R::Num,
    /// The stat of the left branch, as it is rated.
    left: StatVec<R::Num>,
    /// The proxy of the best set so far, which this is between searches.
    proxy: f64,
}

impl<'a, R: Rating> Set<'a, R> {
    fn of_all(splits: &'a BinarySplits<'a, R>, side: MissingSide) -> Self {
        let n_levels = splits.buckets.len();
        let [left, _] = splits.branches(&splits.known, side);
        Set {
            splits,
            side,
            is_right: vec![true; n_levels],
            n_right: n_levels,
            rows: splits.known_rows,
            units: splits.rating.units(&splits.known),
            left,
            proxy: f64::NEG_INFINITY,
        }
    }

    /// The best upper part of an order of the levels.
    fn cut(splits: &'a BinarySplits<'a, R>, side: MissingSide, order: &[usize]) -> Self {
        let mut set = Set::of_all(splits, side);
        let mut from = 0;
        for (at, &level) in order.iter().enumerate() {
            set.shift(level);
            if set.is_better() {
                from = at + 1;
            }
        }
        order[from..].iter().for_each(|&level| set.shift(level));
        set
    }

    /// The best of all levels but one.
    fn but_one(splits: &'a BinarySplits<'a, R>, side: MissingSide) -> Self {
        let mut set = Set::of_all(splits, side);
        let mut best = 0;
        for level in 0..splits.buckets.len() {
            set.shift(level);
            if set.is_better() {
                best = level;
            }
            set.shift(level);
        }
        set.shift(best);
        set
    }

    /// Moves single levels while that gains.
    fn move_levels(&mut self) {
        for _ in 0..ROUNDS {
            let before = self.proxy;
            for level in 0..self.is_right.len() {
                self.shift(level);
                if !self.is_better() {
                    self.shift(level);
                }
            }
            if self.proxy == before {
                return;
            }
        }
    }

    /// Moves pairs of levels, and then single levels, while that gains.
    fn move_pairs(&mut self) {
        let n_levels = self.is_right.len();
        for _ in 0..ROUNDS {
            let before = self.proxy;
            for first in 0..n_levels {
                self.shift(first);
                let moves_second = |second: usize| {
                    self.shift(second);
                    let is_better = self.is_better();
                    if !is_better {
                        self.shift(second);
                    }
                    is_better
                };
                if !(first + 1..n_levels).any(moves_second) {
                    self.shift(first);
                }
            }
            if self.proxy == before {
                return;
            }
            self.move_levels();
        }
    }

    /// Moves a level to the other side.
    fn shift(&mut self, level: usize) {
        let buckets = self.splits.buckets;
        let (stat, rows) = (buckets.stat(level), buckets.rows[level]);
        let units = self.splits.rating.units(stat);
        self.is_right[level] = !self.is_right[level];
        if self.is_right[level] {
            subtract(&mut self.left, stat);
            self.units += units;
            (self.n_right, self.rows) = (self.n_right + 1, self.rows + rows);
        } else {
            add(&mut self.left, stat);
            self.units -= units;
            (self.n_right, self.rows) = (self.n_right - 1, self.rows - rows);
        }
    }

    /// Whether the set is allowed and better than the best so far, which it then is.
    fn is_better(&mut self) -> bool {
        let BinarySplits { rating, parent, .. } = self.splits;
        let is_part = self.n_right > 0 && self.n_right < self.is_right.len();
        if !is_part || !self.splits.allows(self.rows, self.units, self.side) {
            return false;
        }
        let mut proxy = [0.0];
        rating.proxies_at(&self.left, parent, &mut proxy);
        let is_better = rating.proxy_floor(proxy[0], parent) > self.proxy;
        if is_better {
            self.proxy = proxy[0];
        }
        is_better
    }

    fn candidate(self) -> Option<Candidate> {
        let mut right = difference(&self.splits.parent, &self.left);
        if self.side == MissingSide::Right {
            subtract(&mut right, &self.splits.buckets.missing);
        }
        named(self.splits, &right, self.rows, |bucket| self.is_right[bucket])
    }
}
