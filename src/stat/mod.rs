//! What a bucket holds, and how a split is rated.
//!
//! A *stat* is a short slice of exact numbers: class counts, or the weight and the sum of a
//! numeric target. Stats are added and subtracted without rounding, so a stat does not depend on
//! how, where or in which order its rows were counted.
//!
//! - [`Rating`] is arithmetic on stats: weights, gains, and proxies that scans use. It knows no
//!   rows, so a scan works on stats from anywhere.
//! - [`RowStats`] is access to rows: [`CountRows`] counts them into stats.
//! - [`bound`] says which rows need not be looked at.
//!
//! A new criterion is an arm of [`Criterion`](crate::spec::Criterion); a new kind of target is
//! one more implementation of these traits.

#[cfg(any(feature = "polars", feature = "arrow"))]
mod binary_figures;
mod bound;
pub(crate) mod chance_counts;
mod class_order;
mod class_rating;
mod class_rows;
mod count;
pub mod criterion;
mod exact_sums;
pub(crate) mod independence;
mod log_loss;
mod number_rating;
mod number_rows;
mod pair_coder;
mod proxy;
mod rating;
mod rows;
pub(crate) mod significance;
mod tiny_classes;
mod tiny_numbers;
mod tiny_rows;
mod visit;

#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use binary_figures::{Run, average_precision, roc_auc};
pub(crate) use bound::{BLOCK, BoundCuts};
pub(crate) use class_rating::ClassRating;
pub(crate) use class_rows::ClassRows;
pub(crate) use count::{Count, LogTable};
pub(crate) use log_loss::log_loss;
pub(crate) use number_rating::NumberRating;
pub(crate) use number_rows::NumberRows;
pub(crate) use rating::Rating;
pub(crate) use rows::{CountRows, RowPayloads, ShareRows, Summary};
pub(crate) use tiny_rows::{PerTinyRow, TINY, TinyRows};
pub(crate) use visit::{TargetVisitor, stat_width};

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use smallvec::SmallVec;

/// All that growth and rankings ask of rows.
pub(crate) trait RowStats: CountRows + RowPayloads + BoundCuts + ShareRows {}

impl<S: CountRows + RowPayloads + BoundCuts + ShareRows> RowStats for S {}

/// This many rows lie in the cache: looking them up costs no more than a payload, and a node of
/// them is finished there.
pub(crate) const ROWS_IN_CACHE: usize = 4096;

/// What a stat is made of: rows, weight units or sums.
pub(crate) trait Num:
    Copy
    + Default
    + Ord
    + Hash
    + Send
    + Sync
    + Debug
    + AddAssign
    + SubAssign
    + Add<Output = Self>
    + Sub<Output = Self>
    + Into<i128>
    + TryFrom<i128>
    + 'static
{
}

impl Num for u32 {}
impl Num for u64 {}
impl Num for i128 {}

/// An owned stat. Most are short enough to need no allocation.
pub(crate) type StatVec<N> = SmallVec<[N; 4]>;

pub(crate) fn add<N: Num>(to: &mut [N], stat: &[N]) {
    to.iter_mut().zip(stat).for_each(|(t, &s)| *t += s);
}

pub(crate) fn subtract<N: Num>(from: &mut [N], stat: &[N]) {
    from.iter_mut().zip(stat).for_each(|(f, &s)| *f -= s);
}

pub(crate) fn difference<N: Num>(a: &[N], b: &[N]) -> StatVec<N> {
    // Copying and subtracting is faster than collecting number by number.
    let mut difference = StatVec::from_slice(a);
    subtract(&mut difference, b);
    difference
}

/// Whether at most one class is present.
pub(crate) fn is_pure<N: Num>(counts: &[N]) -> bool {
    counts.iter().filter(|&&c| c > N::default()).count() <= 1
}
