//! Access to rows: counting them into stats, what entries carry of them, and copies of them.
//!
//! Rows are given by number or by *entry*: a row number and, where the [`EntryLayout`] has room,
//! the row's payload, which saves the look-up of the row.

use smallvec::smallvec;

use super::{Num, Rating, StatVec, TinyRows, add};
use crate::data::column::EntryLayout;
use crate::util::parallel;

/// Rows that are counted into stats.
pub(crate) trait CountRows: Send + Sync + Sized {
    type Num: Num;
    type Rating: Rating<Num = Self::Num>;
    /// What a row adds to a stat.
    type Increment: Copy + Default;

    fn rating(&self) -> &Self::Rating;

    fn increment(&self, row: u32) -> Self::Increment;

    /// Adds the increment of a row to the stat that begins at `start` of a table.
    fn add_at(increment: Self::Increment, start: usize, table: &mut [Self::Num]);

    #[inline]
    fn add(&self, row: u32, stat: &mut [Self::Num]) {
        Self::add_at(self.increment(row), 0, stat);
    }

    fn add_entries(&self, entries: &[u32], layout: EntryLayout, stat: &mut [Self::Num]);

    /// The stat of some entries, counted by all threads if they are many.
    fn total(&self, entries: &[u32], layout: EntryLayout) -> StatVec<Self::Num> {
        let count = |entries: &[u32]| {
            let mut stat = smallvec![Self::Num::default(); self.rating().width()];
            self.add_entries(entries, layout, &mut stat);
            stat
        };
        parallel::reduce(entries, count, |mut a, b: StatVec<Self::Num>| {
            add(&mut a, &b);
            a
        })
    }

    /// The proxy of the split after each of some entries, by `rating`. `left` is the stat left
    /// of the first entry, and is used up.
    fn proxies_along(
        &self,
        rating: &Self::Rating,
        entries: &[u32],
        layout: EntryLayout,
        parent: &[Self::Num],
        left: &mut [Self::Num],
        out: &mut [f64],
    );

    /// Appends a node's values (class weights; or weight and mean) to `values`, and says how
    /// impure the node is. `total` is the stat of its rows.
    fn summarize(&self, rows: &[u32], total: &[Self::Num], values: &mut Vec<f64>) -> Summary;
}

/// What an entry carries of its row.
pub(crate) trait RowPayloads {
    /// Whether rows keep their payloads when they are [gathered](ShareRows::gather).
    const PAYLOADS_ARE_KEPT: bool;

    /// Whether a row's payload says all that a stat counts of the row. If not, it says enough for
    /// [`payload_bound`](super::BoundCuts::payload_bound).
    fn payloads_are_stats(&self) -> bool;

    /// Bits of a row's payload; 0 if there is none.
    fn payload_bits(&self) -> u32;

    fn payload(&self, row: u32) -> u32;
}

/// Rows that other rows are made of.
pub(crate) trait ShareRows: CountRows {
    type Tiny: TinyRows<Self::Rating>;

    fn row_units(&self, row: u32) -> u64;

    /// These rows alone, renumbered from 0.
    fn gather(&self, rows: &[u32]) -> Self;

    /// Copies some rows, at most [`TINY`](super::TINY). They are numbered from 0 there.
    fn copy_tiny(&self, rows: &[u32], to: &mut Self::Tiny);

    /// These rows with other weights, by their numbers here; only rows that have weights allow it.
    fn shared(&self, rows: &[u32], units: &[u64]) -> Self;
}

/// What growth asks of a node beside its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) weight: f64,
    pub(crate) impurity: f64,
    /// All rows are of one class, or have the same number.
    pub(crate) is_pure: bool,
}
