//! What a bucket holds: class counts, or the moments of a numeric target.
//!
//! A stat is a short slice of exact numbers: it is added to and subtracted from without
//! rounding, so it does not depend on how it came about. A new target kind is a new [`Stat`].

mod classes;
mod count;
pub mod criterion;
mod numbers;
mod of_target;
mod principal_component;
mod proxy;
mod rating;

pub(crate) use crate::util::parallel::in_parts;
pub(crate) use classes::ClassStat;
use count::LogTable;
pub(crate) use count::{Count, is_pure};
pub(crate) use numbers::NumberStat;
pub(crate) use of_target::StatWork;
use rating::Rating;

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use smallvec::{SmallVec, smallvec};

use crate::data::column::EntryLayout;
use crate::split::Buckets;

/// What a stat is made of: rows, weight units or sums, all exact.
pub(crate) trait Num:
    Copy
    + Default
    + Ord
    + Send
    + Sync
    + Debug
    + AddAssign
    + SubAssign
    + Add<Output = Self>
    + Sub<Output = Self>
    + 'static
{
}

impl Num for u32 {}
impl Num for u64 {}
impl Num for i128 {}

/// A stat of its own. RadixPass all are short, and searches make several for each column of each
/// node: on the heap they were an eighth of the growth of a full tree.
pub(crate) type StatVec<N> = SmallVec<[N; 4]>;

/// The rows' targets and weights, and everything that depends on their kind.
pub(crate) trait Stat: Send + Sync {
    type Num: Num;

    /// Numbers in a stat.
    fn width(&self) -> usize;

    /// Takes one row in.
    fn add(&self, row: u32, stat: &mut [Self::Num]);

    /// Takes one row in at several places of a table of stats.
    #[inline]
    fn add_at(&self, row: u32, places: impl Iterator<Item = usize>, table: &mut [Self::Num]) {
        let k = self.width();
        places.for_each(|place| self.add(row, &mut table[place * k..(place + 1) * k]));
    }

    /// Whether a stat's units are its rows.
    fn counts_rows(&self) -> bool {
        false
    }

    /// Whether a row is taken in alike at every node, so that stats of several nodes add up.
    fn is_the_same_everywhere(&self) -> bool {
        true
    }

    /// Bits of a row's tag, which says all of the row that a stat takes in; 0 where there is no
    /// such tag.
    fn tag_bits(&self) -> u32 {
        0
    }

    /// A row's tag.
    fn tag(&self, _row: u32) -> u32 {
        0
    }

    /// Takes some rows in by their entries.
    fn take(&self, entries: &[u32], packing: EntryLayout, stat: &mut [Self::Num]) {
        entries.iter().for_each(|&entry| self.add(packing.row(entry), stat));
    }

    /// What some entries come to.
    fn total(&self, entries: &[u32], packing: EntryLayout) -> StatVec<Self::Num> {
        let of = |entries: &[u32]| {
            let mut stat = smallvec![Self::Num::default(); self.width()];
            self.take(entries, packing, &mut stat);
            stat
        };
        in_parts(entries, of, |mut a, b: StatVec<Self::Num>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        })
    }

    /// A stat's weight, in units.
    fn units(&self, stat: &[Self::Num]) -> Self::Num;

    /// The weight of so many units.
    fn weight(&self, units: Self::Num) -> f64;

    /// The gain of a split: a pure function of the parent's and the branches' stats, symmetric
    /// in two branches, with zeros decided exactly where that can be.
    fn gain(&self, parent: &[Self::Num], branches: &[&[Self::Num]]) -> f64;

    /// What no split gains more than: that of pure branches, where it can be told.
    fn highest_gain(&self, _parent: &[Self::Num]) -> f64 {
        f64::INFINITY
    }

    /// Entropy of the branches' weights.
    fn split_info(&self, branches: &[&[Self::Num]]) -> f64;

    /// A cheap stand-in for the gain that orders two-way splits of one parent as the gain does,
    /// up to rounding: for each of some buckets the proxy of the split after it. `left` moves
    /// on past them.
    fn proxies(
        &self,
        stats: &[Self::Num],
        parent: &[Self::Num],
        left: &mut [Self::Num],
        out: &mut [f64],
    );

    /// The same where `lefts` are the left sides themselves.
    fn proxies_at(&self, lefts: &[Self::Num], parent: &[Self::Num], out: &mut [f64]);

    /// The same after each of some entries; `left` moves on past them.
    fn proxies_along(
        &self,
        entries: &[u32],
        packing: EntryLayout,
        parent: &[Self::Num],
        left: &mut [Self::Num],
        out: &mut [f64],
    ) {
        for (entry, out) in entries.chunks(1).zip(out) {
            self.take(entry, packing, left);
            self.proxies_at(left, parent, std::slice::from_mut(out));
        }
    }

    /// Whether [`proxy_bounds`](Self::proxy_bounds) can bound proxies.
    fn bounds_proxies(&self) -> bool {
        false
    }

    /// For each neighbouring two of some left sides that only grow, a number that no proxy
    /// between them exceeds by more than rounding; `proxies` are those of the left sides.
    fn proxy_bounds(
        &self,
        _lefts: &[Self::Num],
        _parent: &[Self::Num],
        _proxies: &[f64],
        out: &mut [f64],
    ) {
        out.fill(f64::INFINITY);
    }

    /// The proxy of a split of so much gain, up to rounding.
    fn proxy_of(&self, gain: f64, parent: &[Self::Num]) -> f64;

    /// The least proxy that may still belong to the highest gain, where `best` is the highest
    /// proxy: well below its rounding, well above any gain that matters, so that few are rated
    /// in vain.
    fn proxy_floor(&self, best: f64, parent: &[Self::Num]) -> f64;

    /// Whether the best subset of a nominal feature's levels is the upper part of
    /// [`level_order`](Self::level_order); else one of the two parts at some cut of it is good,
    /// and need not be the best.
    fn orders_exactly(&self) -> bool;

    /// The levels (by bucket) in an order that subsets are cut from.
    fn level_order(&self, buckets: &Buckets<Self::Num>) -> Vec<usize>;

    /// Makes ready for the stats of one node: sums of numbers are taken about its mean.
    fn focus(&mut self, _rows: &[u32]) {}

    /// Appends the values of a node (class weights; or weight and mean) to `values`, and says how
    /// impure it is. `total` is what its rows come to, of a stat that is
    /// [the same everywhere](Self::is_the_same_everywhere).
    fn summarize(&self, rows: &[u32], total: &[Self::Num], values: &mut Vec<f64>) -> Summary;

    /// The weight of a row, in units.
    fn row_units(&self, row: u32) -> u64;

    /// The same of some rows, numbered afresh; with other weights where `units` has them, which
    /// only the stat of rows with weights is asked for.
    fn gather(&self, rows: &[u32], units: Option<&[u64]>) -> Self
    where
        Self: Sized;
}

/// What growth asks of a node beside its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) weight: f64,
    pub(crate) impurity: f64,
    /// All rows are of one class, or have one and the same number.
    pub(crate) pure: bool,
}
