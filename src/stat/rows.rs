//! Access to rows: counting them into stats.

use smallvec::smallvec;

use super::{Num, Rating, StatVec, add};
use crate::data::column::EntryLayout;
use crate::util::parallel::in_parts;

/// The targets and weights of some rows.
///
/// Rows are given by number or by *entry*: a row number and, where the [`EntryLayout`] has room,
/// the row's payload, which saves the look-up of the row.
pub(crate) trait RowStats: Send + Sync + Sized {
    type Num: Num;
    type Rating: Rating<Num = Self::Num>;

    fn rating(&self) -> &Self::Rating;

    /// Adds a row to a stat.
    fn add(&self, row: u32, stat: &mut [Self::Num]);

    /// Adds a row to several stats of a table, given by their index.
    #[inline]
    fn add_at(&self, row: u32, indices: impl Iterator<Item = usize>, table: &mut [Self::Num]) {
        let k = self.rating().width();
        indices.for_each(|index| self.add(row, &mut table[index * k..(index + 1) * k]));
    }

    /// Whether a row's payload says all that a stat counts of the row. If not, it says enough for
    /// [`highest_gain_of`](Self::highest_gain_of).
    fn payloads_are_stats(&self) -> bool;

    /// Whether rows keep their payloads when they are [gathered](Self::gather).
    const PAYLOADS_ARE_KEPT: bool;

    /// Bits of a row's payload; 0 if there is none.
    fn payload_bits(&self) -> u32;

    fn payload(&self, row: u32) -> u32;

    /// An upper bound of the gain of any cut of a column, from the payloads of its entries alone; the
    /// first `n_known` have a value. Infinite if payloads do not tell.
    fn highest_gain_of(&self, _entries: &[u32], _layout: EntryLayout, _n_known: usize) -> f64 {
        f64::INFINITY
    }

    /// Adds entries to a stat.
    fn add_entries(&self, entries: &[u32], layout: EntryLayout, stat: &mut [Self::Num]) {
        entries.iter().for_each(|&entry| self.add(layout.row(entry), stat));
    }

    /// The stat of some entries, counted by all threads if they are many.
    fn total(&self, entries: &[u32], layout: EntryLayout) -> StatVec<Self::Num> {
        let count = |entries: &[u32]| {
            let mut stat = smallvec![Self::Num::default(); self.rating().width()];
            self.add_entries(entries, layout, &mut stat);
            stat
        };
        in_parts(entries, count, |mut a, b: StatVec<Self::Num>| {
            add(&mut a, &b);
            a
        })
    }

    /// Sums up blocks of `block` entries. Appends the stat of all entries up to each block's end to
    /// `borders`, which ends with the stat before the first; and to `spreads` what
    /// [`Rating::proxy_bounds`] needs to know of a block beside its borders, if anything.
    fn sum_blocks(
        &self,
        entries: &[u32],
        layout: EntryLayout,
        block: usize,
        _parent: &[Self::Num],
        borders: &mut Vec<Self::Num>,
        _spreads: &mut Vec<f64>,
    ) {
        let k = self.rating().width();
        for block in entries.chunks(block) {
            let last = borders.len() - k;
            borders.extend_from_within(last..);
            self.add_entries(block, layout, &mut borders[last + k..]);
        }
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

    /// The weight of a row, in units.
    fn row_units(&self, row: u32) -> u64;

    /// These rows alone, renumbered from 0.
    fn gather(&self, rows: &[u32]) -> Self;

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
